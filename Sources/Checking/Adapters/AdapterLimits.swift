/// The time limits of an adapter.
public struct AdapterLimits: Hashable, Sendable {
  /// The limit of an operation, a reset or `bye`.
  public var operation: Duration
  /// The limit of a vector.
  public var vector: Duration
  /// The limit of a start, up to the response to `hello`, or of a connection.
  public var start: Duration

  /// Creates limits; by default 10 s per operation, 60 s per vector and 30 s for a start.
  public init(
    operation: Duration = .seconds(10), vector: Duration = .seconds(60),
    start: Duration = .seconds(30)
  ) {
    self.operation = operation
    self.vector = vector
    self.start = start
  }
}
