import JSON
import Simulation
import Testing

@testable import touchstone

struct RaceCommandTests {
  @Test func theTables() throws {
    let world = TestWorld()
    #expect(world.run("race") == .success)
    let lines = world.output.split(separator: "\n").map(String.init)
    func line(_ words: String...) -> Bool {
      lines.contains { line in
        line.split(separator: " ").map(String.init).suffix(words.count) == words[...]
      }
    }
    #expect(line("-", "-", "20", "20", "2", "18", "B", "or", "M", "-"))
    #expect(line("M,", "B", "main", "99", "1,990", "199", "1,791", "M", "1,990"))
    #expect(line("closures", "on", "both", "queues", "save", "and", "wait", "59", "318", "38"))
    #expect(world.output.contains("M looks for Jad: not found"))
    #expect(world.output.contains("background (saveAndWait) waits for main"))
    #expect(world.error == "")
  }

  @Test func thePage() throws {
    let folder = try TemporaryFolder([])
    let world = TestWorld()
    #expect(
      world.run("race", "--silent-empty-saves", "--page", "\(folder.path)/race.html") == .success)
    #expect(world.output.contains("504"))
    #expect(world.output.hasSuffix("wrote \(folder.path)/race.html\n"))
    let page = try folder.text("race.html")
    #expect(page.contains("touchstone race --silent-empty-saves"))
    #expect(page.ranges(of: "<svg class=\"schedule\"").count > 15)
  }

  @Test func aPageThatCannotBeWritten() {
    let world = TestWorld()
    #expect(world.run("race", "--page", "/nowhere/race.html") == .harness)
    #expect(world.error.contains("/nowhere/race.html"))
    #expect(world.run("race", "--seeds", "1..2") == .usage)
  }

  @Test func theReport() throws {
    let world = TestWorld()
    #expect(world.run("race", "--silent-empty-saves", "--report", "-") == .success)
    let file = try CampaignFile(try JSONValue.parse(world.output))
    #expect(file.identity?.options == ["race", "--silent-empty-saves"])
    #expect(file.report.runs == 27)
    #expect(file.report.counts["schedules"] ?? 0 > 2_000)
    #expect(file.report.failures.isEmpty)
    #expect(world.error == "")
  }
}
