import Datastore
import Defects
import JSON
import ReferenceDatastore
import Scenarios
import Simulation
import Testing

/// Mutants whose revision ids do not cover all of an edit, and mutants of losing leaves, are killed
/// by campaigns.
struct ContentDefectTests {
  private static func campaign(_ name: String) throws -> Campaign {
    let mutant = try #require(ReplicationDefect.all.first { $0.name == name })
    let store = ModelReplica()
    var generator = ScenarioGenerator(
      capabilities: store.implementation.description.capabilities, crashes: store.crashes)
    generator.profiles = store.implementation.description.profiles
    return Campaign(generator, mutant.applied(to: .model))
  }

  @Test(
    arguments: [
      ("ids-of-low-bytes", 21, "body"), ("ids-of-composed-texts", 72, "body"),
      ("ids-without-case", 21, "body"), ("ids-with-truth-as-number", 119, "body"),
      ("ids-of-doubles", 101, "body"), ("ids-of-floats", 70, "body"),
      ("ids-without-nulls", 132, "body"), ("ids-without-types", 67, "attachments"),
      ("ids-without-encodings", 108, "attachments"),
      ("ids-of-lower-case-types", 108, "attachments"),
      ("ids-without-parameters", 72, "attachments"), ("ids-of-composed-names", 67, "attachments"),
      ("ids-of-lengths", 21, "attachments"), ("ids-of-short-digests", 21, "attachments"),
      ("ids-of-compressed-contents", 71, "attachments"),
      ("losing-leaves-read-as-winner", 1, "body"),
      ("losing-leaves-without-attachments", 2, "attachments"),
      ("resolve-stops-halfway", 22, "stranger"), ("resolve-commits-itself", 37, "stranger"),
    ] as [(String, UInt64, JSONString)])
  func isFound(name: String, seed: UInt64, shape: JSONString) throws {
    let finding = try Self.campaign(name).run(seed: seed).findings.first
    #expect(finding?.shape == shape)
  }

  /// Two creations are enough for an id that does not cover the case of letters.
  @Test func isShrunk() throws {
    let campaign = try Self.campaign("ids-without-case")
    let finding = try #require(try campaign.run(seed: 21).findings.first)
    var shrinker = ScenarioShrinker(finding, campaign.participants)
    let small = try #require(try shrinker.shrunk(campaign.generator.scenario(seed: 21)))
    #expect(small.scenario.steps.count <= 4)
  }

  /// No run of the model without a mutant has an edit with two ids, except for doubles above 2^53,
  /// which need the profile `exact-numbers`.
  @Test func theModelMergesEqualEdits() throws {
    let store = ModelReplica()
    let generator = ScenarioGenerator(
      capabilities: store.implementation.description.capabilities, crashes: store.crashes)
    let campaign = Campaign(generator, .model)
    for seed: UInt64 in [21, 22, 37, 67, 72, 119] {
      let run = try campaign.run(seed: seed)
      #expect(run.findings.isEmpty)
      #expect(run.probes[.lostConvergence] == 0)
    }
  }
}
