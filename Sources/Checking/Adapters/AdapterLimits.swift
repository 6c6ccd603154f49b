/// How long an adapter may take.
public struct AdapterLimits: Hashable, Sendable {
  /// For one operation, a reset or a farewell.
  public var operation: Duration
  /// For all of one vector.
  public var vector: Duration
  /// For its start, until it has said who it is; or for its call.
  public var start: Duration

  public init(
    operation: Duration = .seconds(10), vector: Duration = .seconds(60),
    start: Duration = .seconds(30)
  ) {
    self.operation = operation
    self.vector = vector
    self.start = start
  }
}
