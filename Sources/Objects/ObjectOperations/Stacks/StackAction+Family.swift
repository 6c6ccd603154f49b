public import Datastore
internal import JSON

extension StackAction: FamilyOperation {
  package typealias Answer = StackAnswer
}

extension OperationFamily {
  /// Three contexts over one store.
  static let stacks = OperationFamily(
    "stacks", capabilities: [Capability("stacks")],
    table: .stacks,
    read: { (name, reader) throws(DecodingFailure) in try StackAction(row: name, &reader) })
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
