import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct RunMatrixTests {
  /// Returns a matrix of three stores: one accepts stale edits, one does not support compaction.
  static func matrix() throws -> RunMatrix {
    let vectors = [
      try Fixtures.passing(), try Fixtures.conflicting(),
      try Fixtures.vector(
        """
        {"id": "tree-compact", "capabilities": ["compact"],
         "steps": [{"do": {"op": "compact", "store": "a"}}]}
        """),
    ]
    let stores = [
      ("honest", FakeDatastore(capabilities: [.compact])), ("hasty", FakeDatastore(.noConflicts)),
      ("vague", FakeDatastore(.wrongKind, capabilities: [.compact])),
    ]
    return RunMatrix(stores.map { ($0.0, Fixtures.report(vectors, $0.1)) })
  }

  @Test func cellsHaveGradesAndDenominators() throws {
    let matrix = try Self.matrix()
    #expect(matrix.offers.map(\.name) == ["core", "compact"])
    #expect(matrix.offers[0].cells.map(\.words) == ["2/2", "1/2", "1/2"])
    #expect(
      matrix.offers[0].cells.map(\.grade) == [.conformant, .notConformant, .notConformant])
    #expect(matrix.offers[1].cells.map(\.words) == ["1/1", "not offered", "1/1"])
    #expect(matrix.families.map(\.name) == ["TREE", "EDIT"])
    #expect(matrix.families[1].cells.map(\.isBad) == [false, true, true])
  }

  @Test func behavioursAreGrouped() throws {
    let matrix = try Self.matrix()
    let difference = try #require(matrix.differences.first)
    #expect(matrix.differences.count == 1 && difference.vector.id == "edit-stale")
    #expect(difference.behaviours.map(\.implementations) == [["honest"], ["hasty"], ["vague"]])
    #expect(
      difference.behaviours.map(\.words) == [
        "as expected", "step 3 update: accepts an operation that must be rejected as conflict",
        "step 3 update: returns the error forbidden, not conflict",
      ])
    #expect(matrix.failedByAll == [])
  }

  /// Generated revision ids and message texts do not distinguish behaviours.
  @Test func whatStoresMakeUpTellsNothing() throws {
    let vector = try Fixtures.vector(
      """
      {"steps": [{"do": {"op": "create", "store": "a", "id": "d", "body": {"last": "x"}},
                  "expect": {"error": {"kind": "conflict"}}}]}
      """)
    func report(_ outcome: JSONValue) -> RunReport {
      let witness = Witness(
        vector: vector, step: 1,
        exchange: Witness.Exchange(operation: ["op": "create"], outcome: outcome),
        expected: [:], mismatches: [])
      return RunReport(
        implementation: FakeDatastore().description, corpus: Fixtures.corpus([vector]),
        results: [RunReport.Result(vector: vector, verdict: .fail(witness))])
    }
    func behaviours(_ left: JSONValue, _ right: JSONValue) -> Int {
      let matrix = RunMatrix([("a", report(left)), ("b", report(right))])
      #expect(matrix.failedByAll == [vector.id])
      return matrix.differences.first?.behaviours.count ?? 1
    }
    #expect(
      behaviours(["ok": ["id": "d", "rev": "1-aa"]], ["ok": ["id": "d", "rev": "1-bb"]]) == 1)
    #expect(
      behaviours(["ok": ["id": "d", "rev": "1-aa"]], ["ok": ["id": "d", "rev": "2-aa"]]) == 2)
    #expect(
      behaviours(
        ["error": ["kind": "badID", "message": "a"]], ["error": ["kind": "badID", "message": "b"]])
        == 1)
    #expect(behaviours(["ok": ["seq": 1]], ["ok": ["seq": "1-x"]]) == 1)
    #expect(behaviours(["ok": ["body": ["last": "x"]]], ["ok": ["body": ["last": "y"]]]) == 2)
    // The texts look equal, but their bytes differ.
    #expect(
      behaviours(["ok": ["body": ["n": "\u{E9}"]]], ["ok": ["body": ["n": "e\u{301}"]]]) == 2)
  }

  @Test func forATerminal() throws {
    let text = MatrixText(try Self.matrix()).text
    #expect(
      text.hasPrefix(
        """
                 honest  hasty        vague
        core     2/2     1/2 ✗        1/2 ✗
        compact  1/1     not offered  1/1

              honest  hasty  vague
        TREE  2/2     1/2    2/2
        EDIT  1/1     0/1 ✗  0/1 ✗

        DIFFER edit-stale  core/tree.json
          EDIT-001 MUST Only a leaf can be edited.
          honest: as expected
          hasty: step 3 update: accepts an operation that must be rejected as conflict
            - {"error":{"kind":"conflict"}}

        """), "\(text)")
    #expect(
      text.hasSuffix(
        """
        honest · 3 of 3 vectors · conformant (grade contract)
        hasty · 2 of 3 vectors · not conformant (grade contract): 1 vector failed
        vague · 3 of 3 vectors · not conformant (grade contract): 1 vector failed

        """), "\(text)")
  }

  @Test func asMarkdown() throws {
    let text = try #require(ReportFormat.markdown.text(of: try Self.matrix()))
    #expect(
      text.contains(
        """
        | core, capability or profile | honest | hasty | vague |
        | --- | --: | --: | --: |
        | core | 2/2 | **1/2** ✗ | **1/2** ✗ |
        | compact | 1/1 | not offered | 1/1 |

        """), "\(text)")
    #expect(
      text.contains(
        "**hasty**: step 3 update: accepts an operation that must be rejected as conflict\n\n```diff\n"
      ))
  }

  @Test func asJSONLines() throws {
    let text = try #require(ReportFormat.jsonl.text(of: try Self.matrix()))
    let lines = try text.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
    let kinds = lines.map { $0.objectValue?["kind"]?.textValue?.string ?? "" }
    #expect(
      kinds == Array(repeating: ["header", "vector", "vector", "vector", "footer"], count: 3)
        .flatMap { $0 } + ["difference", "matrix"])
    #expect(lines[5].objectValue?["label"] == "hasty")
    #expect(text.contains(#"{"implementations":["honest"],"behaviour":"asExpected","#))
    #expect(text.contains(#"{"grade":"notOffered","passed":0,"count":1}"#))
  }

  @Test func otherFormsHoldOneImplementation() throws {
    for format in ReportFormat.allCases {
      #expect((format.text(of: try Self.matrix()) != nil) == format.holdsSeveral)
    }
  }
}

@Suite struct GradeTests {
  private static func grade(
    _ vectors: [CorpusVector], _ store: FakeDatastore = FakeDatastore(),
    _ selection: Selection = .all, of name: String = "core"
  ) -> Grade? {
    RunSummary(Fixtures.report(vectors, store, selection)).offers
      .first { $0.offer.name == name }?.grade
  }

  @Test func theCoreIsAllOrNothing() throws {
    let vectors = [try Fixtures.passing(), try Fixtures.conflicting()]
    #expect(Self.grade(vectors) == .conformant)
    #expect(Self.grade(vectors, FakeDatastore(.noConflicts)) == .notConformant)
    #expect(Self.grade(vectors, FakeDatastore(.smallLimits)) == .notConformant)
    #expect(Self.grade(vectors, FakeDatastore(.harnessError("create"))) == .noVerdict)
    #expect(
      Self.grade(vectors, FakeDatastore(), Selection(globs: [Glob("tree-*")])) == .incomplete)
    #expect(Self.grade([]) == .notAsked)
  }

  @Test func aRecommendationIsNotRequired() throws {
    let vectors = [
      try Fixtures.passing(), try Fixtures.conflicting("edit-quick", clauses: #"["EDIT-002"]"#),
    ]
    #expect(Self.grade(vectors, FakeDatastore(.noConflicts)) == .conformant)
  }

  /// A skipped vector makes the grade of its capability incomplete.
  @Test func aSkipIsNeverAPass() throws {
    let vectors = [
      try Fixtures.passing(),
      try Fixtures.vector(
        """
        {"id": "tree-compact", "capabilities": ["compact"],
         "steps": [{"do": {"op": "compact", "store": "a"}}]}
        """),
      try Fixtures.passing("tree-both", more: #", "capabilities": ["compact", "purge"]"#),
    ]
    let store = FakeDatastore(capabilities: [.compact])
    #expect(Self.grade(vectors, store, of: "compact") == .incomplete)
    #expect(Self.grade(Array(vectors.prefix(2)), store, of: "compact") == .conformant)
    #expect(Self.grade(vectors, store, of: "purge") == .notOffered)
  }
}
