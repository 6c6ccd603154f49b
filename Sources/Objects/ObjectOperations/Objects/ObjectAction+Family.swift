public import Datastore
package import JSON

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

  package func readAnswer(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> any FamilyAnswer {
    try ObjectAnswer(&reader, of: self)
  }
}

extension ObjectAnswer: FamilyAnswer {
  package func fits(_ operation: any FamilyOperation) -> Bool {
    guard let action = operation as? ObjectAction else { return false }
    return switch (action, self) {
    case (.describe, .described), (.validate, .validated), (.encode, .encoded), (.decode, .object),
      (.coordinate, .coordinated), (.open, .opened), (.save, .saved), (.load, .object),
      (.list, .objects), (.check, .checked), (.updateAll, .updated):
      true
    case (.fetch(let fetch), _):
      switch (fetch.result, self) {
      case (.objects, .objects), (.ids, .ids), (.count, .count), (.groups, .groups): true
      default: false
      }
    default: false
    }
  }
}

extension OperationFamily {
  /// Objects of a model, stored as documents.
  static let objects = OperationFamily(
    "objects", capabilities: [Capability("objects")], isListedBefore: .find,
    table: .objects,
    read: { (name, reader) throws(DecodingFailure) in try ObjectAction(name, &reader) })
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
