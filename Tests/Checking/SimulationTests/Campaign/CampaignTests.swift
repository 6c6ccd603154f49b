import Datastore
import JSON
import ReferenceDatastore
import Scenarios
import Simulation
import TestSeeds
import Testing

@Suite struct CampaignTests {
  private static let generator: ScenarioGenerator = {
    var generator = ScenarioGenerator(
      capabilities: Set(Capability.allCases), crashes: Set(CrashKind.allCases))
    generator.operationsPerReplica = 10
    return generator
  }()

  private func report(_ seeds: [UInt64]) throws -> CampaignReport {
    let campaign = Campaign(Self.generator, .model)
    var report = CampaignReport()
    for seed in seeds { report.add(try campaign.run(seed: seed), seed: seed) }
    return report
  }

  /// Joined parts equal the whole in any order, also after a JSON round trip.
  @Test func partsAreTheWhole() throws {
    let whole = try report([1, 2, 3, 4, 5])
    var joined = try report([4, 2])
    try joined.join(try CampaignReport(try report([5, 1, 3]).json))
    #expect(joined == whole)
    #expect(whole.runs == 5 && whole.failures.isEmpty && whole.events > 0)
    #expect(try report([1, 2, 3, 4, 6]).digest != whole.digest)
  }

  /// Declared deviations are counted beside the probes, and neither replaces the other.
  @Test func deviationsAreCounted() throws {
    let deviations = Deviation.named(["stubs-are-missing"])
    let participants = World.Participants(makeStore: { _ in
      PlainStore(DeviatingDatastore(deviations), deviations: deviations)
    })
    let campaign = Campaign(Self.generator, participants)
    var whole = CampaignReport()
    // The deviation must occur, which it does under these seeds.
    for seed in 1...6 as ClosedRange<UInt64> {
      whole.add(try campaign.run(seed: seed), seed: seed)
    }
    #expect(whole.failures.isEmpty && whole.deviations.map(\.deviation.id) == ["stubs-are-missing"])
    var joined = try CampaignReport(whole.json)
    #expect(joined == whole)
    try joined.join(whole)
    #expect(joined.deviations[0].count == 2 * whole.deviations[0].count)
    #expect(joined.probes != whole.probes)
    // Without the declaration, the same stores have findings.
    let undeclared = World.Participants(makeStore: { _ in
      PlainStore(DeviatingDatastore(deviations))
    })
    let found = try (1...6 as ClosedRange<UInt64>).contains {
      try !Campaign(Self.generator, undeclared).run(seed: $0).findings.isEmpty
    }
    #expect(found)
  }

  @Test func whatIsNoReport() throws {
    var json = try report([1]).json.objectValue ?? [:]
    json["runs"] = "many"
    #expect(throws: DecodingFailure.self) { try CampaignReport(.object(json)) }
  }

  /// Negative counts and overflows are errors, not traps.
  @Test func countsBeyondAllMeasure() throws {
    var large = try report([1])
    large.runs = .max
    var one = try CampaignReport(large.json)
    #expect(throws: CampaignReport.Overflow.self) { try one.join(large) }
    for name in ["runs", "events"] as [JSONString] {
      var json = try report([1]).json.objectValue ?? [:]
      json[name] = -1
      #expect(throws: DecodingFailure.self) { try CampaignReport(.object(json)) }
    }
  }

  /// A disabled class of faults does not occur in the scenario.
  @Test(arguments: ScenarioGenerator.FaultClass.allCases)
  func aClassOfFaultsIsLeftOut(faults: ScenarioGenerator.FaultClass) throws {
    var with = Self.generator
    with.faults = [faults]
    var without = Self.generator
    without.faults.remove(faults)
    // The class of faults must occur, which it does under these seeds.
    let seeds = 1...40 as ClosedRange<UInt64>
    #expect(seeds.contains { Self.shows(faults, with.scenario(seed: $0)) })
    #expect(!seeds.contains { Self.shows(faults, without.scenario(seed: $0)) })
  }

  private static func shows(
    _ faults: ScenarioGenerator.FaultClass, _ scenario: Scenario
  ) -> Bool {
    let weather = scenario.conditions
    return switch faults {
    case .network: weather.lost + weather.twice + weather.late > 0
    case .peer:
      weather.status + weather.truncated + weather.partial > 0 || weather.reencodesSequences
    default:
      scenario.steps.contains { step in
        switch (faults, step.directive) {
        case (.partition, .partition), (.partition, .block), (.crash, .crash),
          (.storage, .storage), (.clock, .clock), (.loss, .loseCheckpoint), (.loss, .copyStore),
          (.loss, .restoreStore):
          true
        default: false
        }
      }
    }
  }

  /// A link is blocked between two replicas, never from one to itself.
  @Test func blockedWaysHaveTwoEnds() {
    for seed in RotatingSeeds.next(300) {
      for step in Self.generator.scenario(seed: seed).steps {
        if case .block(let from, let to) = step.directive { #expect(from != to, "seed \(seed)") }
      }
    }
  }

  /// Scenarios survive a JSON round trip.
  @Test func scenariosAreFiles() throws {
    for seed in RotatingSeeds.next(20) {
      let scenario = Self.generator.scenario(seed: seed)
      #expect(try Scenario(try JSONValue.parse(scenario.json.pretty())) == scenario)
    }
  }

  /// Seeds of former false positives of oracles: checkpoint saves out of order, duplicate
  /// responses, stores replaced in between, documents rejected and accepted later.
  @Test(arguments: [523, 5573, 52672, 55140, 87723, 96665] as [UInt64])
  func seedsThatMisledOracles(seed: UInt64) throws {
    let store = ModelReplica()
    let generator = ScenarioGenerator(
      capabilities: store.implementation.description.capabilities, crashes: store.crashes)
    let run = try Campaign(generator, .model).run(seed: seed)
    #expect(run.findings.map { $0.sentence } == [])
  }
}
