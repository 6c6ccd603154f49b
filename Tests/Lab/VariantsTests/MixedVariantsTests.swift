import Datastore
import ReferenceDatastore
import Scenarios
import Simulation
import TestSeeds
import Testing
import Variants

/// Correct stores that differ where no rule decides, as replicas of one run.
@Suite struct MixedVariantsTests {
  /// A replica of the variant, one of the model, and one of the next variant converge.
  @Test(arguments: LegitimateVariant.all.indices) func variantsConverge(place: Int) throws {
    let all = LegitimateVariant.all
    let (one, other) = (all[place], all[(place + 1) % all.count])
    let participants = World.Participants(inTurn: [
      { PlainStore(one.make()) }, { ModelReplica() }, { PlainStore(other.make()) },
    ])
    var generator = try ScenarioGenerator(for: participants)
    generator.operationsPerReplica = 15
    let campaign = Campaign(generator, participants)
    for seed in [1, 2, RotatingSeeds.first] {
      #expect(
        try campaign.run(seed: seed).findings.map(\.sentence) == [],
        "\(one.name), the model and \(other.name), seed \(seed)")
    }
  }
}
