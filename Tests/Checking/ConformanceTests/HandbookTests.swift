import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

@Suite struct HandbookTests {
  static func handbook() throws -> Handbook {
    let seen = try Fixtures.conflicting()
    let recorded = try Fixtures.passing(
      "tree-seen",
      more: #", "provenance": {"product": "Some DB", "version": "1", "source": "a log"}"#)
    let corpus = Fixtures.corpus([
      try Fixtures.passing(), seen,
      CorpusVector(recorded.vector, clauses: recorded.clauses, file: "observed/log.json"),
    ])
    let mutants = [
      Mutant(
        name: "stale-accepted", kind: .wrapper, implementation: "reference",
        sentence: "Stale edits are taken.", clause: "EDIT-001", link: "https://example.org/1",
        end: .killed, provesClause: true, killers: [seen]),
      Mutant(
        name: "leaf-lost", kind: .source, implementation: "sqlite", sentence: "A leaf is lost.",
        clause: "TREE-001", end: .killed, provesClause: true, killers: [seen, corpus.vectors[2]]),
    ]
    let glossary = try Glossary(
      try JSONValue.parse(
        """
        {"format": "touchstone-glossary", "version": 1, "terms": [
          {"term": "leaf", "also": ["leaves"], "text": "A tip.", "clauses": ["EDIT-001"]},
          {"term": "tree", "text": "Revisions, each with its leaf."}]}
        """))
    return Handbook(corpus, mutants, terms: glossary.terms)
  }

  static func text(_ query: JSONString) throws -> String {
    let handbook = try handbook()
    let explanation = try #require(handbook.explanation(of: query))
    return ExplanationText(handbook, width: 80, style: .plain).text(explanation)
  }

  @Test func aRule() throws {
    #expect(
      try Self.text("edit-001") == """
        EDIT-001  MUST, agreed
          Only a leaf can be edited.
          Source: here
          Binds: stores that implement this contract (grade contract)

        Vectors  1 hand-written
          edit-stale  core/tree.json
            A stale edit must not win.

        Mutants that break it
          stale-accepted  a wrapper around reference
            Stale edits are taken. https://example.org/1
            Killed by 1 hand-written.

        Other mutants that these vectors kill
          leaf-lost  A leaf is lost.

        touchstone vectors list --filter EDIT-001  lists all its vectors
        touchstone run --filter EDIT-001  runs them

        """)
    let disputed = try Self.text("EDIT-003")
    #expect(disputed.contains("MUST, ambiguous: more than one outcome is accepted\n"))
    #expect(disputed.contains("Accepted\n  * This.\n  * That.\n"))
    #expect(disputed.contains("No vector shows it.\n"))
    #expect(try Self.text("TREE-001").contains("Vectors  1 hand-written, 1 observed\n"))
  }

  @Test func aVector() throws {
    #expect(
      try Self.text("edit-stale") == """
        edit-stale  core/tree.json
          A stale edit must not win.
          Runs on stores that offer: core

        Rules
          EDIT-001 MUST Only a leaf can be edited.

        Steps
          1  create d body: {"n":1}  → ok {rev: $first:=any of generation 1}
          2  update d rev: $first, body: {}  → ok
          3  update d rev: $first, body: {}  → conflict

        Mutants that it kills
          stale-accepted (EDIT-001): Stale edits are taken.
          leaf-lost (TREE-001): A leaf is lost.

        touchstone vectors show edit-stale  shows the exact steps
        touchstone run --filter edit-stale  runs it

        """)
    #expect(try Self.text("tree-pass").contains("\nIt kills no known mutant.\n"))
    let seen = try Self.text("tree-seen")
    #expect(seen.contains("Seen in Some DB 1: a log\n"))
    #expect(seen.contains("The mutants that it kills are recorded"))
  }

  @Test func aMutant() throws {
    #expect(
      try Self.text("Leaf-Lost") == """
        leaf-lost  a patch of sqlite
          A leaf is lost.
          Breaks TREE-001 MUST A tree is a tree.
          Killed by 1 hand-written, 1 observed.
          edit-stale  core/tree.json
            A stale edit must not win.

        """)
  }

  @Test func aWord() throws {
    #expect(
      try Self.text("leaf") == """
        leaf  leaves
          A tip. (EDIT-001)

        Rules  1
          EDIT-001 MUST  Only a leaf can be edited.

        Mutants  1
          leaf-lost
            A leaf is lost.

        touchstone explain NAME  explains each of these

        """)
    #expect(try Self.text("LEAVES").hasPrefix("leaf  leaves\n"))
    // Both words match, in any order.
    #expect(try Self.text("edits stale").contains("Mutants  1\n  stale-accepted\n"))
    #expect(try Self.handbook().explanation(of: "edits nothing") == nil)
    #expect(try Self.handbook().explanation(of: " - ") == nil)
  }

  @Test func asJSON() throws {
    let handbook = try Self.handbook()
    func json(_ query: JSONString) throws -> JSONValue {
      handbook.json(try #require(handbook.explanation(of: query)))
    }
    let clause = try #require(try json("EDIT-001").objectValue)
    #expect(clause["kind"] == "clause")
    #expect(clause["vectors"] == ["written": ["edit-stale"], "observed": 0, "generated": 0])
    #expect(clause["mutants"]?.objectValue?["killed"] == ["leaf-lost"])
    let vector = try #require(try json("edit-stale").objectValue)
    #expect(vector["mutants"] == ["stale-accepted", "leaf-lost"])
    #expect(try json("tree-seen").objectValue?["mutants"] == .null)
    #expect(try json("leaf-lost").objectValue?["mutants"]?.arrayValue?.count == 1)
    let word = try #require(try json("leaf").objectValue)
    #expect(word["clauses"] == ["EDIT-001"])
    #expect(word["mutants"] == ["leaf-lost"])
  }

  @Test(arguments: [
    (
      #"{"do": {"op": "insertRevisions", "store": "a", "records": [{"id": "d", "path": ["2-b", "1-a"], "deleted": true, "body": {}}]}}"#,
      "insertRevisions records: [d 2-b ← 1-a deleted {}]", "ok {results: [ok]}"
    ),
    (
      #"{"do": {"op": "leaves", "store": "a", "id": "a b"}, "expect": {"ok": {"leaves": {"$unordered": [{"rev": "2-b", "deleted": true}, {"rev": {"$any": true}}]}}}}"#,
      #"leaves "a b""#, "ok {leaves: in any order [2-b deleted, {rev: any}]}"
    ),
    (
      #"{"do": {"op": "read", "store": "a", "id": "1"}, "expect": {"error": {"kind": "notFound", "reason": "missing"}}}"#,
      #"read "1""#, "notFound reason: missing"
    ),
    (
      #"{"do": {"op": "batch", "store": "a", "writes": [{"op": "create", "id": "true", "body": {"$ref": 1}}]}, "expect": {"oneOf": [{"ok": {}}, {"error": {"kind": "busy"}}]}}"#,
      #"batch writes: [create "true" body: {"$ref":1}]"#, "ok | busy"
    ),
  ])
  func stepsInShort(_ json: String, _ operation: String, _ expectation: String) throws {
    let step = CompactStep(try Step(try JSONValue.parse(json), path: ""), namingStore: false)
    #expect(step.operation == operation)
    #expect(step.expectation == expectation)
  }
}
