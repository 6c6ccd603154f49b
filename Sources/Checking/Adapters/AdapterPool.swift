public import Datastore

/// Adapters at one place that are used again: a process is started once, not for every run, and ends
/// with the pool.
///
/// One thread at a time uses a pool and all that came from it.
public final class AdapterPool: @unchecked Sendable {
  private let start: () throws(HarnessError) -> AdapterImplementation
  private var idle: [AdapterImplementation] = []

  /// - Parameter start: makes an adapter when none is idle.
  public init(_ start: @escaping () throws(HarnessError) -> AdapterImplementation) {
    self.start = start
  }

  /// An adapter, which its `shutdown` gives back.
  public func take() throws(HarnessError) -> any ImplementationUnderTest {
    if let adapter = idle.popLast() { return PooledAdapter(adapter, self) }
    return PooledAdapter(try start(), self)
  }

  fileprivate func put(_ adapter: AdapterImplementation) { idle.append(adapter) }
}

/// An adapter on loan.
private final class PooledAdapter: ImplementationLayer {
  private let adapter: AdapterImplementation
  private let pool: AdapterPool
  private var isGivenBack = false

  init(_ adapter: AdapterImplementation, _ pool: AdapterPool) {
    self.adapter = adapter
    self.pool = pool
  }

  // Who was stopped by an error on the way may not have said that it is done.
  deinit { if !isGivenBack { pool.put(adapter) } }

  var base: any ImplementationUnderTest { adapter }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome { try adapter.perform(operation, environment) }

  func shutdown() throws(HarnessError) {
    guard !isGivenBack else { return }
    isGivenBack = true
    defer { pool.put(adapter) }
    try adapter.end()
  }
}
