import Datastore
import Defects
import JSON
import Scenarios
import Simulation
import Testing

/// Mutants with attachments are killed, and their failures minimized.
struct AttachmentDefectTests {
  private static func campaign(_ name: String) throws -> Campaign {
    let mutant = try #require(ReplicationDefect.all.first { $0.name == name })
    let store = ModelReplica()
    let generator = ScenarioGenerator(
      capabilities: store.implementation.description.capabilities, crashes: store.crashes)
    return Campaign(generator, mutant.applied(to: .model))
  }

  @Test(
    arguments: [
      ("attachments-not-sent", 2, "contents"), ("content-after-its-record", 4, "checkpoint"),
      ("damaged-content-accepted", 7, "contents"), ("piece-put-at-the-end", 7, "liveness"),
      ("stub-not-replaced", 1, "checkpoint"), ("transfer-resumed-too-far", 7, "checkpoint"),
    ] as [(String, UInt64, JSONString)])
  func isFound(name: String, seed: UInt64, oracle: JSONString) throws {
    let run = try Self.campaign(name).run(seed: seed)
    #expect(run.findings.first?.oracle == oracle)
  }

  /// One attachment is enough for a mutant that drops them.
  @Test func isMadeSmall() throws {
    let campaign = try Self.campaign("attachments-not-sent")
    let scenario = campaign.generator.scenario(seed: 2)
    let finding = try #require(try campaign.run(seed: 2).findings.first)
    var shrinker = ScenarioShrinker(finding, campaign.participants)
    let small = try #require(try shrinker.shrunk(scenario))
    let attachments = small.scenario.steps.flatMap { step -> [RevisionAttachment] in
      guard case .perform(_, let operation) = step.directive,
        case .attaching(let attachments, _) = operation.action
      else { return [] }
      return attachments
    }
    #expect(attachments.count == 1)
    #expect(small.scenario.steps.count <= 3)
  }
}
