internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

/// The result of running the vectors against one mutant.
struct DefectFinding {
  let name: String
  let kind: Mutant.Kind
  /// The bundled implementation that it changes.
  let implementation: String
  let sentence: String
  /// The rule that it breaks.
  let clause: String
  /// The issue of a product that had this error.
  var link: String?
  var end: Mutant.End
  /// The vectors that failed, in the order of the corpus.
  var killers: [CorpusVector] = []

  /// The entry for the mutant catalogue.
  var mutant: Mutant {
    Mutant(
      name: JSONString(name), kind: kind, implementation: JSONString(implementation),
      sentence: JSONString(sentence), clause: ClauseID(JSONString(clause)),
      link: link.map { JSONString($0) },
      end: end, provesClause: provesClause, killers: killers)
  }

  /// The hand-written killers that cite the rule that it breaks.
  var witnesses: [CorpusVector] {
    killers.filter { $0.isHandWritten && $0.cites(clause) }
  }

  /// The hand-written killers that cite only other rules of the family.
  var strays: [CorpusVector] {
    let family = clause.prefix { $0 != "-" }
    return killers.filter { vector in
      vector.isHandWritten && !vector.cites(clause)
        && vector.clauses.contains { $0.family.string == family }
    }
  }

  /// Whether the hand-written killers show that it breaks its rule and no other rule of the family.
  var provesClause: Bool { !witnesses.isEmpty && strays.isEmpty }

  /// The vector that alone kills it; nil when there are more or none.
  var onlyKiller: CorpusVector? { killers.count == 1 ? killers[0] : nil }

  var json: JSONValue {
    var json: JSONObject = [
      "name": .text(name), "kind": .text(kind.rawValue), "implementation": .text(implementation),
      "sentence": .text(sentence), "clause": .text(clause), "end": .text(end.rawValue),
      "provesClause": .bool(provesClause), "killers": .array(killers.map { $0.id.json }),
      "witnesses": .array(witnesses.map { $0.id.json }),
      "strays": .array(strays.map { $0.id.json }),
    ]
    json["link"] = link.map { .text($0) }
    return .object(json)
  }
}

extension CorpusVector {
  /// Whether it was written by hand, and neither recorded nor generated.
  var isHandWritten: Bool { origin == .written }

  fileprivate func cites(_ clause: String) -> Bool {
    clauses.contains { $0.id.description == clause }
  }
}
