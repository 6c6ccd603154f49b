public import Datastore
internal import JSON

extension CollectionAction: FamilyOperation {
  package typealias Answer = CollectionAnswer
}

extension OperationFamily {
  /// Collections of a backend, and their clients.
  static let collections = OperationFamily(
    "collections", capabilities: [Capability("collections")],
    table: .collections,
    read: { (name, reader) throws(DecodingFailure) in try CollectionAction(name, &reader) })
}

extension Capability {
  /// Clients save objects to collections of a backend, through a cache and an offline queue.
  public static let collections: Capability = .ofRegisteredFamily("collections")
}

extension StoreAction {
  /// An operation on collections.
  public static func collections(_ action: CollectionAction) -> StoreAction {
    OperationFamily.registerObjects()
    return .family(AnyFamilyOperation(action))
  }

  /// The operation on collections; nil for any other.
  public var collections: CollectionAction? { family(CollectionAction.self) }
}

extension OperationResult {
  /// A result of an operation on collections.
  public static func collections(_ answer: CollectionAnswer) -> OperationResult {
    .family(AnyFamilyAnswer(answer))
  }

  /// The result of an operation on collections; nil for any other.
  public var collections: CollectionAnswer? { family(CollectionAnswer.self) }
}

extension Outcome {
  /// The result of an operation on collections; nil for any other and for an error.
  public var collections: CollectionAnswer? { result?.collections }
}
