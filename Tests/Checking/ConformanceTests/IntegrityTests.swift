import Datastore
import Digest
import Foundation
import JSON
import Scenarios
import Testing

@testable import Conformance

/// A corpus compared with its manifest, and the manifest with the released one.
@Suite struct IntegrityTests {
  /// Returns a complete corpus of two files with its manifest.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder([
      ("clauses.json", CorpusTests.clauses),
      (
        "core/tree.json",
        CorpusTests.file(CorpusTests.vector("tree-a") + "," + CorpusTests.vector("tree-b"))
      ),
      ("core/wood.json", CorpusTests.file(CorpusTests.vector("tree-c"))),
    ])
    let manifest = try Manifest(of: try Corpus(folder: folder.path), after: nil)
    try write(manifest.json.pretty(), "manifest.json", folder)
    return folder
  }

  private static func write(_ text: String, _ name: String, _ folder: TemporaryFolder) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
  }

  private static func text(_ name: String, _ folder: TemporaryFolder) throws -> String {
    String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")), as: UTF8.self)
  }

  private static func differences(_ folder: TemporaryFolder) throws -> [String] {
    try Corpus(folder: folder.path).differences.map(\.description)
  }

  /// The conclusion of a run in which every vector passes.
  private static func conclusion(_ corpus: Corpus) -> Conclusion {
    RunSummary(
      RunReport(
        implementation: FakeDatastore().description, corpus: corpus,
        results: corpus.vectors.map { RunReport.Result(vector: $0, verdict: .pass) })
    ).conclusion
  }

  @Test func aConsistentCorpusThatIsNotTheReleasedOnePasses() throws {
    let folder = try Self.folder()
    let corpus = try Corpus(folder: folder.path)
    #expect(corpus.integrity == .otherManifest)
    #expect(corpus.manifestSHA256?.utf8.count == 64)
    #expect(
      Self.conclusion(corpus)
        == .otherCorpusPassed(reasons: [
          "the corpus is consistent, but differs from the corpus released with this program"
        ]))
    #expect(Self.conclusion(corpus).words == "passed")
  }

  @Test func aCorpusWithoutAManifestPasses() throws {
    let folder = try Self.folder()
    try FileManager.default.removeItem(atPath: "\(folder.path)/manifest.json")
    let corpus = try Corpus(folder: folder.path)
    #expect(corpus.integrity == .noManifest)
    #expect(Self.conclusion(corpus).words == "passed")
  }

  @Test func aMissingFileIsNamedWithWhatIsMissing() throws {
    let folder = try Self.folder()
    try FileManager.default.removeItem(atPath: "\(folder.path)/core/wood.json")
    #expect(try Self.differences(folder) == ["core/wood.json: missing, with 1 vector"])
  }

  @Test func aVectorThatIsGoneOrNewIsNamed() throws {
    let folder = try Self.folder()
    try Self.write(
      CorpusTests.file(CorpusTests.vector("tree-a") + "," + CorpusTests.vector("tree-d")),
      "core/tree.json", folder)
    let found = try Self.differences(folder)
    #expect(found.count == 3)
    #expect(found[0].hasPrefix("core/tree.json: SHA-256 "))
    #expect(
      found.dropFirst() == [
        "core/tree.json: the vector 'tree-b' is missing",
        "core/tree.json: the vector 'tree-d' is not listed in manifest.json",
      ])
  }

  /// One changed byte is a difference, even if all ids are equal.
  @Test func anyOtherByteIsADifference() throws {
    let folder = try Self.folder()
    try Self.write(
      try Self.text("core/tree.json", folder) + "\n", "core/tree.json", folder)
    let found = try Self.differences(folder)
    #expect(found.count == 1 && found[0].hasPrefix("core/tree.json: SHA-256 "), "\(found)")
  }

  @Test func aClauseThatIsGoneIsNamed() throws {
    let folder = try Self.folder()
    let clauses = try JSONValue.parse(CorpusTests.clauses).objectValue?["clauses"]
    let first = try #require(clauses?.arrayValue?.first)
    try Self.write(
      JSONValue.object(["clauses": .array([first])]).pretty(), "clauses.json", folder)
    let found = try Self.differences(folder)
    #expect(
      found.dropFirst() == [
        "clauses.json: 1 clause, but manifest.json says 2",
        "clauses.json: the clause 'TREE-002' is missing",
      ])
  }

  @Test func aFileThatIsNotListedIsNamed() throws {
    let folder = try Self.folder()
    try Self.write(CorpusTests.file(CorpusTests.vector("tree-d")), "core/more.json", folder)
    #expect(try Self.differences(folder) == ["core/more.json: not listed in manifest.json"])
  }

  /// A file or a vector that the manifest lists twice is reported.
  @Test(arguments: [
    ("core/wood.json", "core/tree.json", "core/tree.json: listed twice in manifest.json"),
    ("tree-b", "tree-a", "core/tree.json: the vector 'tree-a' is listed twice in manifest.json"),
  ])
  func whatIsListedTwiceIsNamed(_ name: String, _ other: String, _ problem: String) throws {
    let folder = try Self.folder()
    let manifest = try Self.text("manifest.json", folder)
    try Self.write(
      manifest.replacingOccurrences(of: "\"\(name)\"", with: "\"\(other)\""), "manifest.json",
      folder)
    #expect(try Self.differences(folder).contains(problem))
  }

  @Test func aRetiredIdInUseIsNamed() throws {
    let folder = try Self.folder()
    let corpus = try Corpus(folder: folder.path)
    let manifest = Manifest(
      files: try Manifest(of: corpus, after: nil).files,
      retiredVectors: [.init(id: "tree-a", reason: "old")], retiredClauses: [])
    try Self.write(manifest.json.pretty(), "manifest.json", folder)
    #expect(try Self.differences(folder) == ["manifest.json: 'tree-a' is retired, but in use"])
  }

  @Test func aManifestThatCannotBeReadIsADifference() throws {
    let folder = try Self.folder()
    try Self.write("{}", "manifest.json", folder)
    #expect(try Self.differences(folder) == ["manifest.json: format: missing member"])
  }

  @Test(arguments: ReportFormat.allCases) func everyReportSaysIncomplete(
    _ format: ReportFormat
  ) throws {
    let folder = try Self.folder()
    try FileManager.default.removeItem(atPath: "\(folder.path)/core/wood.json")
    let corpus = try Corpus(folder: folder.path)
    let results = corpus.vectors.map { RunReport.Result(vector: $0, verdict: .pass) }
    let report = RunReport(
      implementation: FakeDatastore().description, corpus: corpus, results: results)
    #expect(
      RunSummary(report).conclusion
        == .incomplete(reasons: ["the corpus differs from its manifest: 1 difference"]))
    let text = format.text(of: report)
    switch format {
    case .badgeSVG, .badgeJSON: #expect(text.contains("incomplete · contract · core 2/2"))
    default: #expect(text.contains("core/wood.json: missing, with 1 vector"), "\(text)")
    }
    let matrix = RunMatrix([("one", report), ("two", report)])
    if let side = format.text(of: matrix) {
      #expect(side.contains("core/wood.json: missing, with 1 vector"), "\(side)")
    }
    let people = TerminalReport(report).text
    #expect(people.contains("  core/wood.json: missing, with 1 vector\n"), "\(people)")
    #expect(
      people.hasSuffix(
        "\nincomplete (grade contract): the corpus differs from its manifest: 1 difference\n"))
    #expect(MatrixText(matrix).text.contains("core/wood.json: missing, with 1 vector"))
  }

  /// Problems of a folder with a manifest are listed, and the other vectors are run.
  @Test(arguments: [
    (
      "core/wood.json", CorpusTests.file(CorpusTests.vector("tree-a")), ["tree-a", "tree-b"],
      "core/wood.json: tree-a: vectors[0].id: duplicate id, also in core/tree.json"
    ),
    (
      "core/wood.json", CorpusTests.file(CorpusTests.vector("tree-c", #"["TREE-009"]"#)),
      ["tree-a", "tree-b"],
      "core/wood.json: tree-c: vectors[0].clauses[0]: unknown clause 'TREE-009'"
    ),
    (
      "core/tree.json", "]", ["tree-c"],
      "core/tree.json: line 1, byte column 1: byte 0: expected a value, found ']'"
    ),
    (
      "core/tree.json", CorpusTests.file(CorpusTests.vector("tree-a") + #", {"id": "tree-b"}"#),
      ["tree-a", "tree-c"], "core/tree.json: tree-b: vectors[1].clauses: missing member"
    ),
  ])
  func problemsOfReadingAreDifferences(
    _ file: String, _ text: String, _ run: [String], _ problem: String
  ) throws {
    let folder = try Self.folder()
    try Self.write(text, file, folder)
    #expect(throws: CorpusError.self) { try Corpus(folder: folder.path) }
    let corpus = try VectorsLocation.find(folder.path).read().corpusForRun()
    #expect(corpus.vectors.map(\.id.description) == run)
    let found = corpus.differences.map(\.description)
    #expect(found.first == problem)
    #expect(found.contains { $0.hasPrefix("\(file): SHA-256 ") }, "\(found)")
    #expect(Self.conclusion(corpus).words == "incomplete")
    let results = corpus.vectors.map { RunReport.Result(vector: $0, verdict: .pass) }
    let report = RunReport(
      implementation: FakeDatastore().description, corpus: corpus, results: results)
    let message = problem.suffix(20)
    for format in ReportFormat.allCases where format != .badgeSVG && format != .badgeJSON {
      let unescaped = format.text(of: report)
        .replacingOccurrences(of: "&#39;", with: "'").replacingOccurrences(of: "&apos;", with: "'")
        .replacingOccurrences(of: #"\"#, with: "")
      #expect(unescaped.contains(message), "\(format): \(unescaped)")
    }
    #expect(TerminalReport(report, width: 200).text.contains("  \(problem)\n"))
  }

  /// A manifest that matches the faulty files does not hide their problems.
  @Test func aManifestThatAgreesExcusesNoProblem() throws {
    let folder = try Self.folder()
    let twice = CorpusTests.file(CorpusTests.vector("tree-a"))
    try Self.write(twice, "core/wood.json", folder)
    let reading = try VectorsLocation.find(folder.path).read()
    let manifest = try Manifest(of: reading.corpus, after: nil)
    try Self.write(manifest.json.pretty(), "manifest.json", folder)
    let corpus = try VectorsLocation.find(folder.path).read().corpusForRun()
    #expect(corpus.differences.first?.message == "duplicate id, also in core/tree.json")
    #expect(Self.conclusion(corpus).words == "incomplete")
  }

  @Test(arguments: ["manifest.json", "clauses.json", "core"])
  func withoutAManifestClausesOrVectorsNothingIsRun(_ broken: String) throws {
    let folder = try Self.folder()
    try Self.write("]", "core/wood.json", folder)
    switch broken {
    case "manifest.json":
      try FileManager.default.removeItem(atPath: "\(folder.path)/manifest.json")
    case "clauses.json": try Self.write("]", "clauses.json", folder)
    default: try Self.write("]", "core/tree.json", folder)
    }
    let location = try VectorsLocation.find(folder.path)
    #expect(throws: CorpusError.self) { try location.read().corpusForRun() }
  }

  /// A failure in a changed corpus is no evidence against a store.
  @Test func incompleteWeighsMoreThanAFailure() throws {
    let vectors = [try Fixtures.passing(), try Fixtures.conflicting()]
    let problem = CorpusProblem(file: "core/x.json", message: "missing, with 1 vector")
    let corpus = Corpus(
      clauses: Fixtures.clauses, vectors: vectors, integrity: .incomplete([problem]))
    let report = Runner(FakeDatastore(.noConflicts)).run(corpus)
    #expect(
      RunSummary(report).conclusion
        == .incomplete(reasons: [
          "the corpus differs from its manifest: 1 difference", "1 vector failed",
        ]))
    #expect(RunSummary(report).offers.first?.grade == .notConformant)
  }

  @Test func theProgramKnowsTheManifestOfThisCheckout() throws {
    let folder = try VectorsLocation.find().folder
    let bytes = try Files.read("\(folder)/manifest.json")
    #expect(
      ReleasedManifest.sha256 == DigestAlgorithm.sha256.digest(of: bytes).hexadecimal,
      "run 'touchstone vectors generate' and build again")
    let source = try Files.read("\(folder)/\(ReleasedManifest.sourcePath)")
    let text = ReleasedManifest.source(ofManifest: String(decoding: bytes, as: UTF8.self))
    #expect(Array(text.utf8) == source)
  }
}
