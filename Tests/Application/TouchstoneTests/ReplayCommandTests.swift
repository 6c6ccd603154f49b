import Conformance
import JSON
import Testing

@testable import touchstone

struct ReplayCommandTests {
  /// The command runs the scenario twice, with and without a trace, and reports a difference.
  @Test(arguments: ["reference", "sqlite"], ["2", "5", "11"])
  func lookingChangesNothing(implementation: String, seed: String) {
    let world = TestWorld()
    let code = world.run(
      "replay", seed, "--operations", "8", "--timeline", "--implementation", implementation)
    #expect(code == .success)
    #expect(world.error == "")
    #expect(world.output.contains("seconds  a b c  step"))
    #expect(world.output.contains("no finding"))
  }

  @Test func aScenarioFileIsDrawn() throws {
    let folder = try TemporaryFolder()
    let (scenario, page) = ("\(folder.path)/run.json", "\(folder.path)/run.html")
    try Files.write(
      """
      {"seed": 1, "replicas": ["a", "b"], "steps": [
        {"step": "s1", "at": "a", "do": {"op": "create", "id": "d", "body": {}}},
        {"step": "s2", "replicate": {"source": "a", "target": "b"}}]}
      """, to: scenario)
    let world = TestWorld()
    #expect(world.run("replay", scenario, "--timeline", "--html", page) == .success)
    #expect(world.output.contains("create d 1-"))
    #expect(world.output.contains("pull a → b"))
    #expect(world.output.contains("wrote \(page)"))
    let html = String(decoding: try Files.read(page), as: UTF8.self)
    #expect(html.hasPrefix("<!doctype html>"))
    #expect(html.contains("touchstone replay \(scenario)"))
  }

  @Test func whatIsNoScenario() throws {
    let folder = try TemporaryFolder()
    let world = TestWorld()
    #expect(world.run("replay", "\(folder.path)/none.json") == .harness)
    #expect(world.error.contains("expected a scenario file or a seed"))
    try Files.write("{\"seed\": 1}", to: "\(folder.path)/half.json")
    #expect(world.run("replay", "\(folder.path)/half.json") == .harness)
    #expect(world.error.contains("half.json: "))
    for name in ["", "A", "../x", String(repeating: "a", count: 239)] {
      let text = #"{"seed": 1, "replicas": ["a"], "store": "\#(name)", "steps": []}"#
      try Files.write(text, to: "\(folder.path)/named.json")
      let world = TestWorld()
      #expect(world.run("replay", "\(folder.path)/named.json") == .harness)
      #expect(
        world.error.contains("named.json: store: expected a name that matches "), "\(world.error)")
    }
    #expect(world.run("replay", "1", "--detailed") == .usage)
    #expect(world.run("replay", "1", "--replicas", "1") == .usage)
    #expect(world.run("replay") == .usage)
  }
}
