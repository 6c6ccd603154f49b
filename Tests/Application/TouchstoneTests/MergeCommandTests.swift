import Conformance
import JSON
import Simulation
import Synchronization
import Testing

@testable import touchstone

/// Reports are joined if and only if they are all parts of one campaign.
@Suite struct MergeCommandTests {
  private static let small = ["--operations", "3", "--implementation", "reference", "--jobs", "1"]

  private static let reports = Mutex<[[String]: String]>([:])

  /// The report of a part, as text; each campaign runs once.
  private static func report(_ arguments: [String], _ options: [String] = small) throws -> String {
    let arguments = ["simulate"] + arguments + options + ["--report", "-"]
    if let report = reports.withLock({ $0[arguments] }) { return report }
    let world = TestWorld()
    let code = CommandTable.run(arguments, world.context)
    try #require(code == .success, "\(world.error)")
    reports.withLock { $0[arguments] = world.output }
    return world.output
  }

  private static func shard(_ place: Int, of count: Int, _ seeds: String = "1..10") throws -> String
  {
    try report(["--seeds", seeds, "--shard", "\(place)/\(count)"])
  }

  private static func merge(
    _ reports: [String], _ options: [String] = []
  ) throws -> (code: ExitCode, output: String, error: String) {
    let names = reports.indices.map { "r\($0).json" }
    let folder = try TemporaryFolder(zip(names, reports).map { (path: $0, text: $1) })
    let world = TestWorld()
    let code = CommandTable.run(
      ["merge"] + options + names.map { "\(folder.path)/\($0)" }, world.context)
    return (code, world.output, world.error.replacingFolder(folder.path))
  }

  /// 3 shards in any order, or consecutive ranges, join to the whole.
  @Test func allPartsAreTheWhole() throws {
    let whole = try Self.report(["--seeds", "1..10"])
    let shards = try (1...3).map { try Self.shard($0, of: 3) }
    for order in [[0, 1, 2], [2, 0, 1]] {
      let merged = try Self.merge(order.map { shards[$0] }, ["--json"])
      #expect(merged.code == .success, "\(merged.error)")
      #expect(merged.output == whole)
    }
    let halves = [
      try Self.shard(2, of: 2, "5..10"), try Self.report(["--seeds", "1..4"]),
      try Self.shard(1, of: 2, "5..10"),
    ]
    #expect(try Self.merge(halves, ["--json"]).output == whole)
    // A joined report can be joined again.
    let two = try Self.merge([shards[0], shards[1]], ["--json", "--partial"])
    #expect(two.code == .success)
    #expect(try Self.merge([two.output, shards[2]], ["--json"]).output == whole)
    // More shards than seeds.
    let single = try (1...2).map { try Self.shard($0, of: 3, "1..2") }
    #expect(try Self.merge(single).code == .success)
    let text = try Self.merge(shards)
    #expect(text.output.hasPrefix("ReferenceDatastore "))
    #expect(text.output.contains("--operations 3"))
    #expect(text.output.contains("\n10 runs, "))
    #expect(text.output.contains("0 lost writes; "))
  }

  @Test func whatIsNotTheWhole() throws {
    let shards = try (1...3).map { try Self.shard($0, of: 3) }
    let early = try Self.report(["--seeds", "1..4"])
    let late = try Self.report(["--seeds", "7..10"])
    let cases: [([String], String)] = [
      ([shards[0], shards[0], shards[2]], "r0.json and r1.json are the same part: shard 1/3"),
      (
        [shards[0], shards[1], shards[2], shards[1]], "are the same part: shard 2/3 of seeds 1..10"
      ),
      ([shards[0], shards[2]], "7 of 10 seeds ran: shard 2/3 of seeds 1..10 is missing"),
      ([shards[1]], "shard 1/3 of seeds 1..10 is missing; shard 3/3"),
      (
        [shards[0], try Self.shard(2, of: 4)],
        "divide the same seeds differently: shard 1/3 of seeds 1..10 and shard 2/4"
      ),
      ([early, late], "8 of 10 seeds ran: seeds 5..6 are in no report"),
      ([early, try Self.report(["--seeds", "4..10"])], "overlap: seeds 1..4 and seeds 4..10"),
      ([early, shards[0]], "overlap: seeds 1..4 and shard 1/3 of seeds 1..10"),
    ]
    for (reports, message) in cases {
      let merged = try Self.merge(reports)
      #expect(merged.code == .usage)
      #expect(merged.error.contains(message), "\(merged.error)")
      #expect(merged.output == "")
    }
  }

  /// The checker cannot follow one sequence of 40. The shard with it is complete, but no evidence
  /// alone; all shards together are.
  @Test func whatWasCheckedInPart() throws {
    let product = ["--implementation", "product:couchdb-3.5", "--product", "couchdb-3.5"]
    let compare = ["compare", "--jobs", "1", "--report", "-"] + product
    let shards = try (1...10).map { place in
      let world = TestWorld()
      let code = world.run(all: compare + ["--seeds", "1..40", "--shard", "\(place)/10"])
      try #require(code == .success, "\(world.error)")
      return world.output
    }
    let partial = shards.filter { $0.contains("\"inconclusive\":1") }
    try #require(partial.count == 1)
    #expect(try Self.merge(shards).code == .success)
    let alone = try Self.merge(partial, ["--partial"])
    #expect(alone.code == .harness)
    #expect(
      alone.error == "more than 1 in 20 sequences were checked in part, which is no evidence\n")
    #expect(alone.output.contains("1 inconclusive"))
  }

  /// With `--partial`, gaps are accepted and counted, but no other errors.
  @Test func aPartOfACampaign() throws {
    let shards = try (1...3).map { try Self.shard($0, of: 3) }
    let merged = try Self.merge([shards[0], shards[2]], ["--partial"])
    #expect(merged.code == .success)
    #expect(merged.output.contains("0 lost writes in 7 of 10 seeds (70.0 %); "))
    let ends = [
      try Self.report(["--seeds", "1..2"]), try Self.report(["--seeds", "4..4"]),
    ]
    #expect(try Self.merge(ends, ["--partial"]).output.contains(" in 3 of 4 seeds (75.0 %); "))
    #expect(try !Self.merge(shards, ["--partial"]).output.contains(" seeds ("))
    #expect(try Self.merge([shards[0], shards[0]], ["--partial"]).code == .usage)
    let folder = try TemporaryFolder([("a.json", shards[0])])
    let world = TestWorld()
    #expect(
      world.run("merge", "--partial", "\(folder.path)/a.json", "\(folder.path)/a.json") == .usage)
    #expect(world.error.contains("a.json: duplicate part shard 1/3 of seeds 1..10"))
  }

  /// A campaign with a time limit has no fixed last seed: the executed seeds count.
  @Test func aCampaignThatRanForATime() throws {
    let world = TestWorld()
    world.clock.tick(nanoseconds: 300_000_000)
    let timed = CommandTable.run(
      ["simulate", "--seconds", "1", "--seeds", "5", "--report", "-"] + Self.small, world.context)
    #expect(timed == .success)
    let file = try CampaignFile(try JSONValue.parse(world.output))
    let part = try #require(file.seeds?.first)
    #expect(part.last == nil && part.first == 5 && part.ranCount == UInt64(file.report.runs))
    #expect(try Self.merge([world.output]).code == .success)
    let shard = try world.output.edited { file in
      file["seeds"] = .array([
        (file["seeds"]?.arrayValue?.first?.objectValue ?? [:]).with("shard", "1/1").with(
          "last", 400)
      ])
    }
    let merged = try Self.merge([shard])
    #expect(merged.code == .usage && merged.error.contains("ran \(file.report.runs) of 396 seeds"))
  }

  /// A difference in any of these members makes it another campaign.
  @Test(
    arguments: [
      "touchstone", "program", "implementation", "name", "version", "language", "corpus",
    ] as [JSONString])
  func otherIdentities(member: JSONString) throws {
    let shards = try (1...2).map { try Self.shard($0, of: 2, "1..2") }
    let other = try shards[1].edited { file in
      file["identity"] = .object(
        (file["identity"]?.objectValue ?? [:]).with(member, "other").objectValue ?? [:])
    }
    let merged = try Self.merge([shards[0], other])
    #expect(merged.code == .usage)
    #expect(
      merged.error.contains("r0.json and r1.json are parts of different campaigns: \(member) "))
    #expect(merged.error.contains("and other"))
  }

  @Test func otherOptions() throws {
    let options = ["--operations", "4", "--implementation", "reference", "--jobs", "1"]
    let merged = try Self.merge([
      try Self.shard(1, of: 2, "1..2"),
      try Self.report(["--seeds", "1..2", "--shard", "2/2"], options),
    ])
    #expect(merged.code == .usage)
    #expect(merged.error.contains("are parts of different campaigns: options "))
    let safety = try Self.report(["--seeds", "1..2", "--shard", "2/2", "--safety-only"])
    #expect(try Self.merge([try Self.shard(1, of: 2, "1..2"), safety]).code == .usage)
    let otherStore = try Self.report(
      ["--seeds", "1..2", "--shard", "2/2"],
      ["--operations", "3", "--implementation", "sqlite", "--jobs", "1"])
    #expect(try Self.merge([try Self.shard(1, of: 2, "1..2"), otherStore]).code == .usage)
  }

  /// A shard without seeds is an error of the campaign and of the merge.
  @Test func aShardWithoutSeeds() throws {
    let world = TestWorld()
    #expect(world.run("simulate", "--seeds", "1..3", "--shard", "4/4") == .usage)
    #expect(world.error.contains("--shard 4/4: seeds 1..3 have no seed for this shard"))
    let empty = try Self.shard(1, of: 2, "1..2").edited { file in
      file["seeds"] = .array([
        (file["seeds"]?.arrayValue?.first?.objectValue ?? [:]).with("ran", [])
      ])
      file["report"] = .object(
        (file["report"]?.objectValue ?? [:]).with("runs", 0).objectValue ?? [:])
    }
    let without = try empty.edited { $0["seeds"] = [] }
    #expect(
      try Self.merge([try Self.shard(2, of: 2, "1..2"), without]).error
        .contains("r1.json: seeds: an empty list"))
    for options in [[], ["--partial"]] {
      let merged = try Self.merge([try Self.shard(2, of: 2, "1..2"), empty], options)
      #expect(merged.code == .usage)
      #expect(merged.error.contains("r1.json: no seed of shard 1/2 of seeds 1..2 ran"))
    }
  }

  /// Counts that are too large for one number are an error.
  @Test func countsThatOverflow() throws {
    let shards = try (1...2).map { try Self.shard($0, of: 2, "1..2") }
    let large = try shards[0].edited { file in
      file["report"] = .object(
        (file["report"]?.objectValue ?? [:]).with("events", .integer(.max)).objectValue ?? [:])
    }
    let merged = try Self.merge([large, shards[1]])
    #expect(merged.code == .usage && merged.error.contains("exceeds 64 bits"))
  }

  /// A report of version 1 is printed, but not joined with others.
  @Test func reportsWithoutIdentity() throws {
    let report = try Self.report(["--seeds", "1..2"])
    let old = try JSONValue.parse(report).objectValue?["report"]?.serialized() ?? ""
    let shown = try Self.merge([old])
    #expect(shown.code == .success)
    #expect(shown.output.contains("2 runs, "))
    #expect(shown.error.contains("an older version of touchstone wrote this report"))
    for reports in [[old, old], [report, old]] {
      for options in [[], ["--partial"]] {
        let merged = try Self.merge(reports, options)
        #expect(merged.code == .usage)
        #expect(merged.error.contains("no implementation, program, options and seeds"))
      }
    }
  }

  /// Files that are not reports or are inconsistent.
  @Test func whatIsNoReport() throws {
    let report = try Self.shard(1, of: 2, "1..4")
    func edited(_ member: JSONString, _ value: JSONValue) throws -> String {
      try report.edited { file in
        file["seeds"] = .array([
          (file["seeds"]?.arrayValue?.first?.objectValue ?? [:]).with(member, value)
        ])
      }
    }
    let wrong = [
      "{}", "[]", "", #"{"format": "x"}"#, report.replacing("\"version\":2", with: "\"version\":3"),
      try edited("ran", [[1, 5]]), try edited("ran", [[1, 2]]),
      try edited("ran", [[3, 3], [1, 1]]),
      try edited("ran", [[1, 3], [3, 3]]), try edited("ran", [[1, 1]]), try edited("shard", "3/2"),
      try edited("shard", "1"), try edited("shard", "1/0"), try edited("last", 0),
      try edited("first", -1), try edited("first", .integer(.max)),
      try report.edited { $0["seeds"] = [] },
    ]
    for text in wrong {
      let merged = try Self.merge([text])
      #expect(merged.code == .usage, "\(text)")
      #expect(merged.error.contains("r0.json: not a campaign report: "))
    }
  }
}

extension String {
  fileprivate func replacingFolder(_ folder: String) -> String { replacing("\(folder)/", with: "") }

  /// The JSON object after an edit.
  fileprivate func edited(_ edit: (inout JSONObject) throws -> Void) throws -> String {
    var object = try #require(try JSONValue.parse(self).objectValue)
    try edit(&object)
    return JSONValue.object(object).serialized()
  }
}

extension JSONObject {
  fileprivate func with(_ name: JSONString, _ value: JSONValue) -> JSONValue {
    var object = self
    object[name] = value
    return .object(object)
  }
}

extension JSONValue {
  fileprivate func with(_ name: JSONString, _ value: JSONValue) -> JSONValue {
    (objectValue ?? [:]).with(name, value)
  }
}
