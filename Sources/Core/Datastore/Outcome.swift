/// The outcome of an operation.
public enum Outcome: Hashable, Sendable {
  /// The operation succeeded.
  case ok(OperationResult)
  /// The store rejected the operation, which had no effect.
  case error(DatastoreError)
  /// The operation may have happened, completely or not at all; `insertRevisions` record by record.
  case unknown
}

extension Outcome {
  /// The kind of the error, if the operation failed.
  public var errorKind: DatastoreError.Kind? {
    if case .error(let error) = self { error.kind } else { nil }
  }

  /// The result, if the operation succeeded.
  public var result: OperationResult? {
    if case .ok(let result) = self { result } else { nil }
  }
}
