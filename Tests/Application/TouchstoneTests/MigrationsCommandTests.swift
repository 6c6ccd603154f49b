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
    #expect(first.output.contains("4 paths"))
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

  @Test func thePage() throws {
    let folder = try TemporaryFolder([])
    let world = TestWorld()
    let words = ["migrations", "--ingredients", "1", "--interruptions", "1"]
    #expect(world.run(all: words + ["--page", "\(folder.path)/m.html"]) == .success)
    #expect(world.output.hasSuffix("wrote \(folder.path)/m.html\n"))
    let page = try folder.text("m.html")
    #expect(page.contains("<code>touchstone migrations --recipes 1 --ingredients 1"))
    for line in world.output.split(separator: "\n").dropLast() {
      let ending = line.prefix { $0 != ":" }
      #expect(page.contains("<th scope=\"row\">\(ending)</th>"), "\(ending)")
    }
    #expect(world.run(all: words + ["--page", "/nowhere/m.html"]) == .harness)
    #expect(world.output == "" && world.error.contains("/nowhere/m.html"))
  }

  /// Merged shards are the whole report.
  @Test func shardsAddUp() throws {
    let folder = try TemporaryFolder()
    let words = ["migrations", "--ingredients", "1", "--interruptions", "1", "--report"]
    let world = TestWorld()
    let paths = (1...3).map { "\(folder.path)/\($0).json" }
    for (place, path) in paths.enumerated() {
      #expect(world.run(all: words + [path, "--shard", "\(place + 1)/3"]) == .success)
      #expect(world.output.split(separator: "\n").count == 4)
    }
    #expect(world.run(all: ["merge"] + paths.dropLast()) == .usage)
    #expect(world.error.contains("8 of 12 seeds ran: shard 3/3 of seeds 1..12 is missing"))
    #expect(world.run(all: ["merge"] + paths.reversed()) == .success)
    let merged = world.output
    #expect(world.run(all: words + ["\(folder.path)/all.json"]) == .success)
    #expect(world.run("merge", "\(folder.path)/all.json") == .success)
    #expect(world.output == merged)
    #expect(world.run("migrations", "--shard", "13/13") == .usage)
    #expect(world.error.contains("cases 1..12 have no case for this shard"))
  }
}
