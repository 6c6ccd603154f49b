import JSON
import Scenarios
import Simulation
import Testing

@testable import touchstone

struct ExploreCommandTests {
  @Test func aSmallScopeIsRight() {
    let world = TestWorld()
    #expect(world.run("explore", "--operations", "2", "--faults", "0") == .success)
    #expect(world.output.contains("2 replicas, 1 document, up to 2 writes, 1 session and 0 faults"))
    #expect(world.output.contains("converge to 5 ends"))
    #expect(world.output.contains("0 lost writes"))
    #expect(world.error == "")
  }

  @Test func aMutantIsFoundAndRetold() {
    let world = TestWorld()
    #expect(world.run("explore", "--mutant", "losing-leaves-not-sent") == .failure)
    #expect(world.output.contains("checkpoint/ahead: "))
    #expect(world.error.contains("after 2 moves:\n  1  a: {\"op\":\"create\""))
    #expect(world.output.contains("\"replicas\": ["))
  }

  /// A report has one case: the explored and the unexplored part, and the finding.
  @Test func reports() throws {
    let world = TestWorld()
    let words = ["explore", "--operations", "2", "--faults", "0", "--report", "-"]
    #expect(world.run(all: words) == .success)
    let file = try CampaignFile(JSONValue.parse(world.output))
    #expect(file.report.runs == 1)
    #expect(file.report.counts["ends"] == 5)
    #expect(file.report.failures.isEmpty)
    let wrong = TestWorld()
    let mutant = ["--mutant", "losing-leaves-not-sent", "--report", "-"]
    #expect(wrong.run(all: ["explore"] + mutant) == .failure)
    let found = try CampaignFile(JSONValue.parse(wrong.output)).report.failures
    #expect(found.map(\.finding.shape) == ["ahead"])
    let replicator = TestWorld()
    let explored = ["explore", "--replicator", "--events", "0", "--report", "-"]
    #expect(replicator.run(all: explored) == .success)
    let counts = try CampaignFile(JSONValue.parse(replicator.output)).report.counts
    #expect(counts["runs"] == 10)
    #expect(counts["notExplored"] == 0)
    #expect(TestWorld().run("explore", "--replicator", "--mutants", "--report", "-") == .usage)
  }

  @Test func whatIsNoScope() {
    let world = TestWorld()
    #expect(world.run("explore", "--replicas", "1") == .usage)
    #expect(world.run("explore", "--mutant", "winner-by-arrival") == .usage)
    #expect(world.error.contains("unknown mutant 'winner-by-arrival' of a replicator"))
  }

  @Test func aReplicatorIsExplored() {
    let world = TestWorld()
    #expect(world.run("explore", "--replicator", "--events", "0") == .success)
    #expect(world.output.contains("10 runs of up to "))
    #expect(world.output.contains("not explored: "))
    #expect(world.output.contains("no finding"))
    let behind = TestWorld()
    let arguments = ["explore", "--replicator", "--events", "0", "--implementation", "reference"]
    #expect(behind.run(all: arguments) == .success)
    #expect(behind.output.contains("no finding"))
  }

  @Test func aWrongReplicatorIsToldAndReplayed() {
    let world = TestWorld()
    let explore = ["explore", "--replicator", "--mutant", "record-errors-ignored"]
    #expect(world.run(all: explore + ["--events", "1", "--setting", "plain-2"]) == .failure)
    #expect(world.output.contains("claim/complete: "))
    #expect(world.error.contains("setting plain-2, after 1 event:"))
    let parts = world.output.split(separator: "'")
    let plan = parts.last(where: { $0.hasPrefix("plain-2") }).map { String($0) } ?? ""
    #expect(TestWorld().run(all: explore + ["--replay", plan]) == .failure)
    #expect(TestWorld().run("explore", "--replicator", "--replay", plan) == .success)
  }

  @Test(arguments: [
    ["--events", "1"], ["--replicator", "--faults", "1"], ["--replicator", "--setting", "plain"],
    ["--replicator", "--events", "3"], ["--replicator", "--replay", "plain-1 x"],
    ["--replicator", "--mutants", "--mutant", "checkpoint-ahead"],
    ["--mutant", "checkpoint-not-read"],
  ])
  func whatIsNoExplorationOfAReplicator(arguments: [String]) {
    let world = TestWorld()
    #expect(world.run(all: ["explore"] + arguments) == .usage)
    #expect(world.output == "")
  }
}
