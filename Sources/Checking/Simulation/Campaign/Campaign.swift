public import Datastore
public import JSON
internal import ReferenceDatastore
public import Scenarios

/// Many runs, one per seed, with a common report.
public struct Campaign {
  /// The generator of the scenarios.
  public var generator: ScenarioGenerator
  /// The stores, the replicators and the applications of the runs.
  public var participants: World.Participants
  /// Whether only safety is checked, without convergence after the faults.
  public var isSafetyOnly = false
  /// The states that the runs of `report(ofSeed:)` have visited; nil if they are not collected, which
  /// is the default because it takes time.
  public var coverage: CoverageGrowth?

  /// Creates a campaign.
  public init(_ generator: ScenarioGenerator, _ participants: World.Participants) {
    self.generator = generator
    self.participants = participants
    // Scenarios with applications need the participant that performs their operations.
    if participants.applications == nil { self.participants.applications = generator.applications }
  }

  /// Runs one seed.
  public func run(seed: UInt64, records: Bool = false) throws(HarnessError) -> SimulationRun {
    var world = try World(generator.scenario(seed: seed), participants, records: records)
    return try world.run(isSafetyOnly: isSafetyOnly)
  }

  /// Runs one seed and adds the states that it visits to the coverage.
  mutating func runCollecting(seed: UInt64) throws(HarnessError) -> SimulationRun {
    guard coverage != nil else { return try run(seed: seed) }
    let scenario = generator.scenario(seed: seed)
    let observer = StateCoverage(replicas: scenario.replicas.count)
    var world = try World(scenario, participants, records: false, coverage: observer)
    let run = try world.run(isSafetyOnly: isSafetyOnly)
    coverage?.add(observer.states)
    return run
  }
}

/// The results of a campaign or of a part of one. Parts can be joined in any order.
public struct CampaignReport: Hashable, Sendable {
  /// The number of runs.
  public var runs = 0
  /// The number of simulated events.
  public var events = 0
  /// Simulated time, in milliseconds.
  public var milliseconds: UInt64 = 0
  /// A hash of all runs, independent of their order: equal campaigns have equal digests.
  public var digest: UInt64 = 0
  /// The counts of the probes.
  public var probes = ProbeCounts()
  /// Other figures by name; empty for a simulation, whose figures are its probes.
  public var counts: [JSONString: Int] = [:]
  /// The number of cases that show each deviation, by its id.
  public var deviationCounts: [JSONString: Int] = [:]
  /// The failures, by seed.
  public var failures: [Failure] = []

  /// A run with a violation.
  public struct Failure: Hashable, Sendable {
    /// The seed of the run.
    public var seed: UInt64
    /// The first violation of the run.
    public var finding: Trace.Finding

    /// Creates a failure.
    public init(seed: UInt64, finding: Trace.Finding) {
      self.seed = seed
      self.finding = finding
    }
  }

  /// Creates a report without runs.
  public init() {}

  /// The report of one case.
  ///
  /// - Parameter digest: a hash of all events of the case.
  public init(
    seed: UInt64, events: Int = 0, milliseconds: UInt64 = 0, digest: UInt64 = 0,
    counts: [JSONString: Int], _ finding: Trace.Finding? = nil
  ) {
    runs = 1
    self.events = events
    self.milliseconds = milliseconds
    var random = KeyedRandom(seed: seed, key: digest)
    self.digest = random.next()
    self.counts = counts
    if let finding { failures = [Failure(seed: seed, finding: finding)] }
  }

  /// Adds a run.
  public mutating func add(_ run: SimulationRun, seed: UInt64) {
    runs += 1
    events += run.events
    milliseconds += run.nanoseconds / 1_000_000
    var random = KeyedRandom(seed: seed, key: run.digest)
    digest &+= random.next()
    probes += run.probes
    for deviation in run.deviations { deviationCounts[JSONString(deviation.id), default: 0] += 1 }
    if let finding = run.findings.first {
      failures.append(Failure(seed: seed, finding: finding))
    }
  }

  /// A count of a report exceeds 64 bits, so the report is invalid.
  public struct Overflow: Error, Hashable, CustomStringConvertible {
    public var description: String { "the sum of the counts exceeds 64 bits" }
  }

  /// Adds another part of the same campaign.
  public mutating func join(_ other: CampaignReport) throws(Overflow) {
    func sum<Number: FixedWidthInteger>(_ left: Number, _ right: Number) throws(Overflow) -> Number
    {
      let (sum, overflows) = left.addingReportingOverflow(right)
      guard !overflows else { throw Overflow() }
      return sum
    }
    runs = try sum(runs, other.runs)
    events = try sum(events, other.events)
    milliseconds = try sum(milliseconds, other.milliseconds)
    digest &+= other.digest
    for probe in Probe.allCases {
      probes[probe] = try sum(probes[probe], other.probes[probe])
    }
    for (name, count) in other.counts { counts[name] = try sum(counts[name] ?? 0, count) }
    for (id, count) in other.deviationCounts {
      deviationCounts[id] = try sum(deviationCounts[id] ?? 0, count)
    }
    guard !other.failures.isEmpty else { return }
    failures = (failures + other.failures).sorted { $0.seed < $1.seed }
  }
}
