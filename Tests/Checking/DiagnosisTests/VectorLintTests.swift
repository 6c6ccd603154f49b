import Conformance
import Datastore
import Diagnosis
import JSON
import ReferenceDatastore
import Scenarios
import Testing

struct VectorLintTests {
  /// Deviations that read and write in different ways; all of them take too long for a test.
  static let some = Deviation.named([
    "flag-by-suffix", "path-by-suffix", "tombstone-bodies-hidden", "failed-stub-fails-all-records",
  ])

  private static func corpus(_ vectors: [CorpusVector]) throws -> Corpus {
    Corpus(clauses: try ProductFileTests.corpus().clauses, vectors: vectors)
  }

  /// A vector of the corpus that cites another clause.
  private static func vector(
    _ id: VectorID, citing clause: ClauseID, profile: Profile = .core, file: String = "core/x.json"
  ) throws -> CorpusVector {
    let corpus = try ProductFileTests.corpus()
    var vector = try #require(corpus.vector(id)).vector
    vector.clauses = [clause]
    vector.profile = profile
    return CorpusVector(
      vector, clauses: corpus.clauses.filter { $0.id == clause }, file: file)
  }

  @Test func aVectorThatDependsOnADeviationIsFound() throws {
    let deviation = try #require(Deviation.named("path-by-suffix"))
    let id: VectorID = "tree-same-suffix-two-generations"
    let dependent = VectorLint(try Self.corpus([try Self.vector(id, citing: "WIN-001")]))
    #expect(dependent.finding(under: deviation).vectors.map(\.id) == [id])
    let other = try #require(Deviation.named("list-by-utf16"))
    #expect(dependent.finding(under: other).vectors.isEmpty)
    let citing = VectorLint(try Self.corpus([try Self.vector(id, citing: "TREE-010")]))
    #expect(citing.finding(under: deviation).vectors.isEmpty)
  }

  @Test func productsAndRecordingsAreLeftOut() throws {
    let id: VectorID = "tree-same-suffix-two-generations"
    let lint = VectorLint(
      try Self.corpus([
        try Self.vector(id, citing: "WIN-001", profile: .couchdb),
        try Self.vector(id, citing: "WIN-001", file: "observed/pouchdb/x.json"),
      ]))
    #expect(lint.vectors.isEmpty)
  }

  @Test func entriesExplainAsManyVectorsAsTheyState() throws {
    let id: VectorID = "tree-same-suffix-two-generations"
    let lint = VectorLint(try Self.corpus([try Self.vector(id, citing: "WIN-001")]))
    let findings = [lint.finding(under: try #require(Deviation.named("path-by-suffix")))]
    func report(_ entries: [(String, String)]) throws -> LintReport {
      let entries = entries.map { deviation, vectors -> JSONValue in
        ["deviation": .text(deviation), "vectors": .text(vectors), "reason": "r"]
      }
      let list = try LintList([
        "format": "touchstone-lint", "version": 1, "entries": .array(entries),
      ])
      return LintReport(findings, known: list)
    }
    let without = try report([])
    #expect(without.unexplained.flatMap(\.vectors).map(\.id) == [id])
    #expect(!without.isClean)
    let known = try report([("path-by-suffix", "tree-same-*")])
    #expect(known.isClean)
    #expect(known.explainedCount == 1)
    let stale = try report([("path-by-suffix", "tree-same-*"), ("path-by-suffix", "win-*")])
    #expect(stale.unexplained.isEmpty)
    #expect(stale.miscounts.map(\.number) == [2])
    #expect(stale.miscounts.map(\.count) == [0])
    // A pattern that explains more vectors than it states may hide a new one.
    let other: VectorID = "tree-late-body-brings-its-flag"
    let more = VectorLint(
      try Self.corpus([
        try Self.vector(id, citing: "WIN-001"), try Self.vector(other, citing: "WIN-001"),
      ]))
    let names = try LintList(
      JSONValue.parse(
        #"""
        {"format": "touchstone-lint", "version": 1, "entries": [
          {"deviation": "path-by-suffix", "vectors": "tree-*", "count": 2, "reason": "r"}]}
        """#))
    let found = more.finding(under: findings[0].deviation)
    #expect(LintReport([found], known: names).miscounts.map(\.count) == [found.vectors.count])
    // The entries of a deviation that was not run are not compared.
    #expect(try report([("path-by-suffix", "*"), ("list-by-utf16", "win-*")]).isClean)
  }

  @Test(arguments: [
    (#"{"deviation": "no-such", "vectors": "x", "reason": "r"}"#, "unknown deviation 'no-such'"),
    (#"{"deviation": "path-by-suffix", "vectors": "x", "reason": ""}"#, "empty"),
    (#"{"deviation": "path-by-suffix", "reason": "r"}"#, "vectors"),
    (
      #"{"deviation": "path-by-suffix", "vectors": "x", "count": 0, "reason": "r"}"#,
      "not a number of vectors"
    ),
    (#"{"deviation": "path-by-suffix", "vectors": "x", "reason": "r", "more": 1}"#, "more"),
  ])
  func aBadEntryIsRejected(entry: String, part: String) throws {
    let json = try JSONValue.parse(
      #"{"format": "touchstone-lint", "version": 1, "entries": [\#(entry)]}"#)
    let error = #expect(throws: DecodingFailure.self) { try LintList(json) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(part))
  }

  @Test func theCorpusIsCleanUnderSome() throws {
    let corpus = try ProductFileTests.corpus()
    let lint = VectorLint(corpus)
    let report = LintReport(
      Self.some.map { lint.finding(under: $0) }, known: try LintList.read(corpus.folder))
    #expect(report.unexplained.flatMap(\.vectors).map(\.id) == [])
    #expect(report.miscounts.map(\.entry.vectors) == [])
    #expect(report.explainedCount > 0)
  }

  /// Entries of deviations that no test runs must match a vector at least.
  @Test func everyEntryMatchesAVector() throws {
    let corpus = try ProductFileTests.corpus()
    let lint = VectorLint(corpus)
    for entry in try LintList.read(corpus.folder).entries {
      #expect(
        lint.vectors.contains { entry.describes($0, under: entry.deviation) }, "\(entry.vectors)")
    }
  }
}
