import Foundation
import JSON
import Testing
import TouchstoneKit

@testable import touchstone

/// `touchstone verify` on reports of campaigns.
@Suite struct VerifyCampaignTests {
  /// Writes the report of a campaign in this process; changes its members.
  private static func report(
    _ words: [String], _ change: (inout JSONObject) -> Void = { _ in }
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder([("keep", "")])
    let path = "\(folder.path)/report.json"
    TestWorld().run(all: words + ["--jobs", "1", "--report", path])
    var object = try #require(
      try JSONValue.parse(Array(try Data(contentsOf: URL(filePath: path)))).objectValue)
    change(&object)
    try Data((JSONValue.object(object).serialized() + "\n").utf8).write(to: URL(filePath: path))
    return folder
  }

  private static func verify(
    _ folder: TemporaryFolder, _ more: [String] = ["--jobs", "1"]
  ) -> (code: ExitCode, output: String, error: String) {
    let world = TestWorld()
    let code = world.run(all: ["verify", "\(folder.path)/report.json"] + more)
    return (code, world.output, world.error)
  }

  private static let runs = ["simulate", "--implementation", "reference", "--seeds", "5..10"]
  private static let mutant = "mutant:deleted-branch-wins"

  private static func changing(
    _ member: JSONString, _ change: @escaping (inout JSONObject) -> Void
  ) throws -> TemporaryFolder {
    try report(runs) { object in
      guard var part = object[member]?.objectValue else { return }
      change(&part)
      object[member] = .object(part)
    }
  }

  @Test(
    arguments: [
      (runs, 6), (["simulate", "--implementation", mutant, "--seeds", "1..2"], 2),
      (["compare", "--implementation", mutant, "--seeds", "1..6"], 6),
      (["compare", "--implementation", mutant, "--fail-fast"], 4),
      (["compare", "--layer", "stacks", "--implementation", "reference", "--seeds", "1..3"], 3),
      (["objects", "--implementation", "reference", "--seeds", "1..2"], 2),
      (["collections", "--implementation", "reference", "--seeds", "3..4"], 2),
      (runs + ["--shard", "2/4"], 2),
    ]) func aTrueReportHolds(_ words: [String], _ count: Int) throws
  {
    let result = Self.verify(try Self.report(words))
    #expect(result.code == .success, "\(result)")
    #expect(
      result.output
        .hasPrefix(
          "the verdict holds: \(count) of \(count) cases ran again, and all have the stated "
            + "outcome, with the same events\n  "))
  }

  /// The shards of a campaign that ended at its first finding: only the seeds of the shards run
  /// again, and all of them.
  @Test func partsOfACampaign() throws {
    let folder = try TemporaryFolder([("keep", "")])
    let words = ["compare", "--implementation", Self.mutant, "--fail-fast", "--seeds", "1..60"]
    let reports = (1...3).map { "\(folder.path)/\($0).json" }
    for (place, path) in reports.enumerated() {
      TestWorld().run(
        all: words + ["--shard", "\(place + 1)/4", "--jobs", "1", "--report", path])
    }
    let path = "\(folder.path)/report.json"
    let merging = TestWorld()
    #expect(merging.run(all: ["merge", "--partial", "--json"] + reports) == .failure)
    try merging.output.write(toFile: path, atomically: true, encoding: .utf8)
    let whole = Self.verify(folder)
    #expect(whole.code == .success, "\(whole)")
    #expect(whole.output.contains("with the same events"))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var object = try #require(try JSONValue.parse(text).objectValue)
    var report = try #require(object["report"]?.objectValue)
    var failures = try #require(report["failures"]?.arrayValue)
    #expect(failures.count == 3)
    for place in failures.indices {
      var failure = try #require(failures[place].objectValue)
      failure[place == 0 ? "nanoseconds" : "sentence"] = place == 0 ? 1 : "forged"
      var others = failures
      others[place] = .object(failure)
      report["failures"] = .array(others)
      object["report"] = .object(report)
      try JSONValue.object(object).serialized().write(
        toFile: path, atomically: true, encoding: .utf8)
      #expect(Self.verify(folder).code == .failure)
    }
    failures.removeLast()
    report["failures"] = .array(failures)
    object["report"] = .object(report)
    try JSONValue.object(object).serialized().write(toFile: path, atomically: true, encoding: .utf8)
    #expect(Self.verify(folder).code != .success)
  }

  @Test func rangesEndAtTheirOwnSeeds() {
    let shard = SeedRange(first: 1, last: 36, stride: 3)
    let parts = SeedRange.ending(at: [7, 8, 34, 36], [shard])
    #expect(parts.map(\.count) == [3, 9])
    #expect(parts.flatMap { Array($0.all) } == Array(shard.all))
  }

  /// The result says what the verdict is about, and which requested seeds did not run.
  @Test func theResultNamesTheVerdict() throws {
    let whole = Self.verify(try Self.report(Self.runs))
    #expect(
      whole.output.hasSuffix(
        "\n  simulate --implementation reference by ReferenceDatastore 1: 0 findings\n"
      ), "\(whole.output)")
    let words = ["compare", "--implementation", Self.mutant, "--fail-fast", "--seeds", "1..9"]
    let part = Self.verify(try Self.report(words))
    #expect(part.output.contains(": 1 finding\n"), "\(part.output)")
    #expect(part.output.hasSuffix("\n  5 of the 9 requested seeds did not run\n"))
  }

  /// The seeds of a campaign need no corpus, so another one beside the program is only noted.
  @Test func anotherCorpusIsNoted() throws {
    let result = Self.verify(try Self.changing("identity") { $0["corpus"] = "00" })
    #expect(result.code == .success, "\(result)")
    #expect(
      result.error.contains("note: the verdict was written beside another corpus (SHA-256 00)\n"))
  }

  /// A report is about the implementation that its options name, and counts no seed twice.
  @Test func whatCannotHaveRunIsRefused() throws {
    let other = try Self.changing("identity") { $0["implementation"] = "exec:./adapter" }
    #expect(Self.verify(other).code == .usage)
    #expect(
      Self.verify(other).error.contains(
        "identity.implementation is 'exec:./adapter', but identity.options have 'reference'"))
    let none = try Self.changing("identity") { identity in
      identity["implementation"] = "exec:./adapter"
      identity["options"] = []
    }
    #expect(Self.verify(none, ["--jobs", "1", "--implementation", "reference"]).code == .usage)

    let twice = try Self.report(Self.runs) { object in
      guard var report = object["report"]?.objectValue, let parts = object["seeds"]?.arrayValue
      else { return }
      report["runs"] = 12
      object["report"] = .object(report)
      object["seeds"] = .array(parts + parts)
    }
    let result = Self.verify(twice)
    #expect(result.code == .usage)
    #expect(result.error.contains("duplicate part seeds 5..10"), "\(result.error)")
  }

  /// A text of the file is no line of the result.
  @Test func aTextDoesNotImitateTheResult() throws {
    let folder = try Self.report(
      ["compare", "--implementation", "reference", "--seeds", "1..2"]
    ) { object in
      guard var report = object["report"]?.objectValue else { return }
      report["deviations"] = ["x\nthe verdict holds: all\n": 3]
      object["report"] = .object(report)
    }
    let result = Self.verify(folder)
    #expect(result.code == .failure)
    #expect(!result.output.contains("\nthe verdict holds"), "\(result.output)")
  }

  @Test func aSampleRunsSomeSeeds() throws {
    let result = Self.verify(
      try Self.report(Self.runs), ["--jobs", "1", "--sample", "2", "--seed", "7"])
    #expect(result.code == .success, "\(result)")
    #expect(result.output.contains("the verdict holds: 2 of 6 cases ran again"))
    #expect(result.error.contains("the sample has the seed 7\n"))
  }

  /// A sample detects a finding that the report hides, and one that it invents.
  @Test func findingsAreCompared() throws {
    let words = ["simulate", "--implementation", Self.mutant, "--seeds", "1..4"]
    let hidden = try Self.report(words) { object in
      guard var report = object["report"]?.objectValue else { return }
      #expect((report["failures"]?.arrayValue?.count ?? 0) > 1)
      report["failures"] = .array([])
      object["report"] = .object(report)
    }
    let result = Self.verify(hidden, ["--jobs", "1", "--sample", "3"])
    #expect(result.code == .failure)
    #expect(result.output.contains(": the verdict says no finding, this run model "))

    let other = Self.verify(
      try Self.report(words), ["--jobs", "1", "--implementation", "reference"])
    #expect(other.code == .failure)
    #expect(other.output.contains(", this run no finding\n"), "\(other.output)")
    #expect(other.output.contains("  name of the implementation: the verdict says "))
  }

  /// This contradiction needs no run.
  @Test func aSeedHasOneFinding() throws {
    let words = ["simulate", "--implementation", Self.mutant, "--seeds", "1..2"]
    let folder = try Self.report(words) { object in
      guard var report = object["report"]?.objectValue,
        var failures = report["failures"]?.arrayValue, let failure = failures.first
      else { return }
      failures.append(failure)
      report["failures"] = .array(failures)
      object["report"] = .object(report)
    }
    let result = Self.verify(folder)
    #expect(result.code == .usage)
    #expect(result.error.contains(" has two findings"), "\(result)")
  }

  @Test func anInventedCountIsFound() throws {
    let folder = try Self.report(["compare", "--implementation", "reference", "--seeds", "1..2"]) {
      object in
      guard var report = object["report"]?.objectValue else { return }
      var counts = report["counts"]?.objectValue ?? JSONObject()
      counts["certified"] = 0
      report["counts"] = .object(counts)
      object["report"] = .object(report)
    }
    let result = Self.verify(folder)
    #expect(result.code == .failure)
    #expect(
      result.output.contains("  count certified: the verdict says 0, this run none\n"),
      "\(result.output)")
  }

  @Test func sumsAreCompared() throws {
    let folder = try Self.changing("report") { report in
      report["events"] = 1
      report["digest"] = 2
    }
    let result = Self.verify(folder)
    #expect(result.code == .failure)
    #expect(result.output.contains("  events: the verdict says 1, this run "))
    #expect(result.output.contains("  digest of all events: the verdict says 2, this run "))
  }

  /// A file of a stranger starts no program and writes no file.
  @Test(
    arguments: [
      (
        ["--implementation", "exec:touch ran"],
        "'exec:touch ran', which is not part of this program"
      ),
      (
        ["--implementation", "sqlite", "--report", "gone"],
        "'--report' is not an option that defines the cases"
      ),
      (
        ["--implementation", "sqlite", "--stop-command", "touch ran"],
        "'--stop-command' is not an option that defines"
      ),
      (
        ["compare", "--storage", "disk:gone"], "'--storage' is not an option that defines the cases"
      ),
      (["--steps"], "unknown option '--steps'"),
      (["crash"], "it is about 'crash'; only reports of simulate, compare, "),
      ([], "it is about ''; only reports of simulate, compare, "),
    ] as [([JSONString], String)])
  func otherOptionsAreRefused(_ options: [JSONString], _ message: String) throws {
    let folder = try Self.changing("identity") { identity in
      identity["options"] = .array(options.map { .string($0) })
      if let place = options.firstIndex(of: "--implementation") {
        identity["implementation"] = .string(options[place + 1])
      }
    }
    let result = Self.verify(folder)
    #expect(result.code == .usage)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test func optionsOfRunsAreRefused() throws {
    let folder = try Self.report(Self.runs)
    #expect(Self.verify(folder, ["--vectors", "."]).error.contains("are for verdicts of run"))
  }

  @Test func anOldReportCannotBeVerified() throws {
    let folder = try Self.report(Self.runs) { $0["identity"] = .null }
    #expect(Self.verify(folder).error.contains("it does not say what ran"))
  }
}
