import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct BasisTests {
  /// A clause with these members of `basis`.
  private static func read(
    _ basis: String?, level: String = "MUST", binds: String = "layer"
  ) throws -> Clause {
    let member = basis.map { #", "basis": \#($0)"# } ?? ""
    return try Clause(
      try JSONValue.parse(
        """
        {"id": "CTX-001", "level": "\(level)", "binds": "\(binds)", "text": "A context saves.",
         "source": "s", "status": "agreed"\(member)}
        """), path: "clause")
  }

  private static let confirmed =
    #"{"state": "confirmed", "sources": ["https://example.org/a", "o/r@1234567:a/b.m (test)"]}"#
  private static let optional =
    #"{"state": "unknown", "options": ["savesTwice"], "note": "No source."}"#

  @Test(arguments: [
    confirmed, optional, #"{"state": "ruling", "note": "A form."}"#,
    #"{"state": "contradicted", "sources": ["t"], "note": "It says otherwise."}"#,
    #"{"state": "guide", "sources": ["A guide, Saving"]}"#,
  ])
  func isReadBack(basis: String) throws {
    let clause = try Self.read(basis)
    #expect(try JSONValue.parse(basis) == clause.json.objectValue?["basis"])
    #expect(try Clause(clause.json, path: "") == clause)
  }

  @Test(arguments: [
    (#"{"state": "confirmed"}"#, "clause.basis.sources: required for the state confirmed"),
    (#"{"state": "guide", "note": "n"}"#, "clause.basis.sources: required for the state guide"),
    (
      #"{"state": "contradicted", "sources": ["t"]}"#,
      "clause.basis.note: required for the state contradicted"
    ),
    (#"{"state": "ruling"}"#, "clause.basis.note: required for the state ruling"),
    (#"{"state": "unknown"}"#, "clause.basis.note: required for the state unknown"),
    (#"{"state": "known", "note": "n"}"#, "clause.basis.state: 'known' is not one of"),
    (#"{"state": "ruling", "note": "n", "why": 1}"#, "clause.basis.why: unknown member"),
  ])
  func anIncompleteBasisIsInvalid(basis: String, message: String) {
    let error = #expect(throws: DecodingFailure.self) { try Self.read(basis) }
    #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
  }

  @Test func onlyLayersHaveOne() {
    let error = #expect(throws: DecodingFailure.self) {
      try Self.read(Self.confirmed, binds: "contract")
    }
    #expect(error?.description == "clause.basis: only for a clause that binds a layer")
  }

  @Test(arguments: [
    (confirmed, "MUST", true), (optional, "MUST", true), (nil, "MUST", false),
    (nil, "SHOULD", false), (#"{"state": "unknown", "note": "n"}"#, "MUST", false),
    (#"{"state": "unknown", "note": "n"}"#, "SHOULD", true),
    (#"{"state": "contradicted", "sources": ["t"], "note": "n"}"#, "MUST", false),
    (#"{"state": "ruling", "note": "n"}"#, "MUST", true),
  ])
  func levelsNeedABasis(basis: String?, level: String, isWellFounded: Bool) throws {
    let clause = try Self.read(basis, level: level)
    #expect(clause.isWellFounded == isWellFounded)
    #expect(Corpus(clauses: [clause], vectors: []).unfoundedClauses.isEmpty == isWellFounded)
  }

  @Test func otherClausesNeedNone() throws {
    #expect(try Self.read(nil, binds: "contract").isWellFounded)
  }

  /// Every clause of the bundled corpus that binds a layer has a level that its basis carries.
  @Test func theCorpusIsWellFounded() throws {
    let file = "\(try VectorsLocation.find().folder)/clauses.json"
    let list = try JSONValue.parse(try Files.read(file)).objectValue?["clauses"]
    let clauses = try #require(list?.arrayValue).map { try Clause($0, path: "clause") }
    let layers = clauses.filter { $0.binds == .layer }
    #expect(layers.count > 300)
    #expect(layers.filter { !$0.isWellFounded }.map(\.id) == [])
    let states = Set(layers.compactMap { $0.basis?.state })
    #expect(states == Set(Clause.Basis.State.allCases))
  }

  @Test func thePage() throws {
    let text = SourcesPage(
      Corpus(
        clauses: [
          try Self.read(Self.confirmed), try Self.read(Self.optional, level: "SHOULD"),
          try Self.read(nil, binds: "contract"),
        ], vectors: [])
    ).text
    #expect(
      text.contains(
        """
        | family | clauses | MUST | confirmed | guide | ruling | contradicted | unknown |
        | --- | --: | --: | --: | --: | --: | --: | --: |
        | CTX | 2 | 1 | 1 | 0 | 0 | 0 | 1 |
        | all | 2 | 1 | 1 | 0 | 0 | 0 | 1 |

        ## CTX

        | clause | rule | basis | sources and reasons |
        | --- | --- | --- | --- |
        | CTX-001 MUST | A context saves. | confirmed | <https://example.org/a><br>\
        [o/r: a/b.m](https://github.com/o/r/blob/1234567/a/b.m) (test) |
        | CTX-001 SHOULD | A context saves. | unknown | No source.<br>option: `savesTwice` |

        """), "\(text)")
  }

  @Test func theExplanation() throws {
    let clause = try Self.read(
      #"{"state": "contradicted", "sources": ["o/r@1:a"], "options": ["x"], "note": "It differs."}"#
    )
    let handbook = Handbook(Corpus(clauses: [clause], vectors: []), [], terms: [])
    let explanation = try #require(handbook.explanation(of: "CTX-001"))
    let text = ExplanationText(handbook, width: 80, style: .plain).text(explanation)
    #expect(
      text.contains(
        """

        Basis  contradicted: a source says otherwise
          It differs.
          * o/r@1:a
          The other behaviour is an option: x

        """), "\(text)")
  }
}
