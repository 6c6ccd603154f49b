internal import Datastore
internal import JSON
internal import Replication

/// Checks that implementations respond, that runs end, that no session fails without a reason or
/// goes on after it was stopped, and that after all faults no session fails and replication ends.
final class LivenessChecker: EventObserver {
  let topics: Set<EventTopic> = [.sessions, .end]

  func observe(_ event: WorldEvent, in state: WorldState, _ findings: inout [WorldFinding]) {
    switch event {
    case .exceeded(let events): findings.append(.endless(events: events))
    case .sessionEnded(let number):
      check(state.sessions[number], isLast: number == state.settlingSession, &findings)
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

  /// - Parameter isLast: whether all faults have ended.
  private func check(_ session: Session, isLast: Bool, _ findings: inout [WorldFinding]) {
    let reasons = session.machine.report.failures.prefix(3).map { $0.reason }
    if isLast, session.machine.state != .complete {
      findings.append(
        .session(
          name: session.name, state: JSONString(session.machine.state.rawValue), reasons: reasons))
    } else if session.machine.state == .error, !session.hasTrouble, session.ownEnvironment == nil {
      findings.append(.needlessError(name: session.name, reasons: reasons))
    } else if session.requestsAfterStop > 0 {
      findings.append(.ignoredStop(name: session.name, requests: session.requestsAfterStop))
    }
  }
}
