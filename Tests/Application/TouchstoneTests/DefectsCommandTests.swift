import Conformance
import Datastore
import Defects
import JSON
import ObjectDefects
import Testing
import TouchstoneKit

@testable import touchstone

@Suite struct DefectsCommandTests {
  static let none = ["--binary", "/nowhere/touchstone"]

  /// The list of the mutants registers the families whose vectors are read.
  init() { _ = Defect.all }

  /// The vectors about lists and those of other files, and all clauses.
  private static func lists(and more: [String] = []) throws -> [(String, String)] {
    let standard = try VectorsLocation.find().folder
    return try (["clauses.json", "core/list.json"] + more).map {
      ($0, String(decoding: try Files.read("\(standard)/\($0)"), as: UTF8.self))
    }
  }

  @Test func aMutantThatIsKilled() throws {
    let folder = try TemporaryFolder([("mutants.json", #"{"mutants": []}"#), ("touchstone", "")])
    let lists = try TemporaryFolder(Self.lists())
    let world = TestWorld()
    let code = world.run(
      "defects", "--by-hand", "--binary", "\(folder.path)/touchstone", "--vectors", lists.path,
      "--filter", "list-limit-0-is-none")
    #expect(code == .success)
    #expect(world.output.contains("LIST-004"))
    #expect(world.output.contains("list-limit"))
    #expect(world.output.contains("1 of 1 mutants killed; 1 of "))
  }

  @Test func asJSON() throws {
    let folder = try TemporaryFolder([("mutants.json", #"{"mutants": []}"#), ("touchstone", "")])
    let lists = try TemporaryFolder(Self.lists())
    let world = TestWorld()
    let code = world.run(
      "defects", "--json", "--binary", "\(folder.path)/touchstone", "--vectors", lists.path,
      "--filter", "LIST-004")
    #expect(code == .success)
    let json = try JSONValue.parse(Array(world.output.utf8))
    let defect = try #require(json.objectValue?["defects"]?.arrayValue?.first?.objectValue)
    #expect(defect["name"] == "list-limit-0-is-none")
    #expect(defect["end"] == "killed")
    let killers = try #require(defect["killers"]?.arrayValue)
    #expect(killers.contains("list-limit"))
    let idle = try #require(json.objectValue?["idle"]?.arrayValue)
    let all = try Corpus.released().vectors.count { $0.file == "core/list.json" }
    #expect(idle.count == all - killers.count)
  }

  /// Observed and generated vectors are left out.
  @Test func byHand() throws {
    let folder = try TemporaryFolder([("mutants.json", #"{"mutants": []}"#), ("touchstone", "")])
    let lists = try TemporaryFolder(Self.lists(and: ["observed/couchdb/attachments.json"]))
    let world = TestWorld()
    let code = world.run(
      "defects", "--by-hand", "--binary", "\(folder.path)/touchstone", "--vectors", lists.path,
      "--filter", "LIST-004")
    #expect(code == .success)
    let corpus = try Corpus.reading(folder: lists.path)
    #expect(world.output.contains(" of \(corpus.vectors.count(where: \.isHandWritten)) vectors"))
    #expect(!world.output.contains(" of \(corpus.vectors.count) vectors"))
  }

  @Test func aSurvivorExitsWithOne() throws {
    let program = try TemporaryFolder([("mutants.json", #"{"mutants": []}"#), ("touchstone", "")])
    let blind = try TemporaryFolder([
      (
        "clauses.json",
        #"""
        {"clauses": [{"id": "LIST-004", "level": "MUST", "binds": "contract", "text": "The list has a limit.",
          "source": "here", "status": "agreed"}]}
        """#
      ),
      (
        "core/list.json",
        #"""
        {"family": "list", "about": "Lists.", "vectors": [{"id": "list-nothing",
          "clauses": ["LIST-004"], "profile": "core", "note": "Kills nothing.", "steps": [
          {"do": {"op": "list", "store": "a"}, "expect": {"ok": {"rows": []}}}]}]}
        """#
      ),
    ])
    let world = TestWorld()
    let code = world.run(
      "defects", "--binary", "\(program.path)/touchstone", "--vectors", blind.path, "--filter",
      "LIST-004")
    #expect(code == .failure, "\(world.error)")
    #expect(world.output.contains("survived: list-limit-0-is-none"))
    #expect(world.output.contains("not proven: LIST-004"))
  }

  /// A mutant killed by a vector of another rule of the family proves nothing, nor does one that only
  /// a generated vector kills.
  @Test(arguments: [
    ("core", ["LIST-004"], "1 of 2 MUST clauses are proven"),
    ("core", ["LIST-004", "LIST-003"], "list-3 kills it, too"),
    ("generated", ["LIST-004"], "no hand-written vector of the clause kills it"),
  ])
  func whatProvesAClause(folder: String, cited: [String], says: String) throws {
    let program = try TemporaryFolder([("mutants.json", #"{"mutants": []}"#), ("touchstone", "")])
    let origin =
      folder == "generated" ? #""generated": {"generator": "forests", "scope": 5}, "# : ""
    let clauses = ["LIST-003", "LIST-004"].map {
      #"{"id": "\#($0)", "level": "MUST", "binds": "contract", "text": "A rule.", "source": "here", "status": "agreed"}"#
    }
    let vectors = cited.map {
      #"""
      {"id": "list-\#($0.suffix(1))", "clauses": ["\#($0)"], "profile": "core", "note": "Kills it.", \#(origin)
        "steps": [{"do": {"op": "create", "store": "a", "id": "d", "body": {}}},
        {"do": {"op": "list", "store": "a", "limit": 0}, "expect": {"ok": {"rows": []}}}]}
      """#
    }
    let corpus = try TemporaryFolder([
      ("clauses.json", #"{"clauses": [\#(clauses.joined(separator: ","))]}"#),
      (
        "\(folder)/list.json",
        #"{"family": "list", "about": "Lists.", "vectors": [\#(vectors.joined(separator: ","))]}"#
      ),
    ])
    let world = TestWorld()
    let code = world.run(
      "defects", "--binary", "\(program.path)/touchstone", "--vectors", corpus.path,
      "--filter", "list-limit-0-is-none")
    #expect(code == .success, "\(world.error)")
    #expect(world.output.contains(says), "\(world.output)")
  }

  /// `--write` writes the list and the pages that are generated from it.
  @Test func writesTheKillMatrix() throws {
    let program = try TemporaryFolder([("mutants.json", #"{"mutants": []}"#), ("touchstone", "")])
    let folder = try TemporaryFolder(Self.lists())
    let world = TestWorld()
    let arguments = ["--binary", "\(program.path)/touchstone", "--vectors", folder.path]
    #expect(CommandTable.run(["defects", "--write"] + arguments, world.context) == .failure)
    let list = try #require(try MutantList.read(folder.path))
    let mutant = try #require(list.mutants.first { $0.name == "list-limit-0-is-none" })
    #expect(mutant.end == .killed)
    #expect(mutant.provesClause)
    #expect(mutant.vectors.contains("list-limit"))
    #expect(list.mutants.contains { $0.end == .survived })
    for name in ["mutants.json", "manifest.json", "TRACEABILITY.md"] {
      #expect(world.output.contains("wrote \(folder.path)/\(name)\n"))
    }
    #expect(world.run("vectors", "check", folder.path) == .success, "\(world.output)")
    #expect(world.run("defects", "--write", "--by-hand") == .usage)
  }

  /// With a filter, the entries of other mutants and the retired ones stay; entries of mutants that no
  /// longer exist are removed.
  @Test func writesSomeEntries() throws {
    let lists = try Self.lists()
    let standard = try VectorsLocation.find().folder
    let earlier = try #require(try MutantList.read(standard))
    let name = "list-limit-0-is-none"
    let mutants = earlier.mutants.map { mutant in
      let isChosen = mutant.name.string == name || mutant.name == "limit-0-is-none"
      return Mutant(
        name: mutant.name, kind: mutant.kind, implementation: mutant.implementation,
        sentence: mutant.sentence, clause: mutant.clause, end: isChosen ? .timeout : .killed,
        provesClause: false, killers: [])
    }
    let gone = Mutant(
      name: "no-such-mutant", kind: .wrapper, implementation: "reference", sentence: "It is gone.",
      clause: "LIST-004", end: .killed, provesClause: false, killers: [])
    let retired = [
      RetiredMutant(name: "old", sentence: "It was wrong.", reason: "It proved nothing.")
    ]
    let list = MutantList(mutants + [gone], retired: retired)
    let folder = try TemporaryFolder(lists + [("mutants.json", list.json.pretty())])
    let world = TestWorld()
    let arguments = ["--vectors", folder.path, "--filter", name] + ["--write"]
    #expect(CommandTable.run(["defects"] + arguments, world.context) == .success, "\(world.error)")
    let written = try #require(try MutantList.read(folder.path))
    #expect(written.retired == retired)
    #expect(written.mutants.map(\.name) == mutants.map(\.name))
    #expect(written.mutants.first { $0.name.string == name }?.end == .killed)
    #expect(written.mutants.first { $0.name == "limit-0-is-none" }?.end == .timeout)
  }

  /// The error about a retired mutant gives the reason.
  @Test func aRetiredMutantSaysWhy() throws {
    let standard = try VectorsLocation.find().folder
    let mutant = try #require(try MutantList.read(standard)?.retired.first)
    let world = TestWorld()
    for prefix in ["mutant", "mistake"] {
      #expect(world.run("run", "--implementation", "\(prefix):\(mutant.name)") == .usage)
      #expect(world.error.contains("the mutant '\(mutant.name)' is retired"))
    }
    #expect(world.run("explain", mutant.name.string) == .success)
    #expect(world.output.contains("a retired mutant"))
    #expect(!Defect.all.contains { $0.name == mutant.name.string })
  }

  @Test func aProgramThatIsNotThereExitsWithThree() {
    let world = TestWorld()
    let arguments = ["defects", "--filter", "LIST-004"] + Self.none
    #expect(CommandTable.run(arguments, world.context) == .harness)
    #expect(world.error.contains("run tools/mutants/build.py to build it"))
    #expect(world.run("defects", "--jobs", "0") == .usage)
  }

  /// A program that fails without a mutant cannot test mutants.
  @Test func aProgramThatAlwaysFailsExitsWithThree() throws {
    let folder = try TemporaryFolder([
      (
        "mutants.json",
        #"""
        {"mutants": [{"name": "m", "sentence": "It fails.", "clause": "LIST-004",
          "implementations": ["sqlite"]}]}
        """#
      ),
      ("touchstone", ""),
    ])
    let world = TestWorld()
    let path = "\(folder.path)/touchstone"
    #expect(world.run("defects", "--filter", "m", "--binary", path) == .harness)
    #expect(world.error.contains("cannot start \(path): "))
  }
}

@Suite struct SubprocessTests {
  private func end(_ script: String, stopping: Bool = false) throws -> (Subprocess.End?, String) {
    let process = try Subprocess("/bin/sh", ["-c", script], variables: ["WORD=hello"])
    while !process.advance(milliseconds: 20) {
      if stopping { process.stop() }
    }
    return (process.end, String(decoding: process.output, as: UTF8.self))
  }

  @Test func itsOutputAndEndAreSeen() throws {
    #expect(try end("echo $WORD; exit 7") == (.exited(7), "hello\n"))
    #expect(try end("kill -9 $$").0 == .signalled(9))
    // The shell's child keeps the pipes open.
    let start = ContinuousClock.now
    #expect(try end("sleep 60; echo", stopping: true).0 == .timedOut)
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(throws: Subprocess.Failure.self) {
      try Subprocess("/no/such/program", [], variables: [])
    }
  }
}
