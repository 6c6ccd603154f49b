public import Datastore
internal import JSON
public import Oracles
public import ReferenceDatastore
internal import Replication
public import Scenarios

/// One run of a scenario: several replicas, a network, one clock, one thread.
///
/// Everything that happens is an event of one queue. A run is a function of the scenario and of the
/// implementation: it uses only its own clock and generator. Read `+Steps` for directives,
/// `+Sessions` for replicators, `+Network` for messages, `+Stores` for operations, `+Applications`
/// for applications above the stores, `+Closing` for the end of a run, `+Continuation` for other
/// ends of the same beginning. A world keeps the clock, the queue and the state. It sends events
/// (`WorldEvent`) to observers, which keep the trace, count probes and check the run.
public struct World {
  let scenario: Scenario
  let participants: Participants
  package var choices: Choices
  var conditions: Conditions
  package var now: UInt64 = 0
  var queue = EventQueue<Happening>()
  package var replicas: [Replica]
  let places: [ReplicaName: Int]
  var links: Links
  var sessions: [Session] = []
  /// The number of sessions begun by each step.
  var beginnings: [StepID: Int] = [:]
  /// The observers of each topic, in the order in which they receive an event.
  let observers: [[any EventObserver]]
  private let probeCounters: [any EventObserver]
  private let oracles: OracleObserver
  /// Compares the stores with the model; nil if all of them are the model.
  private let modelChecker: ModelChecker?
  /// Keeps the trace; nil in a run without a trace.
  private let recorder: TraceRecorder?
  var digest = RunDigest()
  /// The number of delivered messages and outcomes of operations, all of them checked.
  var eventCount = 0
  /// The number of all events of the queue, timers included.
  var happenings = 0
  package var findings: [Trace.Finding] = []
  /// The replica whose implementation performed the last operation.
  var asked: Int?
  /// The replica whose implementation performed the last operation before the first finding.
  var failedReplica: Int?
  /// The operation that it performs; nil between operations.
  var askedOperation: StoreOperation?
  var lastMessage: Int64 = 0
  var phase: Phase = .faults
  var settling = Settling()
  /// Whether a declared deviation ended the run.
  private var endedAsDeclared = false
  /// Whether a validation rejected a record of a session.
  var hasRefusedRecord = false
  /// The digest after each event; nil if it was not requested.
  var chain: [ChainLink]?
  /// The progress after each event of the queue; empty without a trace.
  private var progress: [SimulationRun.Progress] = []
  /// The other end of the run; nil for its own end.
  var departure: Departure?
  /// The number of events after which the other end begins; `.max` without one, and after it has begun.
  ///
  /// Stored, because it is read before each event, and reading `departure` there would copy the whole
  /// world.
  var departsAfter = Int.max
  /// Whether the first finding ends the run.
  var endsWithFinding = true
  /// Whether a finding has ended the run.
  package internal(set) var isOver = false

  enum Phase {
    /// Faults happen, and only safety is checked.
    case faults
    /// All faults are over.
    case calm
  }

  /// An event of the queue.
  enum Happening {
    case step(Int)
    case request(RequestMessage)
    /// A response with its departure; nil for one of the program's own store.
    case response(session: Int, RequestNumber, PeerResponse, message: Int64, left: UInt64?)
    case timeout(session: Int, RequestNumber)
    case refused(session: Int, RequestNumber)
    case timer(session: Int, ReplicatorTimer)

    var isStep: Bool { if case .step = self { true } else { false } }
  }

  /// A request in flight to a replica.
  package struct RequestMessage {
    var session: Int
    var number: RequestNumber
    var side: ReplicationSide
    var content: PeerRequest
    var attempt: Int
    var message: Int64
    /// The `life` of the replica to which it was sent; a restored store does not receive earlier
    /// messages.
    var life: Int
    /// Whether this is the second arrival.
    var isRepetition = false
  }

  /// - Parameters:
  ///   - records: whether to keep a trace and the delivery of every message with a fault.
  ///   - chains: whether to keep the digest after each event.
  public init(
    _ scenario: Scenario, _ participants: Participants, records: Bool = false,
    chains: Bool = false
  ) throws(HarnessError) {
    try self.init(scenario, participants, records: records, chains: chains, coverage: nil)
  }

  /// - Parameter coverage: collects the visited states; nil in most runs.
  init(
    _ scenario: Scenario, _ participants: Participants, records: Bool, chains: Bool = false,
    coverage: StateCoverage?
  ) throws(HarnessError) {
    self.scenario = scenario
    self.participants = participants
    choices = Choices(scenario)
    conditions = scenario.conditions
    var replicas: [Replica] = []
    var places: [ReplicaName: Int] = [:]
    for (place, name) in scenario.replicas.enumerated() {
      places[name] = place
      let store = try participants.makeStore(try participants.implementation(of: place, scenario))
      try store.implementation.description.requireDefaults()
      replicas.append(Replica(name, store, seed: scenario.seed, place: place))
    }
    replicas.nameImplementations()
    self.replicas = replicas
    self.places = places
    links = Links(count: replicas.count)
    modelChecker = ModelChecker(replicas)
    oracles = OracleObserver(Oracles(replicas.map(\.forOracles)), modelChecker)
    recorder = records ? TraceRecorder(scenario, places) : nil
    recorder?.name(replicas)
    probeCounters =
      [ProbeCounter()]
      + (participants.applications.map { [$0.makeObserver(replicas: replicas.count)] } ?? [])
    let some: [(any EventObserver)?] = [
      recorder, modelChecker, oracles, coverage, LivenessChecker(),
    ]
    let all = some.compactMap { $0 } + probeCounters
    observers = EventTopic.allCases.map { topic in all.filter { $0.topics.contains(topic) } }
    chain = chains ? [] : nil
    for (place, step) in scenario.steps.enumerated() {
      queue.insert(.step(place), at: UInt64(max(0, step.when)) * 1_000_000)
    }
  }

  /// Runs the scenario to its end or to the first violation.
  ///
  /// - Parameter isSafetyOnly: whether the run ends with its faults, without a check of
  ///   convergence.
  public mutating func run(isSafetyOnly: Bool = false) throws(HarnessError) -> SimulationRun {
    do throws(HarnessError) {
      try start()
      try drain()
      if findings.isEmpty, !isSafetyOnly { try settleForGood() }
    } catch {
      try note(error)
    }
    var probes = ProbeCounts()
    for counter in probeCounters { probes += counter.probes }
    probes += oracles.probes
    for replica in replicas {
      do throws(HarnessError) {
        try replica.store.implementation.shutdown()
      } catch {
        asked = places[replica.name]
        askedOperation = nil
        try note(error)
      }
      probes += replica.store.probes
      digest.fold(replica.store.digest)
    }
    let flaws = oracles.contentFlaws
    let sharing = replicas.flatMap(\.store.deviations).filter {
      $0.contentFlaw.map { flaws.contains($0) } ?? false
    }
    let stale = replicas.flatMap {
      ($0.store.implementation as? StaleAnswerLayer)?.occurred ?? []
    }
    modelChecker?.occur(Set(sharing.map(\.id) + stale))
    recorder?.finish(findings, ledger)
    return SimulationRun(
      findings: findings, events: eventCount, nanoseconds: now, digest: digest.value,
      probes: probes, ledger: ledger, trace: recorder?.trace, fates: recorder?.fates ?? [],
      chain: chain ?? [], progress: progress, failedReplica: failedReplica,
      deviations: Deviation.named(modelChecker?.occurred ?? []))
  }

  /// Opens the stores of all replicas.
  mutating func start() throws(HarnessError) {
    for replica in replicas {
      try replica.store.beginRun(JSONString("seed \(scenario.seed), replica \(replica.name)"))
    }
    for place in replicas.indices { try open(place) }
  }

  /// The final states of the acknowledged writes.
  var ledger: [LedgerEntry] = []

  /// The duration after the last step, in nanoseconds: continuous sessions never end by themselves.
  private static let graceNanoseconds: UInt64 = 5_000_000_000

  /// Processes the events of the queue until some time after the last step or a violation.
  mutating func drain() throws(HarnessError) {
    let lastStep = UInt64(max(0, scenario.steps.last?.when ?? 0)) * 1_000_000
    let horizon = max(lastStep + Self.graceNanoseconds, departure?.horizon ?? 0)
    while !isOver, happenings < departsAfter, let next = queue.nextTime, next <= horizon,
      let (time, event) = queue.next()
    {
      now = max(now, time)
      try happen(event)
    }
    try depart()
  }

  /// The maximum number of events of a run, many times that of any valid one.
  private var happeningsMax: Int { 200_000 + 2_000 * scenario.steps.count }

  mutating func happen(_ event: Happening) throws(HarnessError) {
    happenings += 1
    // The right side of `??` would capture a copy of the world.
    let limit = if let departure { departure.happeningsMax } else { happeningsMax }
    guard happenings <= limit else {
      guard departure == nil else { throw .endlessContinuation }
      return emit(.exceeded(events: happenings))
    }
    // A step may contain further events.
    let place = progress.count
    if let recorder {
      let entries = recorder.trace.entries.count
      let steps = (progress.last?.steps ?? 0) + (event.isStep ? 1 : 0)
      progress.append(SimulationRun.Progress(entries: entries..<entries, steps: steps))
    }
    defer {
      if let recorder {
        let start = progress[place].entries.lowerBound
        progress[place].entries = start..<recorder.trace.entries.count
      }
    }
    switch event {
    case .step(let place):
      let step = scenario.steps[place]
      if departure?.performs(step.directive) != false { try perform(step) }
    case .request(let message): try arrive(message)
    case .response(let session, let number, let response, let message, let left):
      try arrive(response, to: session, number, message: message, left: left)
    case .timeout(let session, let number):
      try notify(session, .lost(number, reason: "no response in time"))
    case .refused(let session, let number):
      try notify(session, .lost(number, reason: "no connection"))
    case .timer(let session, let timer): try notify(session, .timer(timer))
    }
    chain?.append(ChainLink(nanoseconds: now, digest: digest.value))
  }

  /// Records a crash, hang or protocol error of an implementation as a finding, unless a declared
  /// deviation leaves the operation without a valid response; other errors of the harness end the
  /// run.
  private mutating func note(_ error: HarnessError) throws(HarnessError) {
    guard error.breakdown != nil else { throw error }
    guard findings.isEmpty, !endedAsDeclared else { return }
    if let asked, let askedOperation,
      modelChecker?.admitsUnanswered(askedOperation, at: asked) == true
    {
      return
    }
    let log =
      asked.map { replicas[$0].store.implementation.takeLog() }?.split(whereSeparator: \.isNewline)
      .suffix(3).joined(separator: " | ") ?? ""
    emit(.failed(replica: asked, error, log: log))
  }

  /// Ends the run because of declared deviations, after which nothing can be checked.
  mutating func endAsDeclared(_ deviations: Set<String>) throws(HarnessError) {
    endedAsDeclared = true
    modelChecker?.occur(deviations)
    throw HarnessError(
      "ended as declared", breakdown: HarnessError.Breakdown(shape: "stalled session"))
  }

  /// Checks the final contents of the stores.
  mutating func conclude(_ stores: [FinalStore], _ graphs: [FinalGraph]) {
    departure?.firstOfEnd = findings.count
    emit(.settled(stores, graphs))
    if recorder != nil { ledger = oracles.ledger(stores) }
  }
}

/// The results of a run.
public struct SimulationRun: Sendable {
  /// The violations; empty if the run passed.
  public var findings: [Trace.Finding]
  /// The number of simulated events.
  public var events: Int
  /// Simulated time.
  public var nanoseconds: UInt64
  /// A hash of all events, equal for two runs of one scenario.
  public var digest: UInt64
  /// The counts of the probes.
  public var probes: ProbeCounts
  /// The final state of each acknowledged write.
  public var ledger: [LedgerEntry]
  /// The trace; nil if none was recorded.
  public var trace: Trace?
  /// Messages with faults or delays; empty if nothing was recorded.
  public var fates: [Scenario.Override]
  /// The inputs of the digest; empty if they were not requested.
  public var chain: [ChainLink]
  /// The progress after each event of the queue; empty if no trace was recorded.
  package var progress: [Progress]
  /// The number of the replica whose store performed the last operation before the first finding;
  /// nil without a finding.
  public var failedReplica: Int?
  /// The declared deviations that occurred, in the order of the catalogue.
  public var deviations: [Deviation]

  /// An event of the queue in the trace.
  package struct Progress: Hashable, Sendable {
    /// The entries of the trace that it caused.
    var entries: Range<Int>
    /// The number of steps of the scenario up to it.
    var steps: Int
  }
}

/// The time of an event, and a hash of all events up to it. Two runs are equal up to their first
/// unequal link.
public struct ChainLink: Hashable, Sendable {
  /// The simulated time.
  public var nanoseconds: UInt64
  /// The digest after the event.
  public var digest: UInt64

  /// Creates a link.
  public init(nanoseconds: UInt64, digest: UInt64) {
    self.nanoseconds = nanoseconds
    self.digest = digest
  }
}
