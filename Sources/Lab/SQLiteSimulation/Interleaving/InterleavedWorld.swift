internal import ConcurrentClients
internal import Datastore
internal import Storage
internal import Synchronization

/// Two connections to files in memory, of which one takes a step at a time.
final class InterleavedWorld: @unchecked Sendable {
  private let storage: MemoryStorage
  private var scheduler: TurnScheduler?
  private let planned: [Int]
  /// A hash of what each connection has seen of the files, by its number.
  private var seen: [UInt64] = [0, 0, 0, 0]
  private var tick: Int64
  /// The connection that runs, outside of the pair.
  private var owner = 0
  private(set) var operations: [ClientOperation]

  /// - Parameters:
  ///   - planned: the choices at the first pauses.
  ///   - operations: what was performed before.
  init(_ storage: MemoryStorage, planned: [Int], after operations: [ClientOperation]) {
    self.storage = storage
    self.planned = planned
    self.operations = operations
    tick = operations.compactMap(\.end).max() ?? 0
    storage.owner = { [unowned self] in owner }
  }

  /// The choices at all pauses.
  var choices: [(chosen: Int, count: Int, state: UInt64)] { scheduler?.choices ?? [] }

  func enter(_ connection: Int) { owner = connection }

  /// Performs an operation while nothing else runs.
  func perform(
    _ operation: StoreOperation, on connection: Int, _ implementation: any ImplementationUnderTest
  ) throws(HarnessError) {
    owner = connection
    tick += 1
    let call = tick
    seen[connection] &+= 1
    let outcome = try implementation.perform(
      operation, RunEnvironment(seed: UInt64(connection)))
    tick += 1
    operations.append(
      ClientOperation(connection: connection, operation, call: call, end: tick, outcome: outcome))
  }

  /// Performs two operations at once, on connections 1 and 2.
  func perform(
    _ pair: [StoreOperation], _ implementations: [any ImplementationUnderTest]
  ) throws(HarnessError) {
    let scheduler = TurnScheduler(.list(planned), threads: [1, 2]) { [unowned self] in state }
    self.scheduler = scheduler
    storage.owner = { scheduler.now }
    storage.onTurn = { [unowned self] in
      scheduler.pauseCurrent()
      // The index of the log is read without an operation.
      see(storage.headersFingerprint)
    }
    storage.onObservation = { [unowned self] in see($0) }
    let failure = FirstError()
    let threads = [1, 2].map { number in
      let work = Handover((pair[number - 1], implementations[number - 1]))
      return WorkerThread { [self] in
        scheduler.begin(number)
        defer { scheduler.end(number) }
        do throws(HarnessError) {
          try perform(work.value.0, on: number, work.value.1)
        } catch {
          failure.note(error)
        }
      }
    }
    for (thread, number) in zip(threads, [1, 2]) where !thread.isRunning {
      scheduler.withdraw(number)
      failure.note(HarnessError("the system did not start a thread"))
    }
    for thread in threads { thread.join() }
    storage.onTurn = nil
    storage.onObservation = nil
    storage.owner = { [unowned self] in owner }
    if let error = failure.error { throw error }
  }

  private func see(_ value: UInt64) {
    let number = scheduler?.now ?? 0
    seen[number] = (seen[number] ^ value) &* 0x9e37_79b9_7f4a_7c15
    seen[number] ^= seen[number] >> 31
  }

  /// A hash of the files and of what both connections have seen.
  private var state: UInt64 {
    var value = storage.fingerprint
    for number in [1, 2] { value = (value ^ seen[number]) &* 0x9e37_79b9_7f4a_7c15 }
    return value ^ UInt64(operations.count)
  }
}
