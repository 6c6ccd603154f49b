public import Datastore
package import JSON

extension StackAction: FamilyOperation {
  package func readAnswer(
    _ reader: inout ObjectReader
  ) throws(DecodingFailure) -> any FamilyAnswer {
    try StackAnswer(&reader, of: self)
  }
}

extension StackAnswer: FamilyAnswer {
  package func fits(_ operation: any FamilyOperation) -> Bool {
    guard let action = operation as? StackAction else { return false }
    return switch (action, self) {
    case (.open, .done), (.reset, .done), (.perform(_, _, .waits), .performed),
      (.perform(_, _, .completes), .begun), (.perform(_, _, .unheard), .begun), (.save, .begun),
      (.run, .news), (.entity, .entity):
      true
    default: false
    }
  }
}

extension OperationFamily {
  /// Three contexts over one store.
  static let stacks = OperationFamily(
    "stacks", capabilities: [Capability("stacks")],
    table: .stacks,
    read: { (name, reader) throws(DecodingFailure) in try StackAction(name, &reader) })
}

extension Capability {
  /// Three contexts over one store: a writer below a main and a background context.
  public static let stacks: Capability = .ofRegisteredFamily("stacks")
}

extension StoreAction {
  /// An operation on stacks.
  public static func stacks(_ action: StackAction) -> StoreAction {
    OperationFamily.registerObjects()
    return .family(AnyFamilyOperation(action))
  }

  /// The operation on stacks; nil for any other.
  public var stacks: StackAction? { family(StackAction.self) }
}

extension OperationResult {
  /// A result of an operation on stacks.
  public static func stacks(_ answer: StackAnswer) -> OperationResult {
    .family(AnyFamilyAnswer(answer))
  }

  /// The result of an operation on stacks; nil for any other.
  public var stacks: StackAnswer? { family(StackAnswer.self) }
}

extension Outcome {
  /// The result of an operation on stacks; nil for any other and for an error.
  public var stacks: StackAnswer? { result?.stacks }
}
