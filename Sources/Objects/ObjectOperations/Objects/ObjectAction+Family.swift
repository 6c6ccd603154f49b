public import Datastore
internal import JSON

extension ObjectAction: FamilyOperation {
  package var documents: [DocumentID] {
    switch self {
    case .load(.id(let id)): [id]
    case .decode(let decoding): [decoding.id]
    default: []
    }
  }

  package var capabilitiesOfArguments: Set<Capability> {
    if case .describe(_, _, predicates: let predicates) = self, !predicates.isEmpty {
      [.find]
    } else {
      []
    }
  }
  package typealias Answer = ObjectAnswer
}

extension OperationFamily {
  /// Objects of a model, stored as documents.
  static let objects = OperationFamily(
    "objects", capabilities: [Capability("objects")], isListedBefore: .find,
    table: .objects,
    read: { (name, reader) throws(DecodingFailure) in try ObjectAction(row: name, &reader) })
}

extension Capability {
  /// Objects of a model are stored as documents.
  public static let objects: Capability = .ofRegisteredFamily("objects")
}

extension StoreAction {
  /// An operation on objects.
  public static func objects(_ action: ObjectAction) -> StoreAction {
    OperationFamily.registerObjects()
    return .family(AnyFamilyOperation(action))
  }

  /// The operation on objects; nil for any other.
  public var objects: ObjectAction? { family(ObjectAction.self) }
}

extension OperationResult {
  /// A result of an operation on objects.
  public static func objects(_ answer: ObjectAnswer) -> OperationResult {
    .family(AnyFamilyAnswer(answer))
  }

  /// The result of an operation on objects; nil for any other.
  public var objects: ObjectAnswer? { family(ObjectAnswer.self) }
}

extension Outcome {
  /// The result of an operation on objects; nil for any other and for an error.
  public var objects: ObjectAnswer? { result?.objects }
}
