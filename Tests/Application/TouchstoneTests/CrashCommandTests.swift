import JSON
import Scenarios
import Simulation
import Testing

@testable import touchstone

struct CrashCommandTests {
  @Test func aScenarioLosesNothing() {
    let world = TestWorld()
    #expect(
      world.run("crash", "--filter", "create-a*", "--subsets", "3", "--jobs", "2") == .success)
    let lines = world.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].split(separator: " ").suffix(2) == ["images", "survivors"])
    #expect(lines[1].hasPrefix("create-again "))
    #expect(
      lines[1].split(separator: " ").dropFirst() == lines[2].split(separator: " ").dropFirst())
    #expect(lines[3].hasPrefix("0 lost writes in 1 scenario"))
    #expect(world.error == "")
  }

  @Test func aLossIsToldWithTheWayToSeeItAgain() throws {
    let world = TestWorld()
    let words = ["crash", "--filter", "push", "--subsets", "3", "--mutant", "log-not-synced"]
    #expect(CommandTable.run(words, world.context) == .failure)
    #expect(world.output.contains("writes were lost"))
    #expect(world.output.contains("  unsynced   "))
    let again = try #require(
      world.output.split(separator: "\n").first { $0.hasPrefix("  again      touchstone ") })
    let repeated = again.split(separator: " ").dropFirst(2).map(String.init)
    #expect(CommandTable.run(repeated, world.context) == .failure)
    #expect(world.output.contains(again))
  }

  @Test func aPointIsOnePoint() throws {
    let world = TestWorld()
    #expect(world.run("crash", "--filter", "local-documents", "--point", "4") == .success)
    let lines = world.output.split(separator: "\n")
    #expect(lines[1].split(separator: " ")[2] == "1")
    #expect(world.run("crash", "--filter", "local-documents", "--point", "999") == .usage)
    #expect(world.error.contains("has a point 999"))
    #expect(world.run("crash", "--filter", "local-documents", "--subset", "99999") == .usage)
    #expect(world.run("crash", "--filter", "local-documents", "--fault", "9999") == .usage)
  }

  @Test func faultsAreAnotherPart() throws {
    let world = TestWorld()
    let words = ["--filter", "validation", "--fault", "3", "--json", "-"]
    #expect(CommandTable.run(["crash"] + words, world.context) == .success)
    let json = try JSONValue.parse(world.output)
    let all = json.objectValue?["all"]?.objectValue
    #expect(all?["faults"] == 1)
    #expect(all?["faultSurvivors"] == 1)
    #expect(all?["points"] == nil)
    let scenario = json.objectValue?["scenarios"]?.arrayValue?.first?.objectValue
    #expect(scenario?["scenario"] == "validation")
    #expect(scenario?["losses"] == [])
    #expect(world.error.contains("0 lost writes"))
  }

  @Test func processesDieOnTheRealFileSystem() throws {
    let (end, output) = try BuiltProgram.shell(
      "\"$TOUCHSTONE\" crash --filter create --subsets 2 --kill 3")
    #expect(end == .exited(0))
    let rows = output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.first?.suffix(3) == ["kills", "amidst", "survived"])
    #expect(rows.dropFirst().first?.suffix(3).first == "3")
    #expect(rows.dropFirst().first?.last == "3")
  }

  @Test func whatIsNoWish() {
    let world = TestWorld()
    #expect(world.run("crash", "--filter", "creat") == .usage)
    #expect(world.error.contains("did you mean 'create'?"))
    #expect(world.run("crash", "--subsets", "1") == .usage)
    #expect(world.run("crash", "--point", "1", "--fault", "1") == .usage)
    #expect(world.run("crash", "--mistake", "log-not-sinced") == .usage)
    #expect(world.error.contains("did you mean 'log-not-synced'?"))
    #expect(world.run("crash", "--mutant", "log-not-sinced") == .usage)
    #expect(world.error.contains("did you mean 'log-not-synced'?"))
    #expect(world.run("crash", "--perform", "create") == .usage)
    #expect(world.run("crash", "--perform", "nothing", "--folder", "/tmp") == .usage)
  }

  @Test func theReportNamesTheFirstLossOfEachScenario() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/report.json"
    let world = TestWorld()
    let code = world.run(
      "crash", "--filter", "push", "--filter", "create", "--subsets", "3", "--mutant",
      "log-not-synced", "--report", path)
    #expect(code == .failure)
    #expect(world.output.contains("writes were lost"))
    let file = try CampaignFile(try JSONValue.parse(try folder.text("report.json")))
    #expect(file.identity?.name == "SQLiteDatastore")
    #expect(file.identity?.options.suffix(2) == ["--mutant", "log-not-synced"])
    #expect(file.report.runs == 2)
    #expect(file.report.counts["points"] ?? 0 > 20)
    let failure = try #require(file.report.failures.last)
    #expect(failure.finding.oracle == "crash")
    #expect(world.output.contains("\(failure.finding.shape): "))
    #expect(world.run("merge", path) == .failure)
    #expect(world.output.contains("seed \(failure.seed), crash: "))
  }

  /// The numbers are those of the selected scenarios, in the order of the list.
  @Test func aShardHasTheNumbersOfItsScenarios() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/report.json"
    let world = TestWorld()
    let code = world.run(
      "crash", "--filter", "push", "--filter", "create", "--subsets", "3", "--shard", "2/2",
      "--mutant", "log-not-synced", "--report", path)
    #expect(code == .failure)
    let file = try CampaignFile(try JSONValue.parse(try folder.text("report.json")))
    #expect(file.seeds?.map(\.description) == ["shard 2/2 of seeds 1..2"])
    #expect(file.report.runs == 1)
    #expect(file.report.failures.map(\.seed) == [2])
    #expect(world.run("merge", path) == .usage)
    #expect(world.error.contains("shard 1/2 of seeds 1..2 is missing"))
  }

  @Test func aReportNeedsReproducibleCases() {
    let world = TestWorld()
    #expect(world.run("crash", "--kill", "1", "--report", "-") == .usage)
    #expect(world.error.contains("--report excludes --kill"))
    #expect(world.run("crash", "--json", "-", "--report", "-") == .usage)
    #expect(world.error.contains("only one report can go to standard output"))
  }
}
