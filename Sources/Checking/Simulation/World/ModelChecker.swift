internal import Datastore
internal import ReferenceDatastore
internal import Replication
internal import Scenarios

/// Compares each store with the model, which has no disk faults.
final class ModelChecker: EventObserver {
  /// By replica; nil for the model itself and for stores whose state can no longer be tracked.
  private var checkers: [StoreFollower?]
  private var copies: [StoreFollower?]
  /// The declared deviations of each replica.
  private let declared: [[Deviation]]
  /// The ids of the declared deviations that occurred.
  private(set) var occurred: Set<String> = []
  /// Whether the latest outcome of any store is permitted only because of a declared deviation.
  private(set) var deviates = false

  let topics: Set<EventTopic> = [.answers, .replicas, .sessions]

  /// Nil if there is nothing to compare: all stores are the model.
  init?(_ replicas: [Replica]) {
    if replicas.allSatisfy({ $0.store.isModel }) { return nil }
    checkers = replicas.map { replica in
      let description = replica.store.implementation.description
      return replica.store.isModel
        ? nil
        : StoreFollower(
          of: description, strictness: replica.store.followsModel ? .model : .contract,
          mode: replica.store.deviations.isEmpty
            ? .rulesOnly : .declared(replica.store.deviations))
    }
    copies = replicas.map { _ in nil }
    declared = replicas.map(\.store.deviations)
  }

  func observe(_ event: WorldEvent, in state: WorldState, _ findings: inout [WorldFinding]) {
    switch event {
    case .answered(let replica, let operation, let outcome):
      check(operation, outcome, place: replica, state: state, findings: &findings)
    case .crashed(let replica, _, _, inOperation: false): checkers[replica]?.crashed()
    case .sessionBegan(let number):
      // The harness cannot observe what a replicator writes to its own store, so the model cannot
      // predict its content.
      let session = state.sessions[number]
      if session.ownEnvironment != nil { checkers[session.by] = nil }
    case .copied(let replica): copies[replica] = checkers[replica]
    case .restored(let replica):
      checkers[replica] = copies[replica]
      checkers[replica]?.crashed()
    default: break
    }
  }

  /// Whether a declared deviation leaves an operation of a replica without a valid response.
  func admitsUnanswered(_ operation: StoreOperation, at place: Int) -> Bool {
    guard checkers[place] == nil else {
      guard checkers[place]?.admitUnanswered(operation) == true else { return false }
      occurred.formUnion(checkers[place]?.occurred ?? [])
      return true
    }
    let causes = declared[place].filter { $0.mayLeaveUnanswered(operation) }
    occurred.formUnion(causes.map(\.id))
    return !causes.isEmpty
  }

  /// Records that declared deviations occurred outside of operations.
  func occur(_ deviations: Set<String>) { occurred.formUnion(deviations) }

  private func check(
    _ operation: StoreOperation, _ outcome: Outcome, place: Int, state: WorldState,
    findings: inout [WorldFinding]
  ) {
    deviates = false
    guard checkers[place] != nil else { return }
    if state.replicas[place].store.isDisturbed {
      checkers[place] = nil
      return
    }
    if case .error(let error) = outcome, state.replicas[place].storage != .well,
      error.kind == .storage(.full) || error.kind == .storage(.io)
    {
      return
    }
    switch checkers[place]?.admit(operation, outcome) {
    case .violation(let violation):
      findings.append(
        .model(
          replica: state.replicas[place].label, operation, outcome, accepted: violation.accepted))
    // The other oracles continue to check the store.
    case .inconclusive: checkers[place] = nil
    case .admitted, nil: break
    }
    if let checker = checkers[place], !checker.active.isEmpty {
      occurred.formUnion(checker.occurred)
      deviates = checker.deviates
    }
    if !state.replicas[place].isUp { checkers[place]?.crashed() }
  }
}
