internal import Datastore
internal import JSON
internal import Replication

/// Checks that implementations respond, that runs end, and that after all faults no session fails
/// and replication ends.
final class LivenessChecker: EventObserver {
  let topics: Set<EventTopic> = [.sessions, .end]

  func observe(_ event: WorldEvent, in state: WorldState, _ findings: inout [WorldFinding]) {
    switch event {
    case .exceeded(let events): findings.append(.endless(events: events))
    case .sessionEnded(let number) where number == state.settlingSession:
      let session = state.sessions[number]
      guard session.machine.state != .complete else { return }
      findings.append(
        .session(
          name: session.name, state: JSONString(session.machine.state.rawValue),
          reasons: session.machine.report.failures.prefix(3).map { $0.reason }))
    case .restless: findings.append(.restless)
    case .failed(let replica, let error, let log):
      guard let breakdown = error.breakdown else { return }
      findings.append(
        .breakdown(
          replica: replica.map { state.replicas[$0].label }, breakdown, message: error.message,
          log: log))
    default: break
    }
  }
}
