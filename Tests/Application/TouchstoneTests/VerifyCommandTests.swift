import Datastore
import Foundation
import JSON
import Testing

@testable import touchstone

/// `touchstone verify` on verdicts about a few vectors of the bundled corpus.
@Suite struct VerifyCommandTests {
  private static let words = ["--filter", "tree-a*", "--filter", "winner-*", "--jobs", "1"]

  /// Writes a verdict; changes its members.
  private static func verdict(
    of implementation: String, _ change: (inout JSONObject) -> Void = { _ in }
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder([("keep", "")])
    let world = TestWorld()
    let path = "\(folder.path)/verdict.json"
    world.run(all: ["run", "--implementation", implementation, "--verdict", path] + words)
    #expect(world.error.contains("wrote \(path): touchstone verify \(path) checks it\n"))
    var object = try #require(
      try JSONValue.parse(Array(try Data(contentsOf: URL(filePath: path)))).objectValue)
    change(&object)
    try Data((JSONValue.object(object).serialized() + "\n").utf8).write(to: URL(filePath: path))
    return folder
  }

  private static func verify(
    _ folder: TemporaryFolder, _ more: [String] = []
  ) -> (code: ExitCode, output: String, error: String) {
    let world = TestWorld()
    let code = world.run(all: ["verify", "\(folder.path)/verdict.json"] + more)
    return (code, world.output, world.error)
  }

  @Test func aTrueVerdictHolds() throws {
    let folder = try Self.verdict(of: "reference")
    let result = Self.verify(folder)
    #expect(result.code == .success, "\(result)")
    #expect(result.output.contains("the verdict holds: "))
    #expect(result.error.isEmpty)
  }

  @Test func aVerdictAboutFailuresHolds() throws {
    let folder = try Self.verdict(of: "mutant:deleted-branch-wins") { object in
      #expect(object["conclusion"] == "notConformant")
      #expect((object["notPassed"]?.objectValue?.count ?? 0) > 0)
    }
    let result = Self.verify(folder)
    #expect(result.code == .success, "\(result)")
  }

  /// Another store under the same name has other outcomes.
  @Test func anotherStoreIsFound() throws {
    let folder = try Self.verdict(of: "reference")
    let result = Self.verify(folder, ["--implementation", "mutant:deleted-branch-wins"])
    #expect(result.code == .failure)
    #expect(result.output.contains("the verdict does not hold: "))
    #expect(result.output.contains(": the verdict says pass, this run fail\n"), "\(result.output)")
    #expect(
      result.output.contains(
        "the conclusion: the verdict says selectionPassed, this run notConformant\n"))
  }

  @Test func aSampleRunsSomeVectors() throws {
    let folder = try Self.verdict(of: "reference")
    let result = Self.verify(folder, ["--sample", "3", "--seed", "7"])
    #expect(result.code == .success, "\(result)")
    #expect(result.output.contains("the verdict holds: 3 of "))
    #expect(result.error.contains("the sample has the seed 7\n"))
    #expect(Self.verify(folder, ["--sample", "3"]).error.contains("the sample has the seed "))
  }

  @Test(
    arguments: [
      ("counts", ["pass": 1], "its counts are not those of its outcomes"),
      ("digest", "00", "its digest is not that of its outcomes"),
      (
        "notPassed", ["edit-nothing": "fail"],
        "its options do not select the vector 'edit-nothing' of notPassed"
      ),
    ] as [(JSONString, JSONValue, String)])
  func aFileThatContradictsItselfDoesNotHold(
    _ member: JSONString, _ value: JSONValue, _ message: String
  ) throws {
    let folder = try Self.verdict(of: "reference") { $0[member] = value }
    let result = Self.verify(folder)
    #expect(result.code == .failure, "\(result)")
    #expect(result.output == "the verdict does not hold: \(message)\n")
  }

  @Test func anotherProgramAndVersionAreNamed() throws {
    let folder = try Self.verdict(of: "reference") { object in
      object["program"] = "00"
      object["implementation"] = ["name": "ReferenceDatastore", "version": "0"]
    }
    let result = Self.verify(folder)
    #expect(result.code == .failure)
    #expect(result.output.contains("its version: the verdict says 0, this run "))
    #expect(result.error.contains("note: another build, of touchstone "))
  }

  @Test func anotherCorpusCannotBeChecked() throws {
    let folder = try Self.verdict(of: "reference") { $0["corpus"] = "00" }
    let result = Self.verify(folder)
    #expect(result.code == .harness)
    #expect(result.error.contains("is about the corpus with the manifest 00 of touchstone "))
  }

  /// A file of a stranger starts nothing.
  @Test(
    arguments: [
      (
        ["--implementation", "exec:touch ran"],
        "'exec:touch ran', which is not part of this program"
      ),
      (
        ["--implementation", "reference", "--start-command", "touch ran"],
        "options[2]: expected one of --implementation, "
      ),
      (["--filter", "tree-a*"], "options: expected --implementation, a name"),
      (["--implementation"], "options: expected --implementation, a name"),
      (["--implementation", "reference", "--grade", "high"], "options: unknown grade 'high'"),
    ] as [([JSONString], String)])
  func otherOptionsAreRefused(_ options: [JSONString], _ message: String) throws {
    let folder = try Self.verdict(of: "reference") {
      $0["options"] = .array(options.map { .string($0) })
    }
    let result = Self.verify(folder)
    #expect(result.code == .usage)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test(arguments: [
    (["--seconds", "2"], "leave out --seconds"), (["--fail-fast"], "leave out --fail-fast"),
    (
      ["--implementation", "reference", "--implementation", "sqlite"],
      "needs a single implementation"
    ),
  ])
  func runsWithoutVerdict(_ words: [String], _ message: String) {
    let world = TestWorld()
    #expect(world.run(all: ["run", "--verdict", "verdict.json"] + words) == .usage)
    #expect(world.error.contains(message), "\(world.error)")
  }

  @Test func seedsBelongToSamples() {
    let world = TestWorld()
    #expect(world.run("verify", "verdict.json", "--seed", "1") == .usage)
    #expect(world.error.contains("--seed chooses the vectors of --sample"))
  }
}
