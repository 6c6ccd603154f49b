import Conformance
import Datastore
import Foundation
import JSON
import Testing
import TouchstoneKit

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
        "  conclusion: the verdict says selectionPassed, this run notConformant\n"))
  }

  /// A conclusion that the stated outcomes do not permit needs no run.
  @Test(arguments: ["conformant", "selectionPassed"])
  func aConclusionAgainstTheOutcomesIsFound(_ conclusion: JSONValue) throws {
    let failed = try Self.verdict(of: "mutant:deleted-branch-wins") { object in
      object["conclusion"] = conclusion
    }
    let result = Self.verify(failed, ["--sample", "1", "--seed", "4"])
    #expect(result.code == .failure)
    #expect(result.output.contains("but the required vector '"), "\(result.output)")
  }

  @Test(
    arguments: [
      ("explained", "but its options name no product"),
      ("incomplete", "of which run writes no verdict"),
    ] as [(JSONValue, String)])
  func aConclusionThatNeedsMoreIsFound(_ conclusion: JSONValue, _ reason: String) throws {
    let failed = try Self.verdict(of: "mutant:deleted-branch-wins") { object in
      object["conclusion"] = conclusion
    }
    let result = Self.verify(failed, ["--sample", "1", "--seed", "4"])
    #expect(result.code == .failure)
    #expect(result.output.contains(reason), "\(result.output)")
  }

  @Test func aNameWithoutOutcomesIsNoCount() throws {
    let folder = try Self.verdict(of: "reference") { object in
      guard var counts = object["counts"]?.objectValue else { return }
      counts["certified"] = 0
      object["counts"] = .object(counts)
    }
    let result = Self.verify(folder, ["--sample", "1"])
    #expect(result.code == .failure)
    #expect(result.output.contains("its counts are not those of its outcomes"))
  }

  @Test func aSelectionProvesNoConformance() throws {
    let folder = try Self.verdict(of: "reference") { $0["conclusion"] = "conformant" }
    let result = Self.verify(folder, ["--sample", "1"])
    #expect(result.code == .failure)
    #expect(result.output.contains("but its options select a part of the corpus"))
    let honest = Self.verify(try Self.verdict(of: "reference"), ["--sample", "1"])
    #expect(honest.output.contains("  the conclusion follows from all vectors only\n"))
    #expect(
      honest.output.contains("  run --implementation reference "), "\(honest.output)")
    #expect(
      honest.output.contains(" by ReferenceDatastore 1: selectionPassed\n"), "\(honest.output)")
  }

  /// A sample checks what follows from the file and from the declarations of the store, whatever its
  /// vectors are. The counts and the digest of these files agree with their outcomes.
  @Test(
    arguments: [
      ("selectionPassed", "skipped"), ("selectionPassed", "notTested"),
      ("selectionPassed", "bogus"),
      ("notConformant", nil), ("explained", nil), ("harnessFailed", nil), ("banana", nil),
      ("knownFailuresOnly", nil),
    ] as [(JSONString, JSONString?)])
  func aSampleChecksTheRest(_ conclusion: JSONString, _ verdict: JSONString?) throws {
    let ids = try Corpus(folder: try VectorsLocation.find().folder).vectors.map(\.id).filter {
      $0.text.string.hasPrefix("tree-a") || $0.text.string.hasPrefix("winner-")
    }
    let folder = try Self.verdict(of: "reference") { object in
      guard var file = try? VerdictFile(.object(object)) else { return }
      file.conclusion = conclusion
      var outcomes = file.outcomes.verdicts(on: ids)
      if let verdict { outcomes[0].verdict = verdict }
      file.outcomes = VerdictOutcomes(outcomes)
      object = file.json.objectValue ?? object
      #expect(object["conclusion"] == .string(conclusion))
    }
    let result = Self.verify(folder, ["--sample", "1", "--seed", "4"])
    #expect(result.code == .failure, "\(result)")
    #expect(!result.output.contains("digest"), "\(result)")
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
      (
        "notPassed", ["\u{1B}[31m": "fail"],
        #"its options do not select the vector '\u{1B}[31m' of notPassed"#
      ),
      (
        "notPassed", ["winner-tombstone-arrives-last": "pass"],
        "its notPassed has the vector 'winner-tombstone-arrives-last', which passed"
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

  /// Changes a member of the identity.
  private static func changing(
    _ name: JSONString, to value: JSONValue
  ) throws -> TemporaryFolder {
    try verdict(of: "reference") { object in
      guard var identity = object["identity"]?.objectValue else { return }
      identity[name] = value
      object["identity"] = .object(identity)
    }
  }

  /// The same program has one version of touchstone.
  @Test(
    arguments: [
      ("version", "its version: "), ("language", "its language: "), ("touchstone", "touchstone: "),
    ] as [(JSONString, String)])
  func anotherIdentityIsADifference(_ member: JSONString, _ line: String) throws {
    let result = Self.verify(try Self.changing(member, to: "0"))
    #expect(result.code == .failure)
    #expect(result.output.contains("  \(line)the verdict says 0, this run "), "\(result.output)")
  }

  @Test func anotherBuildIsNamed() throws {
    let result = Self.verify(try Self.changing("program", to: "00"))
    #expect(result.code == .success)
    #expect(result.error.contains("note: another build, of touchstone "))
    #expect(result.error.contains("wrote the verdict (SHA-256 00)\n"))
  }

  @Test func anotherCorpusCannotBeChecked() throws {
    let result = Self.verify(try Self.changing("corpus", to: "00\nthe verdict holds"))
    #expect(result.code == .harness)
    #expect(
      result.error.contains(
        #"is about the corpus with the manifest 00\nthe verdict holds of touchstone "#),
      "\(result.error)")
  }

  /// The manifest does not say what a changed file contains.
  @Test func aChangedCorpusHasNoVerdict() throws {
    let folder = try TemporaryFolder([("keep", "")])
    try FileManager.default.copyItem(
      atPath: try Corpus.standard().folder, toPath: "\(folder.path)/vectors")
    try FileManager.default.removeItem(atPath: "\(folder.path)/vectors/core/tree.json")
    let world = TestWorld()
    let words = [
      "run", "--vectors", "\(folder.path)/vectors", "--verdict", "\(folder.path)/v.json",
    ]
    #expect(world.run(all: words + ["--filter", "winner-*"]) == .harness)
    #expect(world.error.contains("a verdict needs a corpus as in its manifest.json: "))
    // No vector has run.
    #expect(world.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/v.json"))
  }

  /// Before the first vector runs, not after the last one.
  @Test func aVerdictNeedsAFolder() {
    let world = TestWorld()
    #expect(
      world.run(all: ["run", "--verdict", "/no-such-folder/v.json"] + Self.words) == .harness)
    #expect(world.output.isEmpty)
    #expect(world.error.contains("/no-such-folder/v.json: No such file or directory"))
  }

  /// A file of a stranger starts nothing.
  @Test func anAdapterIsNotStarted() throws {
    let result = Self.verify(try Self.changing("implementation", to: "exec:touch ran"))
    #expect(result.code == .usage)
    #expect(result.error.contains("'exec:touch ran', which is not part of this program"))
  }

  @Test(
    arguments: [
      (
        ["--filter", "tree-*", "--start-command", "touch ran"],
        "identity.options[2]: expected one of "
      ),
      (["--implementation", "sqlite"], "identity.options[0]: expected one of --grade, "),
      (["--filter"], "identity.options: the last option has no value"),
      (["--profile", "fast"], "unknown profile 'fast'"),
    ] as [([JSONString], String)])
  func otherOptionsAreRefused(_ options: [JSONString], _ message: String) throws {
    let result = Self.verify(
      try Self.changing("options", to: .array(options.map { .string($0) })))
    #expect(result.code == .usage)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test(arguments: [
    (["--seconds", "2"], "leave out --seconds"), (["--fail-fast"], "leave out --fail-fast"),
    (["--known-failures", "k.json"], "leave out --known-failures"),
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
    #expect(world.error.contains("--seed chooses the cases of --sample"))
  }
}
