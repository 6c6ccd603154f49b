public import Datastore
internal import Oracles
internal import Replication

/// The bounds of an exploration of a replicator.
public struct ReplicatorScope: Sendable {
  /// The number of events of the first run, 0 to 2.
  public var events: Int
  /// Settings by name; nil for all.
  public var settings: [String]?
  /// The maximum number of runs of an implementation's own replicator, which cannot be copied
  /// during a run; the rest is counted as not explored.
  public var runsMax: Int
  /// Whether an event is left out at requests that it commutes with.
  public var reduces: Bool

  /// Creates a scope.
  public init(
    events: Int = 2, settings: [String]? = nil, runsMax: Int = 2_000, reduces: Bool = true
  ) {
    self.reduces = reduces
    self.events = events
    self.settings = settings
    self.runsMax = runsMax
  }

  /// The settings of this scope.
  public var chosen: [ReplicatorSetting] {
    ReplicatorSetting.all.filter { setting in settings?.contains(setting.name) ?? true }
  }
}

/// The counts of an exploration of a replicator.
public struct ReplicatorReport: Hashable, Sendable {
  /// Requests in the longest first run.
  public var requests = 0
  /// Events that were tried, each at one request of one run.
  public var placements = 0
  /// Events that changed nothing, such as a compaction with nothing to remove.
  public var idle = 0
  /// Events not tried at a request because they commute with it; they are tried at a later one.
  public var reduced = 0
  /// Paths that reached an already explored state.
  public var joined = 0
  /// Completed first runs.
  public var runs = 0
  /// Distinct states after a first run; from each one, a second and a third run were completed.
  public var ends = 0
  /// Events excluded by bounds: on documents that clients do not use, statuses and errors tried
  /// alone but not in pairs, and placements beyond the maximum number of events of a run.
  public var cut = 0
  /// Response orders of requests in flight, other than the order in which they were sent.
  public var reordered = 0
  /// Placements excluded by the bound on runs.
  public var notExplored = 0

  /// Creates a report with counts of 0.
  public init() {}

  /// Adds another report; the longest run counts once.
  public static func += (left: inout Self, right: Self) {
    left.requests = max(left.requests, right.requests)
    left.placements += right.placements
    left.idle += right.idle
    left.reduced += right.reduced
    left.joined += right.joined
    left.runs += right.runs
    left.ends += right.ends
    left.cut += right.cut
    left.reordered += right.reordered
    left.notExplored += right.notExplored
  }
}

/// An explorer of one replicator.
public protocol ReplicatorExploring {
  /// The counts so far.
  var report: ReplicatorReport { get }

  /// Explores the scope, fewest events first; ends at the first finding.
  ///
  /// - Parameter observe: receives the counts from time to time.
  mutating func explore(
    observe: (ReplicatorReport) -> Void
  ) throws(HarnessError) -> ReplicatorDiscovery?

  /// Runs one plan, as a discovery names it.
  mutating func replay(_ plan: ReplicatorPlan) throws(HarnessError) -> ReplicatorDiscovery?

  /// Shuts down the explored implementation, if any.
  func shutdown() throws(HarnessError)
}

extension ReplicatorExploring {
  public func shutdown() throws(HarnessError) {}
}

/// A violation by a replicator, and the run that shows it.
public struct ReplicatorDiscovery: Hashable, Sendable {
  /// The name of the setting.
  public var setting: String
  /// The class, such as `lost/leaf`.
  public var shape: String
  /// The violation in a sentence.
  public var sentence: String
  /// Each request and each event, in order.
  public var story: [String]
  /// The events as `--replay` reads them, such as `plain-1 12:source:compact`.
  public var plan: String
  /// The number of events of the plan.
  public var events: Int
}

/// Tries all events at each request of a replicator, up to a number of events per run, then runs it
/// again without faults and checks the final state.
///
/// Stores are the model's and the replicator is a value, so runs continue from a copy of their
/// common prefix. `ReplicatorTrial` defines the events, which of them commute, and the checks.
public struct ReplicatorExplorer: ReplicatorExploring {
  /// The bounds of the exploration.
  public let scope: ReplicatorScope
  /// The counts so far.
  public private(set) var report = ReplicatorReport()
  let makeMachine: (ReplicatorSetting, Int) -> any ReplicationMachine
  private var memo = StoreMemo()
  private var known: Set<Key> = []
  private var concluded: Set<EndKey> = []
  private var machines: [AnyHashable: Int] = [:]
  private var facts: [TrialFacts: Int] = [:]
  private var alphabet = ReplicatorTrial.Alphabet.full

  /// Equal for states with equal continuations.
  private struct Key: Hashable {
    var versions: [Int]
    var machine: Int
    var facts: Int
    var eventsLeft: Int
    var pending: [RequestNumber]
    var afterStop: Int
  }

  private struct EndKey: Hashable {
    var versions: [Int]
    var facts: Int
  }

  /// Creates an explorer; by default of the bundled replicator.
  public init(_ scope: ReplicatorScope, _ participants: World.Participants = .model) {
    self.scope = scope
    makeMachine = { setting, run in
      participants.makeMachine(setting.configuration(run: run))
    }
  }

  /// Explores the scope, fewest events first; ends at the first violation.
  ///
  /// - Parameter observe: receives the counts from time to time.
  public mutating func explore(
    observe: (ReplicatorReport) -> Void = { _ in }
  ) throws(HarnessError) -> ReplicatorDiscovery? {
    for events in 0...scope.events {
      for setting in scope.chosen where events <= setting.eventsMax {
        // The counts of the maximum number of events include those of fewer events.
        let isLast = events == min(scope.events, setting.eventsMax)
        let before = report
        if let found = try explore(setting, events: events, observe) { return found }
        if !isLast { report = before }
      }
    }
    return nil
  }

  /// Runs one plan, as a discovery names it.
  public mutating func replay(
    _ plan: ReplicatorPlan
  ) throws(HarnessError) -> ReplicatorDiscovery? {
    var trial = ReplicatorTrial(
      plan.setting, ModelStores(plan.setting, memo), eventsLeft: plan.events.count,
      makeMachine: makeMachine)
    try trial.prepare()
    var next: [ReplicatorPlan.Event] = []
    let found = try trial.follow(plan.events, collecting: nil, &next, counts: &report)
    report.runs += 1
    return found.map { ReplicatorDiscovery($0, trial) }
  }

  private mutating func explore(
    _ setting: ReplicatorSetting, events: Int, _ observe: (ReplicatorReport) -> Void
  ) throws(HarnessError) -> ReplicatorDiscovery? {
    memo = StoreMemo()
    known = []
    concluded = []
    machines = [:]
    facts = [:]
    alphabet = events > 1 ? .short : .full
    var trial = ReplicatorTrial(
      setting, ModelStores(setting, memo), eventsLeft: events, makeMachine: makeMachine)
    trial.reduces = scope.reduces
    try trial.prepare()
    try trial.begin(run: 0)
    return try walk(trial, isTouched: false, observe)
  }

  /// Continues from a state of the first run.
  private mutating func walk(
    _ start: ReplicatorTrial, isTouched: Bool, _ observe: (ReplicatorReport) -> Void
  ) throws(HarnessError) -> ReplicatorDiscovery? {
    var trial = start
    while trial.request != nil, trial.requests < ReplicatorTrial.requestsMax {
      if isTouched, !known.insert(key(of: trial)).inserted {
        report.joined += 1
        return nil
      }
      report.reordered += trial.effects.dropFirst().count {
        if case .send = $0 { true } else { false }
      }
      if trial.eventsLeft > 0 {
        let (events, reduced, cut) = try trial.disturbances(alphabet)
        report.reduced += reduced
        report.cut += cut
        for event in events {
          var copy = trial
          report.placements += 1
          guard try copy.happen(event) else {
            report.idle += 1
            continue
          }
          if let found = try walk(copy, isTouched: true, observe) { return found }
        }
      } else if isTouched {
        report.cut += 1
      }
      try trial.deliver()
    }
    report.runs += 1
    report.requests = max(report.requests, trial.requests)
    if report.runs & 0x3ff == 0 { observe(report) }
    if let finding = try trial.checkFirstRun() { return discovery(finding, trial) }
    return try conclude(trial)
  }

  /// Tries the events between the runs, and completes the runs that follow.
  private mutating func conclude(
    _ trial: ReplicatorTrial
  ) throws(HarnessError) -> ReplicatorDiscovery? {
    if trial.eventsLeft > 0 {
      var trial = trial
      for event in try trial.disturbancesAtEnd() {
        var copy = trial
        report.placements += 1
        guard try copy.happen(event) else {
          report.idle += 1
          continue
        }
        if let found = try conclude(copy) { return found }
      }
    }
    let key = EndKey(versions: trial.stores.versions ?? [], facts: number(of: trial.facts.atEnd))
    guard concluded.insert(key).inserted else { return nil }
    report.ends += 1
    var copy = trial
    return try copy.conclude().map { discovery($0, copy) }
  }

  private mutating func key(of trial: ReplicatorTrial) -> Key {
    Key(
      versions: trial.stores.versions ?? [], machine: number(of: trial),
      facts: number(of: trial.facts),
      eventsLeft: trial.eventsLeft,
      pending: trial.effects.compactMap {
        if case .send(let number, _, _, _) = $0 { number } else { nil }
      }, afterStop: trial.tally.afterStop)
  }

  /// Equal for machines with equal behavior: compares their values if they are `Hashable`,
  /// otherwise the events that they received.
  private mutating func number(of trial: ReplicatorTrial) -> Int {
    let value =
      (trial.machine as? any Hashable).map { AnyHashable($0) } ?? AnyHashable(trial.heard)
    if let number = machines[value] { return number }
    machines[value] = machines.count
    return machines.count - 1
  }

  private mutating func number(of value: TrialFacts) -> Int {
    if let number = facts[value] { return number }
    facts[value] = facts.count
    return facts.count - 1
  }

  private func discovery(
    _ finding: TrialFinding, _ trial: ReplicatorTrial
  ) -> ReplicatorDiscovery {
    ReplicatorDiscovery(finding, trial)
  }
}
