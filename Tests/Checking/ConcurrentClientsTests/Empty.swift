import ConcurrentClients
import Datastore
import JSON
import ReferenceDatastore
import SQLiteDatastore
import Storage
import Synchronization
import Testing

/// One model for all connections; each operation holds the lock.
final class SharedModel: Sendable {
  private let model: Mutex<Holder>

  struct Holder: @unchecked Sendable { var store: ReferenceDatastore }

  init() { model = Mutex(Holder(store: ReferenceDatastore())) }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    nonisolated(unsafe) let environment = environment
    return model.withLock { holder in
      holder.store.perform(operation, environment)
    }
  }
}

final class ModelConnection: ImplementationUnderTest {
  let shared: SharedModel
  init(_ shared: SharedModel) { self.shared = shared }
  var description: ImplementationDescription { ReferenceDatastore().description }
  func reset() throws(HarnessError) {}
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    environment.pass()
    let o = try shared.perform(operation, environment)
    environment.pass()
    return o
  }
  func crash(_ kind: CrashKind) throws(HarnessError) {}
  func shutdown() throws(HarnessError) {}
}

@Test(arguments: [false, true]) func tryIt(controlled: Bool) throws {
  for seed in UInt64(1)...200 {
    let shared = SharedModel()
    let run = ConcurrentRun(
      seed: seed, ReferenceDatastore().description, connections: 8, operationCount: 400,
      isControlled: controlled)
    let history = try run.record { _ in ModelConnection(shared) }
    for verdict in LinearizabilityChecker().check(history) {
      if case .ordered = verdict.verdict { continue }
      print(seed, controlled, verdict.documents, verdict.operationCount, verdict.steps, verdict.verdict)
      if case .noOrder(let until) = verdict.verdict, seed < 4 {
        for o in history.operations where o.call <= until && o.call > until - 30 {
          print(o.connection, o.call, o.end ?? -1, o.operation, "->", o.outcome!)
        }
      }
    }
  }
}
