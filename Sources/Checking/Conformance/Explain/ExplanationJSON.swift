internal import Datastore
package import JSON
internal import Scenarios

extension Handbook {
  /// Returns an explanation as one object with `kind` and the members of that kind.
  ///
  /// * `clause`: `clause` as in its file, `vectors` {written, observed, generated}, `mutants`
  ///   {breaking, killed}.
  /// * `vector`: `file`, `vector` as in its file, `clauses`, `mutants`, the names of those that it
  ///   kills.
  /// * `mutant`: `mutants` as in their file.
  /// * `retired`: `mutant` as in its file.
  /// * `name`: `names` as in their file, each with its `product`, and the members of `word`.
  /// * `word`: `terms`, `names`, `clauses`, `vectors`, `mutants`, the best first.
  package func json(_ explanation: Explanation) -> JSONValue {
    switch explanation {
    case .clause(let clause):
      let vectors = vectors(showing: clause)
      let written = vectors.filter { $0.origin == .written }
      let (breaking, killed) = mutants(about: clause)
      return [
        "kind": "clause", "clause": clause.json,
        "vectors": [
          "written": .array(written.map { $0.id.json }),
          "observed": .count(vectors.count { $0.origin == .observed }),
          "generated": .count(vectors.count { $0.origin == .generated }),
        ],
        "mutants": [
          "breaking": .array(breaking.map { $0.json }),
          "killed": .array(killed.map { .string($0.name) }),
        ],
      ]
    case .vector(let vector):
      return [
        "kind": "vector", "file": .text(vector.file), "vector": vector.vector.json,
        "clauses": .array(vector.clauses.map { $0.json }),
        "mutants": vector.origin == .written
          ? .array(mutants(killedBy: vector).map { .string($0.name) }) : .null,
      ]
    case .mutant(let mutants):
      return ["kind": "mutant", "mutants": .array(mutants.map { $0.json })]
    case .retired(let mutant): return ["kind": "retired", "mutant": mutant.json]
    case .name(let names, let findings):
      var members = findings.members
      members["names"] = .array(names.map(\.json))
      return .object(JSONObject([("kind", "name")] + members.members.map { ($0.name, $0.value) }))
    case .word(let word, let findings):
      let head: [(JSONString, JSONValue)] = [("kind", "word"), ("word", .string(word))]
      return .object(JSONObject(head + findings.members.members.map { ($0.name, $0.value) }))
    }
  }
}

extension Explanation.Findings {
  fileprivate var members: JSONObject {
    [
      "terms": .array(terms.map { $0.json }), "names": .array(names.map(\.json)),
      "clauses": .array(clauses.map { $0.id.json }),
      "vectors": .array(vectors.map { $0.id.json }),
      "mutants": .array(mutants.map { .string($0.name) }),
    ]
  }
}
