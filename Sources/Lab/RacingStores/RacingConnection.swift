internal import Datastore
internal import JSON
internal import ReferenceDatastore

/// One connection to a shared model.
final class RacingConnection: ImplementationUnderTest {
  let store: RacingStore
  let number: Int
  /// A write that was acknowledged and not yet performed.
  private var late: StoreOperation?
  /// The positions of the feed that the connection has taken in advance.
  var block: Range<Int64> = 0..<0

  init(_ store: RacingStore, _ number: Int) {
    self.store = store
    self.number = number
  }

  var description: ImplementationDescription { ReferenceDatastore().description }

  func reset() throws(HarnessError) { store.locked { $0 = RacingStore.Shared() } }

  func crash(_ kind: CrashKind) throws(HarnessError) {}

  func shutdown() throws(HarnessError) {}

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    environment.pass()
    defer { environment.pass() }
    guard let defect = store.defect else { return correct(operation, environment) }
    if let late {
      self.late = nil
      _ = correct(late, environment)
    }
    return mutated(operation, with: defect, environment) ?? correct(operation, environment)
  }

  /// Performs an operation as one transaction.
  func correct(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    store.locked { perform(operation, environment, on: &$0) }
  }

  /// Performs an operation inside of a transaction.
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, on shared: inout RacingStore.Shared
  ) -> Outcome {
    let writes = operation.action.isWrite
    let before = writes ? shared.model.snapshot : nil
    let outcome = shared.model.perform(operation, environment)
    if writes, outcome.result != nil {
      (shared.before, shared.writer) = (before, number)
      if case .compact = operation.action { shared.compactions += 1 }
    }
    return outcome
  }

  /// Writes later than it is acknowledged.
  func postpone(_ operation: StoreOperation) { late = operation }

  /// Another state of the model under the lock, with the stores that were open.
  func restore(
    _ snapshot: ReferenceDatastore.Snapshot, opening store: StoreName,
    _ environment: RunEnvironment, in shared: inout RacingStore.Shared
  ) {
    shared.model.restore(snapshot)
    _ = shared.model.perform(StoreOperation(store, .open()), environment)
  }

  /// Reads the state before the latest write if another client performed it.
  func stale(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    store.locked { shared in
      guard let before = shared.before, shared.writer != number else {
        return shared.model.perform(operation, environment)
      }
      let current = shared.model.snapshot
      restore(before, opening: operation.store, environment, in: &shared)
      let outcome = shared.model.perform(operation, environment)
      restore(current, opening: operation.store, environment, in: &shared)
      return outcome
    }
  }
}

extension StoreAction {
  /// Whether the operation can change the store.
  var isWrite: Bool {
    switch self {
    case .create, .update, .delete, .resolve, .batch, .insertRevisions, .purge, .compact,
      .writeLocal, .attaching, .historyLimit:
      true
    default: false
    }
  }
}
