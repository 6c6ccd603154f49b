public import Datastore
package import JSON

extension CollectionAction: FamilyOperation {
  package func readAnswer(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> any FamilyAnswer {
    try CollectionAnswer(&reader, of: self)
  }
}

extension CollectionAnswer: FamilyAnswer {
  package func fits(_ operation: any FamilyOperation) -> Bool {
    guard let action = operation as? CollectionAction else { return false }
    return switch (action, self) {
    case (.setRules, .done), (.client(_, .open), .done), (.client(_, .setNetwork), .done),
      (.client(_, .crash), .done), (.client(_, .setSettings), .done),
      (.client(_, .collection), .report), (.client(_, .drain), .report),
      (.client(_, .inspect), .client), (.client(_, .migrate), .move):
      true
    default: false
    }
  }
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
