internal import Datastore
internal import JSON
internal import Scenarios

/// Other ends of a run after its first events.
extension World {
  /// The point at which a run leaves its recorded course, and its continuation from there.
  struct Departure {
    /// The number of events before the continuation.
    let count: Int
    let continuation: Continuation
    /// Whether the continuation has begun.
    var hasBegun = false
    /// The time until which running sessions may continue.
    var horizon: UInt64 = 0
    /// The number of findings before the checks of the final state; nil if it was not reached.
    var firstOfEnd: Int?

    /// The number of further events after which a continuation is endless.
    private static let furtherMax = 20_000

    var happeningsMax: Int { count + Self.furtherMax }

    var isOfAllPairs: Bool { hasBegun && continuation.remedy != nil }

    func performs(_ directive: Directive) -> Bool {
      !hasBegun || directive.course <= continuation.course
    }

    /// The pairs of a round of the final replication in the order of the choice.
    func arranged(_ ways: [Way]) -> [Way] {
      guard hasBegun, continuation.choice > 0 else { return ways }
      var random = KeyedRandom(seed: continuation.choice, key: ChoiceKey("ways").hash)
      var rest = ways
      return ways.map { _ in rest.remove(at: random.below(rest.count)) }
    }
  }

  /// The final state of a continuation.
  struct FinalState {
    /// The findings of the continuation.
    var findings: [Trace.Finding] = []
    /// The number of those before the checks of the final state; nil if it was not reached.
    var firstOfEnd: Int?
  }

  /// Whether a repeated run is equal.
  var isDeterministic: Bool {
    replicas.allSatisfy { $0.store.implementation.description.isDeterministic }
  }

  /// The time for which sessions continue without faults; longer than a timeout and its retry.
  private static let patienceNanoseconds: UInt64 = 120_000_000_000

  /// Whether the continuation begins now.
  var isAtDeparture: Bool { happenings >= departsAfter }

  /// Leaves the recorded course where the continuation begins.
  func depart() throws(HarnessError) {
    if isAtDeparture { throw .departure }
  }

  /// Runs the first events of the scenario and then a continuation. Findings do not end the run.
  mutating func finalState(
    of continuation: Continuation, after count: Int
  ) throws(HarnessError) -> FinalState {
    departure = Departure(count: count, continuation: continuation)
    departsAfter = count
    endsWithFinding = false
    let state = try permittingBreakdown { world throws(HarnessError) in
      do throws(HarnessError) {
        try world.start()
        try world.drain()
        try world.settleForGood()
      } catch {
        guard world.isAtDeparture else { throw error }
      }
      try world.proceed(continuation)
      return FinalState(findings: world.findings, firstOfEnd: world.departure?.firstOfEnd)
    }
    for replica in replicas {
      _ = try permittingBreakdown { _ throws(HarnessError) in
        try replica.store.implementation.shutdown()
        return FinalState()
      }
    }
    return state
  }

  /// Runs a closure; a crash, hang or protocol error of an implementation ends it without a final
  /// state.
  private mutating func permittingBreakdown(
    _ body: (inout World) throws(HarnessError) -> FinalState
  ) throws(HarnessError) -> FinalState {
    do throws(HarnessError) { return try body(&self) } catch {
      guard error.breakdown != nil else { throw error }
      return FinalState()
    }
  }

  private mutating func proceed(_ continuation: Continuation) throws(HarnessError) {
    departure?.hasBegun = true
    departsAfter = .max
    departure?.horizon = now + Self.patienceNanoseconds
    findings = []
    var seed = scenario.seed
    if continuation.choice > 0 {
      var random = KeyedRandom(seed: seed, key: continuation.choice)
      seed = random.next()
    }
    choices = Choices(seed: seed)
    if continuation.course != .fail {
      conditions = Conditions(
        latencyMin: conditions.latencyMin, latencyMax: conditions.latencyMax)
      links.openAll()
      phase = .calm
      for place in replicas.indices { try repair(place) }
      phase = .faults
    }
    if continuation.remedy == .withoutCheckpoints {
      // A world knows the checkpoints that a session has read.
      try settleForNow()
      for replica in scenario.replicas { try loseCheckpoints(replica, "settle") }
    }
    switch continuation.course {
    case .end: abandon { _ in true }
    case .save: abandon { !$0.isSaving }
    default: break
    }
    if continuation.course >= .wait { try drain() }
    try settleForGood()
  }
}

extension HarnessError {
  /// The end of the events before a continuation.
  fileprivate static let departure = HarnessError(
    "departure", breakdown: HarnessError.Breakdown(shape: "departure"))

  /// A continuation without an end.
  static let endlessContinuation = HarnessError(
    "endless continuation", breakdown: HarnessError.Breakdown(shape: "endless"))
}
