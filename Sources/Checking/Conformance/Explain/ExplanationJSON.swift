internal import Datastore
package import JSON
internal import Scenarios

extension Handbook {
  /// What there is to say as one object: `kind`, and all that belongs to it.
  ///
  /// * `clause`: `clause` as in its file, `vectors` {written, observed, generated}, `mistakes`
  ///   {breaking, seen}.
  /// * `vector`: `file`, `vector` as in its file, `clauses`, `mistakes`, the names of those it sees.
  /// * `mistake`: `mistakes` as in their file.
  /// * `retired`: `mutant` as in its file.
  /// * `word`: `terms`, `clauses`, `vectors`, `mistakes`, the best first.
  package func json(_ explanation: Explanation) -> JSONValue {
    switch explanation {
    case .clause(let clause):
      let vectors = vectors(showing: clause)
      let written = vectors.filter { $0.origin == .written }
      let (breaking, seen) = mistakes(about: clause)
      return [
        "kind": "clause", "clause": clause.json,
        "vectors": [
          "written": .array(written.map { $0.id.json }),
          "observed": .count(vectors.count { $0.origin == .observed }),
          "generated": .count(vectors.count { $0.origin == .generated }),
        ],
        "mistakes": [
          "breaking": .array(breaking.map { $0.json }),
          "seen": .array(seen.map { .string($0.name) }),
        ],
      ]
    case .vector(let vector):
      return [
        "kind": "vector", "file": .text(vector.file), "vector": vector.vector.json,
        "clauses": .array(vector.clauses.map { $0.json }),
        "mistakes": vector.origin == .written
          ? .array(mistakes(seenBy: vector).map { .string($0.name) }) : .null,
      ]
    case .mistake(let mistakes):
      return ["kind": "mistake", "mistakes": .array(mistakes.map { $0.json })]
    case .retired(let mutant): return ["kind": "retired", "mutant": mutant.json]
    case .word(let word, let findings):
      return [
        "kind": "word", "word": .string(word),
        "terms": .array(findings.terms.map { $0.json }),
        "clauses": .array(findings.clauses.map { $0.id.json }),
        "vectors": .array(findings.vectors.map { $0.id.json }),
        "mistakes": .array(findings.mistakes.map { .string($0.name) }),
      ]
    }
  }
}
