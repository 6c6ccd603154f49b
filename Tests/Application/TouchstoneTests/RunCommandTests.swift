import Conformance
import Datastore
import Foundation
import JSON
import Testing

@testable import touchstone

@Suite struct RunCommandTests {
  /// Rejects every operation as a missing document, which is correct for one vector of two.
  static let forgetful = ParrotDatastore.entry { _ in .error(DatastoreError(.notFound(.missing))) }

  static func world(_ entry: ImplementationEntry) -> TestWorld {
    let world = TestWorld()
    world.implementations = [entry]
    return world
  }

  @Test func aConformantOneExitsWithZero() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    let code = world.run("run", "--implementation", "reference", "--vectors", corpus.path)
    #expect(code == .success, "\(world.error)")
    #expect(
      world.output == """
        TREE  3/3

        ReferenceDatastore 1 · 3 of 3 vectors
        core 2/2 · purge 1/1
        passed (grade contract): the corpus has no manifest.json, so missing vectors are not detected

        """)
    #expect(world.error == "")
  }

  @Test func aFailureExitsWithOneAndSaysHowToSeeItAgain() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = Self.world(Self.forgetful)
    #expect(
      world.run("run", "--implementation", "parrot", "--vectors", corpus.path) == .failure)
    #expect(
      world.output.contains(
        "core 1/2\nnot offered: purge\nnot conformant (grade family): 1 vector failed"))
    #expect(
      world.output.contains(
        "again   touchstone run --implementation parrot --vectors \(corpus.path) "
          + "--filter tree-create\n"), "\(world.output)")
  }

  @Test func aFilterSelects() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = Self.world(Self.forgetful)
    let run = ["run", "--implementation", "parrot", "--vectors", corpus.path]
    #expect(CommandTable.run(run + ["--filter", "TREE-002"], world.context) == .success)
    #expect(
      world.output.contains(
        "passed (grade family): a selection of vectors does not prove conformance"))
    world.output = ""
    #expect(CommandTable.run(run + ["--filter", "no-*"], world.context) == .usage)
    #expect(world.error.contains("touchstone run: no vector matches 'no-*'\n"))
    #expect(CommandTable.run(run + ["--profile", "purge"], world.context) == .usage)
    #expect(world.error.contains("touchstone run: purge is not offered by parrot\n"))
    #expect(world.output == "")
    #expect(CommandTable.run(run + ["--filter", "tree-purge"], world.context) == .usage)
    #expect(
      world.error.contains(
        "parrot can run none of the 1 selected vector: capability purge not offered\n"))
  }

  @Test func anOfferThatNoVectorIsAboutIsUsage() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    #expect(world.run("run", "--profile", "compact", "--vectors", corpus.path) == .usage)
    #expect(world.error.contains("touchstone run: no vector tests compact\n"))
    #expect(world.output == "")
  }

  @Test func anEmptyCorpusIsAFailure() throws {
    let folder = try TemporaryFolder([("clauses.json", #"{"clauses": []}"#)])
    let world = TestWorld()
    for more in [[], ["--filter", "x"], ["--profile", "purge"]] {
      world.output = ""
      let run = ["run", "--vectors", folder.path] + more
      #expect(CommandTable.run(run, world.context) == .failure)
      #expect(world.output.contains("not conformant (grade contract): no vector was selected"))
    }
  }

  /// A verdict on conformance needs all of core and every declared capability and profile.
  @Test func aSelectionIsNoVerdictOnConformance() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    for arguments in [
      ["--vectors", corpus.path, "--profile", "core"],
      ["--vectors", corpus.path, "--filter", "tree-create"],
    ] {
      world.output = ""
      #expect(CommandTable.run(["run"] + arguments, world.context) == .success)
      #expect(
        world.output.hasSuffix(
          "\npassed (grade contract): a selection of vectors does not prove conformance\n"))
    }
    #expect(
      CommandTable.run(["run", "--vectors", corpus.path], world.context) == .success)
    #expect(world.output.contains("\npassed (grade contract): the corpus has no manifest.json"))
  }

  @Test func aFileIsNoWholeCorpus() throws {
    let world = TestWorld()
    let corpus = try VectorsLocation.find().folder
    #expect(world.run("run", "--vectors", "\(corpus)/core/winner.json") == .success)
    #expect(
      world.output.hasSuffix(
        "\npassed (grade contract): a selection of vectors does not prove conformance\n"))
  }

  /// The released manifest with one file of vectors: most of the corpus is missing.
  @Test func aTruncatedCorpusIsIncomplete() throws {
    let corpus = try VectorsLocation.find().folder
    let folder = try TemporaryFolder()
    let core = "\(folder.path)/core"
    try FileManager.default.createDirectory(atPath: core, withIntermediateDirectories: true)
    for name in ["clauses.json", "manifest.json", "core/number.json"] {
      try FileManager.default.copyItem(
        atPath: "\(corpus)/\(name)", toPath: "\(folder.path)/\(name)")
    }
    let world = TestWorld()
    let badge = "\(folder.path)/badge.json"
    let code = world.run(
      "run", "--vectors", folder.path, "--report", "badge-json=\(badge)")
    #expect(code == .failure)
    #expect(world.output.contains("\nINCOMPLETE The corpus differs from its manifest:\n"))
    #expect(world.output.contains(" more: touchstone vectors check\n"))
    #expect(world.output.contains("\nincomplete (grade contract): the corpus differs from its"))
    #expect(!world.output.contains("conformant"))
    #expect(try folder.text("badge.json").contains(#""color":"red""#))
  }

  /// Only `run` accepts problems of vectors, with a manifest; every other command requires valid
  /// vectors.
  @Test func aProblemBesideAManifestIsIncomplete() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    let run = ["run", "--implementation", "reference", "--vectors", corpus.path]
    let manifest = try Manifest(of: try Corpus(folder: corpus.path), after: nil)
    try Data(manifest.json.pretty().utf8).write(
      to: URL(fileURLWithPath: "\(corpus.path)/manifest.json"))
    let file = URL(fileURLWithPath: "\(corpus.path)/core/zero.json")
    try Data(try corpus.text("core/tree.json").utf8).write(to: file)
    #expect(CommandTable.run(run, world.context) == .failure, "\(world.error)")
    #expect(
      world.output.contains(
        "  core/zero.json: tree-create: vectors[0].id: duplicate id, also in core/tree.json\n"),
      "\(world.output)")
    #expect(world.output.contains("3 of 3 vectors\n"))
    #expect(world.output.contains("\nincomplete (grade contract): "))
    for command in [["vectors", "list"], ["explain", "TREE-001"]] {
      let words = command + ["--vectors", corpus.path]
      #expect(CommandTable.run(words, world.context) == .harness)
    }
    try FileManager.default.removeItem(atPath: "\(corpus.path)/manifest.json")
    #expect(CommandTable.run(run, world.context) == .harness)
    #expect(world.error.contains("touchstone: the corpus is invalid\n"))
  }

  @Test func theGradeDecidesTheExitCode() throws {
    let corpus = try TemporaryFolder.corpus(binds: "contract")
    let world = Self.world(Self.forgetful)
    let run = ["run", "--implementation", "parrot", "--vectors", corpus.path]
    for (grade, code) in [("contract", ExitCode.failure), ("family", .success)] {
      world.output = ""
      #expect(CommandTable.run(run + ["--grade", grade], world.context) == code)
      #expect(world.output.contains("(grade \(grade)): "), "\(world.output)")
      #expect(world.output.contains("tree-create"))
    }
    #expect(world.output.contains("1 vector failed (required by grade contract only)"))
    #expect(CommandTable.run(run, world.context) == .success)
    #expect(CommandTable.run(run + ["--grade", "strict"], world.context) == .usage)
    #expect(world.error.contains("unknown grade 'strict'; expected one of family, contract\n"))
  }

  @Test func bundledStoresAreAlwaysTestedWithContract() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    let run = ["run", "--implementation", "reference", "--vectors", corpus.path]
    #expect(CommandTable.run(run + ["--grade", "family"], world.context) == .usage)
    #expect(world.error.contains("reference is always tested with --grade contract\n"))
    #expect(CommandTable.run(run + ["--grade", "contract"], world.context) == .success)
    #expect(world.output.contains("(grade contract)"))
  }

  @Test func aFullDiskIsNoVerdict() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = Self.world(ParrotDatastore.entry { _ in .error(DatastoreError(.storage(.full))) })
    #expect(world.run("run", "--implementation", "parrot", "--vectors", corpus.path) == .harness)
    #expect(world.output.contains("the store answered storage(full) to create"))
    #expect(world.output.contains("no verdict (grade family): 2 vectors without a verdict"))
  }

  @Test func aBrokenHarnessExitsWithThree() throws {
    let corpus = try TemporaryFolder.corpus()
    let silent = ParrotDatastore.entry { _ throws(HarnessError) in
      throw HarnessError("the pipe is closed")
    }
    let world = Self.world(silent)
    #expect(world.run("run", "--implementation", "parrot", "--vectors", corpus.path) == .harness)
    #expect(world.output.contains("all for the same reason: the pipe is closed"))
    let absent = ImplementationEntry(
      name: "absent", keepsFiles: false, followsModel: false, runsBesideItself: true
    ) {
      _ throws(HarnessError) in throw HarnessError("cannot start")
    }
    world.implementations = [absent]
    #expect(world.run("run", "--implementation", "absent", "--vectors", corpus.path) == .harness)
    #expect(world.error == "touchstone: absent: cannot start\n")
  }

  @Test func wrongVectorsExitWithThree() throws {
    let folder = try TemporaryFolder([
      ("clauses.json", #"{"clauses": []}"#), ("core/a.json", "{}"),
    ])
    let world = TestWorld()
    #expect(world.run("run", "--vectors", folder.path) == .harness)
    #expect(
      world.error == """
        touchstone: the corpus is invalid
          core/a.json: family: missing member

        """)
    #expect(world.run("run", "--vectors", "\(folder.path)/nowhere") == .harness)
    #expect(world.error.contains("nowhere: No such file or directory"))
  }

  @Test func reportsGoToTheirFiles() throws {
    let corpus = try TemporaryFolder.corpus()
    let folder = try TemporaryFolder()
    let world = TestWorld()
    let code = world.run(
      "run", "--implementation", "reference", "--vectors", corpus.path,
      "--report", "jsonl=\(folder.path)/run.jsonl", "--report", "junit=\(folder.path)/run.xml",
      "--report", "tap=-")
    #expect(code == .success)
    // The standard output contains only the data for scripts.
    #expect(
      world.output
        == "TAP version 14\n1..3\nok 1 - tree-purge\nok 2 - tree-create\nok 3 - tree-absent\n")
    #expect(world.error.contains("passed (grade contract)"))
    #expect(try folder.text("run.jsonl").split(separator: "\n").count == 5)
    #expect(try folder.text("run.xml").contains(#"<testsuites name="touchstone" tests="3""#))
  }

  @Test func aReportThatCannotBeWrittenExitsWithThree() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    let code = world.run(
      "run", "--implementation", "reference", "--vectors", corpus.path,
      "--report", "tap=/dev/full")
    #expect(code == .harness)
    #expect(world.error.contains("cannot write the report"))
    // The results are printed all the same.
    #expect(world.output.contains("3 of 3 vectors"))
  }

  /// Reports are written even if the standard output is closed, full or broken.
  @Test func reportsAreWrittenBeforeAnythingIsPrinted() throws {
    let corpus = try TemporaryFolder.corpus()
    for standard in [[], ["--report", "jsonl=-"]] {
      let folder = try TemporaryFolder()
      let world = TestWorld()
      var context = world.context
      var seen: [String] = []
      let look = { (stream: String) in
        let isWritten = (try? folder.text("run.tap").hasSuffix("ok 3 - tree-absent\n")) ?? false
        seen.append("\(stream) \(isWritten)")
      }
      context.output = { _ in look("output") }
      context.error = { _ in look("error") }
      let run = ["run", "--vectors", corpus.path, "--report", "tap=\(folder.path)/run.tap"]
      #expect(CommandTable.run(run + standard, context) == .success)
      #expect(seen == (standard.isEmpty ? ["output true"] : ["output true", "error true"]))
    }
  }

  @Test(
    arguments: [
      (nil, nil, 100), (nil, "80", 100), (80, nil, 80), (80, "90", 80), (0, "90", 90),
      (0, nil, 100), (0, "wide", 100), (0, "-3", 100), (20, nil, 40), (400, nil, 120),
    ] as [(Int?, String?, Int)])
  func textIsAsWideAsTheTerminal(_ columns: Int?, _ variable: String?, _ width: Int) {
    #expect(Context.width(terminalColumns: columns, variable) == width)
  }

  @Test func aFolderInUseIsNotTouched() throws {
    let corpus = try TemporaryFolder.corpus()
    let folder = try TemporaryFolder([(".touchstone", "held")])
    let descriptor = open("\(folder.path)/.touchstone", O_RDWR)
    #expect(flock(descriptor, LOCK_EX) == 0)
    let world = TestWorld()
    let run = ["run", "--vectors", corpus.path, "--storage", "disk:\(folder.path)"]
    #expect(CommandTable.run(run, world.context) == .harness)
    #expect(world.error == "touchstone: sqlite: \(folder.path) is in use by another run\n")
    #expect(close(descriptor) == 0)
    // The folder is unlocked again, and a process does not block itself.
    for _ in 0..<2 { #expect(CommandTable.run(run, world.context) == .success) }
    #expect(try folder.text(".touchstone") == "held")
    let other = open("\(folder.path)/.touchstone", O_RDWR)
    #expect(flock(other, LOCK_EX | LOCK_NB) != 0)
    #expect(close(other) == 0)
  }

  @Test func progressIsForTerminalsAndLongRuns() throws {
    let corpus = try TemporaryFolder.corpus()
    let world = TestWorld()
    let run = ["run", "--implementation", "reference", "--vectors", corpus.path, "--jobs", "1"]
    world.showsProgress = true
    #expect(CommandTable.run(run, world.context) == .success)
    #expect(world.error == "")
    world.clock.tick(nanoseconds: 500_000_000)
    #expect(CommandTable.run(run, world.context) == .success)
    #expect(world.error.contains("\r\u{1B}[K1 of 3 vectors, "))
    #expect(world.error.contains(" s left\r"))
    #expect(world.error.hasSuffix("\r\u{1B}[K"))
    #expect(CommandTable.run(run + ["--filter", "tree-create"], world.context) == .success)
    #expect(world.error.hasSuffix("\r\u{1B}[K1 of 1 vector\r\u{1B}[K"))
    world.error = ""
    world.showsProgress = false
    #expect(CommandTable.run(run, world.context) == .success)
    #expect(world.error == "")
  }

  @Test func aFolderOfOthersIsNotTouched() throws {
    let corpus = try TemporaryFolder.corpus()
    let folder = try TemporaryFolder([("precious.txt", "mine")])
    let world = TestWorld()
    let run = ["run", "--vectors", corpus.path, "--storage"]
    #expect(CommandTable.run(run + ["disk:\(folder.path)"], world.context) == .harness)
    #expect(world.error.contains("is not empty"))
    #expect(try folder.text("precious.txt") == "mine")
    // A new folder is created, and can be used again.
    for _ in 0..<2 {
      #expect(CommandTable.run(run + ["disk:\(folder.path)/new"], world.context) == .success)
    }
  }
}
