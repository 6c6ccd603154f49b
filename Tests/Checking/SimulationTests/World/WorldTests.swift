import Datastore
import JSON
import Scenarios
import TestSeeds
import Testing

@testable import Simulation

@Suite struct WorldTests {
  private static let generator = ScenarioGenerator(
    capabilities: Set(Capability.allCases), crashes: Set(CrashKind.allCases))

  private func run(_ scenario: Scenario, records: Bool = false) throws -> SimulationRun {
    var world = try World(scenario, .model, records: records)
    return try world.run()
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func aRunIsAFunctionOfItsScenario(seed: UInt64) throws {
    let scenario = Self.generator.scenario(seed: seed)
    let first = try run(scenario)
    #expect(first.findings.map { $0.sentence } == [])
    #expect(try run(scenario).digest == first.digest)
    #expect(try run(Self.generator.scenario(seed: seed + 10)).digest != first.digest)
    // Recording a trace does not change the run.
    #expect(try run(scenario, records: true).digest == first.digest)
  }

  @Test(arguments: [2, 16])
  func fewAndManyReplicas(count: Int) throws {
    var generator = Self.generator
    generator.replicaCount = count
    generator.operationsPerReplica = 10
    for seed in RotatingSeeds.next(3) {
      let findings = try run(generator.scenario(seed: seed)).findings
      #expect(findings.map { $0.sentence } == [], "seed \(seed)")
    }
  }

  /// Removing a step does not change the outcome of messages that other sessions still send.
  @Test func aStepLessChangesNoOtherChoice() throws {
    var generator = Self.generator
    generator.operationsPerReplica = 4
    generator.faults = [.network, .peer]
    let whole = try #require(
      (1...50 as ClosedRange<UInt64>).lazy.map { generator.scenario(seed: $0) }
        .first { $0.conditions.lost > 100 })
    let choices = Choices(whole)
    let fates = try run(whole, records: true).fates
    #expect(fates.count > 10)
    func draw(_ key: JSONString, _ choices: Choices) -> UInt64 {
      var random = choices.random(ChoiceKey(key))
      return random.next()
    }
    for place in whole.steps.indices {
      var less = whole
      less.steps.remove(at: place)
      let ran = try run(less, records: true)
      #expect(ran.findings.map { $0.sentence } == [])
      let before = Dictionary(fates.map { ($0.key, $0.fate) }) { first, _ in first }
      for override in ran.fates {
        if let fate = before[override.key] { #expect(fate == override.fate) }
        #expect(draw(override.key, choices) == draw(override.key, Choices(less)))
      }
    }
  }

  /// Network conditions replaced by equivalent overrides yield the same run.
  @Test func overridesStandForChance() throws {
    var generator = Self.generator
    generator.operationsPerReplica = 10
    let scenario = generator.scenario(seed: 4)
    let seen = try run(scenario, records: true)
    var spelled = scenario
    spelled.overrides = seen.fates
    #expect(try run(spelled).digest == seen.digest)
    #expect(!seen.fates.isEmpty)
  }

  /// An override repeats a single loss without the conditions that caused it.
  @Test func anOverrideDecides() throws {
    var scenario = Scenario(
      seed: 1, replicas: ["a", "b"],
      steps: [
        ScenarioStep(
          "s1", when: 0, .perform(at: "a", ClientOperation(.create(id: "d", body: [:])))),
        ScenarioStep("r1", when: 10, .replicate(Replicate(source: "a", target: "b", by: "b"))),
        // Time for a retry.
        ScenarioStep("s2", when: 600_000, .heal),
      ])
    var stormy = scenario
    stormy.conditions.lost = 400
    let fates = try run(stormy, records: true).fates
    let lost = try #require(
      fates.first { $0.fate == .lost && $0.key.string.hasSuffix("/1/request") })
    #expect(try run(scenario).probes[.requestLost] == 0)
    scenario.overrides = [lost]
    let less = try run(scenario, records: true)
    #expect(less.probes[.requestLost] == 1)
    #expect(less.probes[.retried] >= 1, "\(lost.key)")
    #expect(less.fates == [lost] && less.findings.isEmpty)
    // The reverse: an override delivers a message that the conditions would lose.
    stormy.overrides = [Scenario.Override(key: lost.key, fate: .delivered)]
    #expect(try run(stormy, records: true).fates.contains { $0.key == lost.key } == false)
  }

  /// Final states of writes are determined after convergence, which a safety-only run skips.
  @Test func onlySafety() throws {
    let scenario = Self.generator.scenario(seed: 5)
    var world = try World(scenario, .model)
    let run = try world.run(isSafetyOnly: true)
    let whole = try self.run(scenario, records: true)
    #expect(run.ledger.isEmpty && !whole.ledger.isEmpty)
    #expect(run.events < whole.events)
  }
}
