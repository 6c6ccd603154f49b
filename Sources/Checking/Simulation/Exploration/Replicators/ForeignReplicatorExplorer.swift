public import Datastore
internal import JSON
public import Replication

/// Tries events at the requests of an implementation's own replicator (capability `replicate`).
///
/// Such a replicator cannot be copied during a run, so every run starts from the beginning. All
/// single events come first. Pairs are sampled at regular distances up to the bound on runs; the
/// rest is counted as not explored.
public struct ForeignReplicatorExplorer: ReplicatorExploring {
  /// The bounds of the exploration.
  public let scope: ReplicatorScope
  /// The counts so far.
  public private(set) var report = ReplicatorReport()
  private let implementation: any ImplementationUnderTest
  private let memo = StoreMemo()

  /// - Parameter makeMachine: makes the replicator for a store without one; nil if the store must
  ///   have its own.
  /// - Throws: `HarnessError` for an implementation without a replicator.
  public init(
    _ scope: ReplicatorScope, _ implementation: any ImplementationUnderTest,
    lending makeMachine: ((ReplicatorConfiguration) -> any ReplicationMachine)? = nil
  ) throws(HarnessError) {
    self.scope = scope
    if implementation.description.capabilities.contains(.replicate) {
      self.implementation = implementation
    } else if let makeMachine {
      self.implementation = ReplicatingDatastore(implementation, makeMachine: makeMachine)
    } else {
      throw HarnessError(
        "\(implementation.description.name) has no replicator of its own (capability replicate)")
    }
  }

  /// Explores the scope, fewest events first; ends at the first violation.
  ///
  /// - Parameter observe: receives the counts after each run.
  public mutating func explore(
    observe: (ReplicatorReport) -> Void = { _ in }
  ) throws(HarnessError) -> ReplicatorDiscovery? {
    for events in 0...scope.events {
      let settings = scope.chosen.filter { events <= $0.eventsMax && $0.isForForeign }
      // If pairs follow, single events get half of the remaining runs.
      let left = max(0, scope.runsMax - report.runs) / (events == 1 && scope.events == 2 ? 2 : 1)
      let share = max(1, left / max(1, settings.count * 2))
      for setting in settings {
        for direction in ReplicationTurn.Direction.allCases {
          let found = try explore(
            setting, direction, events: events, share: share, observe: observe)
          if let found { return found }
        }
      }
    }
    return nil
  }

  public func shutdown() throws(HarnessError) { try implementation.shutdown() }

  /// Runs the plan of a discovery.
  public mutating func replay(
    _ plan: ReplicatorPlan
  ) throws(HarnessError) -> ReplicatorDiscovery? {
    guard let direction = plan.direction else {
      throw HarnessError("the plan has no direction; expected push or pull")
    }
    return try run(plan.setting, direction, plan: plan.events, isParent: false).found
  }

  /// - Parameter share: the maximum number of runs of this setting and direction.
  private mutating func explore(
    _ setting: ReplicatorSetting, _ direction: ReplicationTurn.Direction, events: Int, share: Int,
    observe: (ReplicatorReport) -> Void
  ) throws(HarnessError) -> ReplicatorDiscovery? {
    guard events > 0 else {
      defer { observe(report) }
      return try run(setting, direction, plan: [], isParent: false).found
    }
    let singles = try run(setting, direction, plan: [], isParent: true).next
    if events == 1 {
      let chosen = Self.spread(singles, share)
      report.notExplored += singles.count - chosen.count
      for single in chosen {
        if let found = try run(setting, direction, plan: [single], isParent: false).found {
          return found
        }
        observe(report)
      }
      return nil
    }
    let parents = Self.spread(singles, max(1, share / 4))
    // The other events are estimated by the average of earlier requests.
    report.notExplored += (singles.count - parents.count) * singles.count / 2
    for parent in parents {
      let next = try run(setting, direction, plan: [parent], isParent: true).next
      let chosen = Self.spread(next, max(1, share / parents.count))
      report.notExplored += next.count - chosen.count
      for single in chosen {
        if let found = try run(setting, direction, plan: [parent, single], isParent: false).found {
          return found
        }
        observe(report)
      }
    }
    return nil
  }

  /// At most `count` of the events, at regular distances.
  private static func spread(
    _ events: [ReplicatorPlan.Event], _ count: Int
  ) -> [ReplicatorPlan.Event] {
    guard count < events.count else { return events }
    return (0..<count).map { events[$0 * events.count / count] }
  }

  /// - Parameter isParent: whether to collect the possible next events instead of checking the run.
  private mutating func run(
    _ setting: ReplicatorSetting, _ direction: ReplicationTurn.Direction,
    plan: [ReplicatorPlan.Event], isParent: Bool
  ) throws(HarnessError) -> (found: ReplicatorDiscovery?, next: [ReplicatorPlan.Event]) {
    var setting = setting
    let capabilities = implementation.description.capabilities
    setting.readsPieces = capabilities.contains(.attachmentPieces)
    let needed: Capability = setting.inlineBytesMax == nil ? .attachment : .attachmentPieces
    setting.hasAttachment = setting.hasAttachment && capabilities.contains(needed)
    let environment = RunEnvironment(seed: setting.seed)
    let implementation = implementation
    let stores = try ForeignStores(
      setting, direction, own: implementation, environment: environment, memo: memo)
    var trial = ReplicatorTrial(
      setting, stores, eventsLeft: plan.count, visible: [direction == .push ? .target : .source]
    ) { setting, run in
      let start = ReplicationTurn.Start(
        direction, "/other", filter: setting.filters[run], batch: setting.batch)
      return ForeignReplicator(start) { turn throws(HarnessError) in
        try implementation.perform(
          StoreOperation(ModelStores.store, .replicate(turn)), environment)
      }
    }
    try trial.prepareForeign(direction)
    if !isParent {
      report.runs += 1
      report.placements += plan.count
    }
    var next: [ReplicatorPlan.Event] = []
    var counts = ReplicatorReport()
    let found = try trial.follow(plan, collecting: isParent ? .short : nil, &next, counts: &counts)
    report.requests = max(report.requests, counts.requests)
    if isParent {
      report.reduced += counts.reduced
      report.cut += counts.cut
    }
    report.ends += isParent ? 0 : 1
    guard let found else { return (nil, next) }
    var discovery = ReplicatorDiscovery(found, trial)
    discovery.plan = "\(direction.rawValue) " + discovery.plan
    return (discovery, next)
  }
}

/// A setting and events that `--replay` reads: `[push|pull] SETTING REQUEST:EVENT …`.
public struct ReplicatorPlan: Sendable {
  /// The direction of an implementation's own replicator; nil if requests to both sides are
  /// visible.
  public var direction: ReplicationTurn.Direction?
  /// The setting of the plan.
  public var setting: ReplicatorSetting
  var events: [Event]

  struct Event: Hashable, Sendable {
    /// The request of the first run, from 1; after the last request, their number plus 1.
    var request: Int
    var token: String
  }

  /// Reads a plan; nil for an invalid text.
  public init?(_ text: String) {
    var words = text.split(separator: " ")[...]
    direction = words.first.flatMap { ReplicationTurn.Direction(rawValue: String($0)) }
    if direction != nil { words.removeFirst() }
    guard let name = words.popFirst(),
      let setting = ReplicatorSetting.all.first(where: { $0.name == String(name) })
    else { return nil }
    self.setting = setting
    events = []
    for word in words {
      let parts = word.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let request = Int(parts[0]), request > 0 else { return nil }
      events.append(Event(request: request, token: String(parts[1])))
    }
  }
}

/// A store of an implementation and one of the model on the other side.
struct ForeignStores: ReplicatorStores {
  private let own: any ImplementationUnderTest
  private let ownSide: ReplicationSide
  private let environment: RunEnvironment
  private var other: ModelStores

  init(
    _ setting: ReplicatorSetting, _ direction: ReplicationTurn.Direction,
    own: any ImplementationUnderTest, environment: RunEnvironment, memo: StoreMemo
  ) throws(HarnessError) {
    self.own = own
    self.environment = environment
    ownSide = direction == .push ? .source : .target
    other = ModelStores(setting, memo)
    try own.reset()
    for action in ownSide == .source ? setting.sourceWrites : setting.targetWrites {
      let outcome = try perform(action, at: ownSide)
      guard case .ok = outcome else {
        throw HarnessError(
          "cannot prepare the store: \(action.name) returned \(outcome.json.serialized())")
      }
    }
  }

  var versions: [Int]? { nil }

  var canRestore: Bool { false }

  mutating func restore(_ side: ReplicationSide) {}

  mutating func perform(
    _ action: StoreAction, at side: ReplicationSide
  ) throws(HarnessError) -> Outcome {
    guard side == ownSide else { return other.perform(action, at: side) }
    return try own.perform(StoreOperation(ModelStores.store, action), environment)
  }
}
