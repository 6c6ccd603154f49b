internal import Datastore
internal import Replication

/// Runs with given events, from the beginning.
extension ReplicatorTrial {
  /// Performs the first run with the events of a plan, then the others, and checks them.
  ///
  /// - Parameters:
  ///   - alphabet: the events that are collected in `next` as successors of the last one; nil
  ///     checks the run instead.
  ///   - next: receives the events.
  /// - Throws: `HarnessError` for a plan with an event that is not possible at its request.
  mutating func follow(
    _ plan: [ReplicatorPlan.Event], collecting alphabet: Alphabet?,
    _ next: inout [ReplicatorPlan.Event], counts: inout ReplicatorReport
  ) throws(HarnessError) -> TrialFinding? {
    var waiting = plan[...]
    try begin(run: 0)
    while request != nil, requests < Self.requestsMax {
      if let event = waiting.first, event.request == requests + 1 {
        waiting.removeFirst()
        try happen(event, among: try disturbances(.full).events)
        continue
      }
      if let alphabet, waiting.isEmpty {
        let (events, reduced, cut) = try disturbances(plan.isEmpty ? .full : alphabet)
        next += events.map { ReplicatorPlan.Event(request: requests + 1, token: $0.token) }
        counts.reduced += reduced
        counts.cut += cut
      }
      try deliver()
    }
    counts.requests = requests
    if alphabet != nil {
      while let event = waiting.popFirst() {
        try happen(event, among: try disturbancesAtEnd())
      }
      let events = try disturbancesAtEnd()
      next += events.map { ReplicatorPlan.Event(request: requests + 1, token: $0.token) }
      return nil
    }
    if let finding = try checkFirstRun() { return finding }
    while let event = waiting.popFirst() {
      try happen(event, among: try disturbancesAtEnd())
    }
    return try conclude()
  }

  private mutating func happen(
    _ planned: ReplicatorPlan.Event, among events: [Disturbance]
  ) throws(HarnessError) {
    guard let event = events.first(where: { $0.token == planned.token }) else {
      let known = events.map(\.token).joined(separator: ", ")
      throw HarnessError(
        "event '\(planned.token)' is not possible at request \(planned.request); possible are \(known)"
      )
    }
    _ = try happen(event)
  }

  /// Runs the foreign replicator in the opposite direction first if the setting requires it.
  mutating func prepareForeign(_ direction: ReplicationTurn.Direction) throws(HarnessError) {
    // A machine behind `replicate` has one direction, so the harness copies the records of the
    // target to the source.
    guard setting.reversesFirst else { return }
    _ = try stores.perform(.insertRevisions(setting.targetRecords), at: .source)
  }
}
