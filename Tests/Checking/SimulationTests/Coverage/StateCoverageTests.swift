import Datastore
import JSON
import Scenarios
import Testing

@testable import Simulation

struct StateCoverageTests {
  private static func campaign() -> Campaign {
    var generator = ScenarioGenerator(
      capabilities: Set(Capability.allCases), crashes: Set(CrashKind.allCases))
    generator.operationsPerReplica = 15
    var campaign = Campaign(generator, .model)
    campaign.coverage = CoverageGrowth()
    return campaign
  }

  private static func create(_ id: DocumentID, at replica: ReplicaName) -> Directive {
    .perform(at: replica, ClientOperation(.create(id: id, body: ["id": .string(id.text)])))
  }

  /// The states of a scenario without faults, whose steps follow each other at a distance of 1 s.
  private static func states(
    _ directives: [Directive], replicas: [ReplicaName] = ["a", "b", "c"]
  ) throws -> Set<Fingerprint> {
    let steps = directives.enumerated().map { place, directive in
      ScenarioStep(StepID(JSONString("s\(place)")), when: Int64(place) * 1000, directive)
    }
    let scenario = Scenario(seed: 1, replicas: replicas, steps: steps)
    let coverage = StateCoverage(replicas: replicas.count)
    var world = try World(scenario, .model, records: false, coverage: coverage)
    #expect(try world.run().findings.isEmpty)
    return coverage.states
  }

  /// Collecting states changes no run, and the same seeds visit the same states.
  @Test func isDeterministicAndChangesNothing() throws {
    var (first, second) = (Self.campaign(), Self.campaign())
    for seed in 1...4 as ClosedRange<UInt64> {
      let report = try first.report(ofSeed: seed)
      #expect(try second.report(ofSeed: seed) == report)
      second.coverage = nil
      #expect(try second.report(ofSeed: seed) == report)
      second.coverage = first.coverage
    }
    var third = Self.campaign()
    for seed in 1...4 as ClosedRange<UInt64> { _ = try third.report(ofSeed: seed) }
    let steps = try #require(third.coverage?.steps)
    #expect(steps == first.coverage?.steps)
    #expect(steps.map(\.runs) == [1, 2, 4])
    #expect(steps.allSatisfy { $0.found > 0 })
  }

  /// Ids, contents and the names of replicas make no other state.
  @Test func namesDoNotCount() throws {
    let one = try Self.states([Self.create("x", at: "a")])
    #expect(!one.isEmpty)
    #expect(try Self.states([Self.create("y", at: "a")]) == one)
    // The rounds at the end differ, because they follow the chain of the replicas.
    #expect(try !Self.states([Self.create("x", at: "b")]).isDisjoint(with: one))
    #expect(try Self.states([Self.create("x", at: "a"), Self.create("y", at: "a")]) == one)
  }

  /// A conflict, a deletion and another number of replicas are other states.
  @Test func formsCount() throws {
    let one = try Self.states([Self.create("x", at: "a")])
    let edit = Directive.perform(
      at: "b",
      ClientOperation(.create(id: "x", body: ["other": true])))
    let conflict = try Self.states([Self.create("x", at: "a"), edit])
    #expect(conflict.subtracting(one).count >= 2)
    let same = try Self.states([Self.create("x", at: "a"), Self.create("x", at: "b")])
    #expect(!same.subtracting(one).isEmpty && conflict.subtracting(same).count >= 2)
    let pair = try Self.states([Self.create("x", at: "a")], replicas: ["a", "b"])
    #expect(pair.isDisjoint(with: one))
  }
}
