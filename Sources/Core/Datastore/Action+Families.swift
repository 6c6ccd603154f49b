// Operations of one family, as optional values: a pattern such as
// `case .save(let inserted, _, _)? = operation.action.objects` selects one of them.

extension Action {
  /// The operation on objects; nil for any other.
  public var objects: ObjectAction? { if case .objects(let action) = self { action } else { nil } }
  /// The operation on contexts; nil for any other.
  public var contexts: ContextAction? {
    if case .contexts(let action) = self { action } else { nil }
  }
  /// The operation on stacks; nil for any other.
  public var stacks: StackAction? { if case .stacks(let action) = self { action } else { nil } }
  /// The operation on collections; nil for any other.
  public var collections: CollectionAction? {
    if case .collections(let action) = self { action } else { nil }
  }
}

extension OperationResult {
  /// The answer about objects; nil for any other.
  public var objects: ObjectAnswer? { if case .objects(let answer) = self { answer } else { nil } }
  /// The answer about contexts; nil for any other.
  public var contexts: ContextAnswer? {
    if case .contexts(let answer) = self { answer } else { nil }
  }
  /// The answer about stacks; nil for any other.
  public var stacks: StackAnswer? { if case .stacks(let answer) = self { answer } else { nil } }
  /// The answer about collections; nil for any other.
  public var collections: CollectionAnswer? {
    if case .collections(let answer) = self { answer } else { nil }
  }
}

extension Outcome {
  /// The answer about objects; nil for any other and for an error.
  public var objects: ObjectAnswer? { result?.objects }
  /// The answer about contexts; nil for any other and for an error.
  public var contexts: ContextAnswer? { result?.contexts }
  /// The answer about stacks; nil for any other and for an error.
  public var stacks: StackAnswer? { result?.stacks }
  /// The answer about collections; nil for any other and for an error.
  public var collections: CollectionAnswer? { result?.collections }
}
