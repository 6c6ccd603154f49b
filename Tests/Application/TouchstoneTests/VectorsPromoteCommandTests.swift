import Conformance
import Datastore
import Foundation
import JSON
import Scenarios
import Testing

@testable import touchstone

@Suite struct VectorsPromoteCommandTests {
  /// `a` edits a document that `b` deletes, with sessions in both directions.
  private static let scenario = """
    {"seed": 1, "replicas": ["a", "b"], "steps": [
      {"step": "s1", "at": "a", "do": {"op": "create", "id": "d", "body": {"n": 1}}},
      {"step": "r1", "replicate": {"source": "a", "target": "b"}},
      {"step": "s2", "at": "b", "do": {"op": "delete", "id": "d", "rev": {"$leaf": 0}}}
    ]}
    """

  @Test func aScenarioBecomesAVector() throws {
    let folder = try TemporaryFolder([("s.json", Self.scenario)])
    let world = TestWorld()
    for implementation in ["sqlite", "reference"] {
      let code = world.run(
        "vectors", "promote", "\(folder.path)/s.json", "--id", "deletion-travels",
        "--implementation", implementation)
      #expect(code == .success, "\(world.error)")
      #expect(world.error.hasSuffix(" passes it\n"))
    }
    let file = try VectorFile(try JSONValue.parse(world.output))
    let vector = try #require(file.vectors.first)
    #expect(vector.id == "deletion-travels" && vector.findings().isEmpty)
    #expect(vector.steps.map(\.name).prefix(3) == ["create", "replicate", "delete"])
    #expect(vector.steps.map(\.name).suffix(4) == ["leaves", "read", "leaves", "read"])
    // Names that a store chooses are variables.
    #expect(world.output.contains("\"$bind\""))
  }

  /// `run` accepts the file, whatever family its id names.
  @Test(arguments: [[], ["--id", "conflict-lost"]]) func itRuns(_ options: [String]) throws {
    let folder = try TemporaryFolder([("s.json", Self.scenario)])
    let world = TestWorld()
    world.run(all: ["vectors", "promote", "\(folder.path)/s.json"] + options)
    let path = "\(folder.path)/s.vector.json"
    try world.output.write(toFile: path, atomically: true, encoding: .utf8)
    let code = world.run("run", "--vectors", path, "--grade", "contract")
    #expect(code == .success, "\(world.error)")
  }

  @Test(arguments: ["XXX-001", "win-001"]) func aClauseIsOfTheCorpus(_ clause: String) throws {
    let folder = try TemporaryFolder([("s.json", Self.scenario)])
    let world = TestWorld()
    #expect(world.run("vectors", "promote", "\(folder.path)/s.json", "--clause", clause) == .usage)
    #expect(world.error.contains("--clause: unknown clause '\(clause)'"), "\(world.error)")
    #expect(world.output.isEmpty)
  }

  @Test(arguments: ["lost", "-lost", "conflict-"]) func anIDHasAFamily(_ id: String) throws {
    let folder = try TemporaryFolder([("s.json", Self.scenario)])
    let world = TestWorld()
    #expect(world.run("vectors", "promote", "\(folder.path)/s.json", "--id", id) == .usage)
    #expect(world.error.contains("expected a family, a hyphen and a name"))
  }

  /// The vector that a failing campaign saves runs as well.
  @Test func whatACampaignSavesRuns() throws {
    let folder = try TemporaryFolder([("keep", "")])
    let world = TestWorld()
    let mutant = ["--mutant", "deleted-leaves-not-sent"]
    world.run(
      all: ["simulate", "--seeds", "1..40", "--jobs", "1", "--classes", "1", "--fail-fast"] + mutant
        + ["--save", "\(folder.path)/found"])
    let code = world.run(
      "run", "--vectors", "\(folder.path)/found.vector.json", "--grade", "contract",
      "--implementation", "sqlite")
    #expect(code == .success, "\(world.error)")
  }

  /// The vector kills the mutant of the scenario without a simulation.
  @Test func itStillShowsTheMutant() throws {
    let folder = try TemporaryFolder([("s.json", Self.scenario)])
    let world = TestWorld()
    let code = world.run(
      "vectors", "promote", "\(folder.path)/s.json", "--mutant", "deleted-leaves-not-sent")
    #expect(code == .failure, "\(world.error)")
    #expect(world.error.contains(" fails it: "))
  }

  @Test func whatCannotBeSaid() throws {
    let steps = """
      {"step": "c1", "crash": {"replica": "a", "kind": "kill"}},
      {"step": "s1"
      """
    let text = Self.scenario.replacing("{\"step\": \"s1\"", with: steps)
    let folder = try TemporaryFolder([("s.json", text)])
    let world = TestWorld()
    #expect(world.run("vectors", "promote", "\(folder.path)/s.json") == .harness)
    #expect(world.error.contains("step c1 needs a crash"))
    for replicas in [#""a""#, #""a", "b""#] {
      let empty = #"{"seed": 1, "replicas": [\#(replicas)], "steps": []}"#
      let folder = try TemporaryFolder([("s.json", empty)])
      #expect(world.run("vectors", "promote", "\(folder.path)/s.json") == .harness)
      #expect(world.error.contains("no step of it performs an operation"))
      world.error = ""
    }
    #expect(world.run("vectors", "promote", "\(folder.path)/none.json") == .harness)
    world.error = ""
    for option in ["--mutant", "--mistake"] {
      #expect(world.run("vectors", "promote", "x", option, "none-such") == .usage)
      #expect(world.error.hasPrefix("touchstone vectors promote: unknown mutant 'none-such'"))
      world.error = ""
    }
  }
}
