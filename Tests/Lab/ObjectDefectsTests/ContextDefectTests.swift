import Datastore
import Defects
import ObjectDefects
import ObjectSimulation
import Scenarios
import Simulation
import Testing

/// Mutants of contexts that campaigns with applications kill, each by its oracle.
@Suite struct ContextDefectTests {
  private static let generator: ScenarioGenerator = {
    var generator = ScenarioGenerator(
      capabilities: [.find, .atomicBatch], crashes: Set(CrashKind.allCases))
    generator.applications = ContextApplications()
    generator.operationsPerReplica = 60
    return generator
  }()

  static let finders: [(name: String, oracle: String, shape: String)] = [
    ("conflicts-kept-to-itself", "graph", "in conflict"),
    ("object-found-twice", "identity", "fetchInContext"),
    ("policy-taken-for-another", "saves", "against policy"),
    ("objects-shown-as-edited-here", "graph", "diverging"),
    ("update-acknowledged-unsaved", "saves", "lost"),
  ]

  @Test(arguments: finders.map(\.name))
  func isFound(name: String) throws {
    let finder = try #require(Self.finders.first { $0.name == name })
    let mutant = try #require(ReplicationDefect.ofContexts.first { $0.name == name })
    let campaign = Campaign(
      Self.generator, mutant.applied(to: .model.withContexts()))
    var shapes: [String] = []
    for seed in UInt64(1)...60 {
      let found = try campaign.run(seed: seed).findings
      shapes += found.map { "\($0.oracle)/\($0.shape)" }
      if shapes.contains("\(finder.oracle)/\(finder.shape)") { return }
    }
    Issue.record("\(finder.oracle)/\(finder.shape) was not found, but \(shapes)")
  }

  /// A finding is minimized, and shows the same failure.
  @Test func aFindIsMadeSmall() throws {
    let mutant = try #require(
      ReplicationDefect.ofContexts.first { $0.name == "object-found-twice" })
    let participants = mutant.applied(to: .model.withContexts())
    let campaign = Campaign(Self.generator, participants)
    for seed in UInt64(1)...60 {
      guard let finding = try campaign.run(seed: seed).findings.first else { continue }
      var shrinker = ScenarioShrinker(finding, participants)
      let small = try #require(try shrinker.shrunk(Self.generator.scenario(seed: seed)))
      #expect(small.finding.shape == finding.shape)
      #expect(small.scenario.steps.count <= 8)
      return
    }
    Issue.record("nothing was found")
  }
}
