import JSON
import Simulation
import Testing

@testable import touchstone

struct MigrationsCommandTests {
  @Test func allWaysToEnd() {
    let world = TestWorld()
    #expect(world.run("migrations", "--ingredients", "1", "--interruptions", "1") == .success)
    let lines = world.output.split(separator: "\n")
    #expect(lines.count == 12)
    #expect(lines.allSatisfy { $0.contains(", 0 lost objects, ") })
    #expect(lines.suffix(6).allSatisfy { $0.hasSuffix(", 0 with duplicates") })
    #expect(world.error == "")
  }

  @Test func byChance() {
    let (first, second) = (TestWorld(), TestWorld())
    for world in [first, second] {
      let result = world.run(
        "migrations", "--recipes", "3", "--batch", "2", "--sample", "3", "--seed", "7")
      #expect(result == .success)
    }
    #expect(first.output == second.output)
    #expect(first.output.contains("4 ways"))
    #expect(TestWorld().run("migrations", "--recipes", "0") == .usage)
  }

  /// The report has the cases by number, and merge reads it.
  @Test func theReport() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/report.json"
    let words = ["migrations", "--ingredients", "1", "--interruptions", "1"]
    let world = TestWorld()
    #expect(world.run(all: words + ["--report", path]) == .success)
    #expect(world.output.split(separator: "\n").count == 12)
    let text = try folder.text("report.json")
    #expect(world.run(all: words + ["--report", "-", "--jobs", "1"]) == .success)
    #expect(world.output == text)
    let file = try CampaignFile(try JSONValue.parse(text))
    #expect(file.identity?.options.first == "migrations")
    #expect(file.seeds?.map(\.description) == ["seeds 1..12"])
    #expect(file.report.runs == 12)
    #expect(file.report.counts["deaths"] ?? 0 > 12)
    #expect(file.report.failures.isEmpty)
    #expect(world.run("merge", path) == .success)
    #expect(world.output.contains("12 runs, "))
  }
}
