public import Datastore

/// A pool of adapters at one place: processes are reused by later runs, and end with the pool.
///
/// Only one thread at a time uses a pool and its adapters.
public final class AdapterPool: @unchecked Sendable {
  private let start: () throws(HarnessError) -> AdapterImplementation
  private var idle: [AdapterImplementation] = []

  /// - Parameter start: starts an adapter if none is idle.
  public init(_ start: @escaping () throws(HarnessError) -> AdapterImplementation) {
    self.start = start
  }

  /// Returns an adapter, which its `shutdown` returns to the pool.
  public func take() throws(HarnessError) -> any ImplementationUnderTest {
    if let adapter = idle.popLast() { return PooledAdapter(adapter, self) }
    return PooledAdapter(try start(), self)
  }

  fileprivate func put(_ adapter: AdapterImplementation) { idle.append(adapter) }
}

/// An adapter taken from the pool.
private final class PooledAdapter: ImplementationLayer {
  private let adapter: AdapterImplementation
  private let pool: AdapterPool
  private var isGivenBack = false

  init(_ adapter: AdapterImplementation, _ pool: AdapterPool) {
    self.adapter = adapter
    self.pool = pool
  }

  // A run that an error ended may have left the adapter in use.
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
