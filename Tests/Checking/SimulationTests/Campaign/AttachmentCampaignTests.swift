import Datastore
import JSON
import Oracles
import Scenarios
import Testing

@testable import Simulation

/// Campaigns with attachments.
@Suite struct AttachmentCampaignTests {
  private static func generator(_ capabilities: Set<Capability>) -> ScenarioGenerator {
    var generator = ScenarioGenerator(
      capabilities: capabilities, crashes: Set(CrashKind.allCases))
    generator.operationsPerReplica = 30
    return generator
  }

  /// Seeds that together cover all required probes.
  @Test func everythingThatIsRareHappens() throws {
    var probes = ProbeCounts()
    for (seed, operations) in [(7, 30), (29, 30), (73, 30), (76, 30), (148, 30), (18, 100)] {
      var campaign = Campaign(Self.generator(Set(Capability.allCases)), .model)
      campaign.generator.operationsPerReplica = operations
      let run = try campaign.run(seed: UInt64(seed))
      #expect(run.findings.map { $0.sentence } == [], "seed \(seed)")
      probes += run.probes
    }
    let missing = Probe.allCases.filter { $0.needsAttachments && probes[$0] == 0 }
    #expect(missing == [])
  }

  /// Runs without attachments do not change when the capability is offered.
  @Test func otherRunsAreAsTheyWere() {
    let with = Self.generator(Set(Capability.allCases))
    let without = Self.generator(Set(Capability.allCases).subtracting([.attachment]))
    var equal = 0
    // Both kinds of runs must occur, which they do under these seeds.
    for seed in 1...40 as ClosedRange<UInt64> {
      let scenario = with.scenario(seed: seed)
      let plain = without.scenario(seed: seed)
      #expect(!plain.steps.contains { Self.attaches($0.directive) })
      guard scenario.steps.contains(where: { Self.attaches($0.directive) }) else {
        #expect(scenario == plain)
        equal += 1
        continue
      }
    }
    #expect((10...30).contains(equal))
  }

  private static func attaches(_ directive: Directive) -> Bool {
    guard case .perform(_, let operation) = directive else { return false }
    return operation.action.capabilities.contains(.attachment)
  }

  /// A client's update keeps the attachments of its leaf that it names, and no others.
  @Test func aClientKeepsWhatIsThere() throws {
    let bytes: JSONString = "c21hbGw="
    let update = StoreAction.update(
      id: "d", rev: "1-0", body: [:],
      attachments: [RevisionAttachment("a", .stub), RevisionAttachment("b", .stub)])
    let scenario = Scenario(
      seed: 1, replicas: ["a", "b"],
      steps: [
        ScenarioStep(
          "s1", when: 0,
          .perform(
            at: "a",
            ClientOperation(
              .create(id: "d", body: [:], attachments: [RevisionAttachment("a", .data(bytes))])))),
        ScenarioStep("s2", when: 10, .perform(at: "a", ClientOperation(update, leaf: 0))),
      ])
    #expect(try Scenario(try JSONValue.parse(scenario.json.pretty())) == scenario)
    var world = try World(scenario, .model, records: true)
    let run = try world.run()
    #expect(run.findings.isEmpty)
    #expect(run.ledger.map { $0.fate } == [.superseded, .winning])
  }

  /// Bytes that were damaged in transit are never stored as an attachment.
  @Test func damagedContentIsNeverSeen() throws {
    let bytes: JSONString = "c21hbGw="
    var scenario = Scenario(
      seed: 1, replicas: ["a", "b"],
      steps: [
        ScenarioStep(
          "s1", when: 0,
          .perform(
            at: "a",
            ClientOperation(
              .create(id: "d", body: [:], attachments: [RevisionAttachment("a", .data(bytes))])))),
        ScenarioStep("r1", when: 10, .replicate(Replicate(source: "a", target: "b", by: "a"))),
        ScenarioStep("s2", when: 900_000, .heal),
      ])
    scenario.overrides = (1...7).map {
      Scenario.Override(
        key: JSONString("r1/1/target/insertRevisions/d/\($0)/request"), fate: .damaged)
    }
    var world = try World(Scenario(scenario.json), .model, records: true)
    let run = try world.run()
    #expect(run.findings.isEmpty)
    // Damaged once with the content of the first response, and once with refetched content.
    #expect(run.probes[.damaged] == 2)
    #expect(run.probes[.contentDamaged] == 2)
    #expect(run.probes[.failedSession] == 1)
  }
}
