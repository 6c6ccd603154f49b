public import Datastore
internal import JSON

extension ContextAction: FamilyOperation {
  package typealias Answer = ContextAnswer
}

extension OperationFamily {
  /// Objects that are edited in contexts.
  static let contexts = OperationFamily(
    "contexts", capabilities: [Capability("contexts")],
    table: .contexts,
    read: { (name, reader) throws(DecodingFailure) in try ContextAction(name, &reader) })
}

extension Capability {
  /// Objects are edited in contexts, and saved with merge policies.
  public static let contexts: Capability = .ofRegisteredFamily("contexts")
}

extension StoreAction {
  /// An operation on contexts.
  public static func contexts(_ action: ContextAction) -> StoreAction {
    OperationFamily.registerObjects()
    return .family(AnyFamilyOperation(action))
  }

  /// The operation on contexts; nil for any other.
  public var contexts: ContextAction? { family(ContextAction.self) }
}

extension OperationResult {
  /// A result of an operation on contexts.
  public static func contexts(_ answer: ContextAnswer) -> OperationResult {
    .family(AnyFamilyAnswer(answer))
  }

  /// The result of an operation on contexts; nil for any other.
  public var contexts: ContextAnswer? { family(ContextAnswer.self) }
}

extension Outcome {
  /// The result of an operation on contexts; nil for any other and for an error.
  public var contexts: ContextAnswer? { result?.contexts }
}
