import Datastore
import JSON
import Scenarios

@testable import Conformance

/// The clauses and vectors of the runner's own tests.
enum Fixtures {
  static let clauses: [Clause] = [
    Clause(id: "TREE-001", level: .must, text: "A tree is a tree.", source: "here"),
    Clause(id: "EDIT-001", level: .must, text: "Only a leaf can be edited.", source: "here"),
    Clause(id: "EDIT-002", level: .should, text: "Edits are quick.", source: "here"),
    Clause(
      id: "EDIT-003", level: .must, text: "Something happens.", source: "here",
      status: .ambiguous(accepted: ["This.", "That."])),
  ]

  /// Returns a vector from JSON; id, clauses, profile and note have default values.
  static func vector(_ text: String) throws -> CorpusVector {
    var object = try JSONValue.parse(text).objectValue ?? [:]
    let defaults: [(JSONString, JSONValue)] = [
      ("id", "tree-vector"), ("clauses", ["TREE-001"]), ("profile", "core"), ("note", "Because."),
    ]
    for (name, value) in defaults where object[name] == nil { object[name] = value }
    let vector = try Vector(.object(object))
    let cited = vector.clauses.compactMap { id in clauses.first { $0.id == id } }
    return CorpusVector(vector, clauses: cited, file: "core/tree.json")
  }

  static func corpus(_ vectors: [CorpusVector]) -> Corpus {
    Corpus(clauses: clauses, vectors: vectors, integrity: .released)
  }

  /// Returns a vector that every correct store passes.
  static func passing(_ id: String = "tree-pass", more: String = "") throws -> CorpusVector {
    try vector(
      #"{"id": "\#(id)"\#(more), "steps": [{"do": {"op": "create", "store": "a", "body": {}}}]}"#)
  }

  /// Returns a vector that a store fails if it accepts stale revisions.
  static func conflicting(
    _ id: String = "edit-stale", clauses: String = #"["EDIT-001"]"#
  ) throws -> CorpusVector {
    try vector(
      """
      {"id": "\(id)", "clauses": \(clauses), "note": "A stale edit must not win.", "steps": [
        {"do": {"op": "create", "store": "a", "id": "d", "body": {"n": 1}},
         "expect": {"ok": {"rev": {"$bind": "first", "generation": 1}}}},
        {"do": {"op": "update", "store": "a", "id": "d", "rev": {"$ref": "first"}, "body": {}}},
        {"do": {"op": "update", "store": "a", "id": "d", "rev": {"$ref": "first"}, "body": {}},
         "expect": {"error": {"kind": "conflict"}}}]}
      """)
  }

  static func report(
    _ vectors: [CorpusVector], _ implementation: FakeDatastore = FakeDatastore(),
    _ selection: Selection = .all
  ) -> RunReport {
    let runner = Runner(
      implementation, rerunCommand: { "touchstone run --filter \($0)" })
    return runner.run(corpus(vectors), selection)
  }
}
