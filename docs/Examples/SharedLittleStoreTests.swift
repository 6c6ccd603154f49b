import Synchronization
import Testing
import TouchstoneKit

/// One store for all connections; a lock makes each operation atomic.
final class SharedLittleStore: Sendable {
  private struct Holder: @unchecked Sendable { let store = LittleStore() }

  private let holder = Mutex(Holder())

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    nonisolated(unsafe) let environment = environment
    return holder.withLock { $0.store.perform(operation, environment) }
  }

  func reset() { holder.withLock { $0.store.reset() } }
}

/// A connection to the shared store.
final class LittleConnection: ImplementationUnderTest {
  private let shared: SharedLittleStore

  let description = LittleStore().description

  init(_ shared: SharedLittleStore) { self.shared = shared }

  func reset() { shared.reset() }

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    environment.pass()
    return shared.perform(operation, environment)
  }

  func crash(_ kind: CrashKind) {}

  func shutdown() {}
}

@Test func severalClientsAtOnce() throws {
  let shared = SharedLittleStore()
  try ConcurrentCheck { _ in LittleConnection(shared) }.run(seeds: 1...20)
}
