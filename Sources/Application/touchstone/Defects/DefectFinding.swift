internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

/// What became of one mistake: which vectors saw it.
struct DefectFinding {
  let name: String
  let kind: Mistake.Kind
  /// The bundled implementation in which it was made.
  let implementation: String
  let sentence: String
  /// The rule that it breaks.
  let clause: String
  /// Where a product made it.
  var link: String?
  var end: Mistake.End
  /// The vectors that failed, in the order of the corpus.
  var killers: [CorpusVector] = []

  /// What is kept of it.
  var mistake: Mistake {
    Mistake(
      name: JSONString(name), kind: kind, implementation: JSONString(implementation),
      sentence: JSONString(sentence), clause: ClauseID(JSONString(clause)),
      link: link.map { JSONString($0) },
      end: end, provesClause: provesClause, killers: killers)
  }

  /// The vectors written by hand that saw it and are about the rule that it breaks.
  var witnesses: [CorpusVector] {
    killers.filter { $0.isHandWritten && $0.cites(clause) }
  }

  /// The vectors written by hand that saw it, and are about other rules of the family only.
  var strays: [CorpusVector] {
    let family = clause.prefix { $0 != "-" }
    return killers.filter { vector in
      vector.isHandWritten && !vector.cites(clause)
        && vector.clauses.contains { $0.family.string == family }
    }
  }

  /// Whether it is seen to break its rule and no other one of the family.
  var provesClause: Bool { !witnesses.isEmpty && strays.isEmpty }

  /// The one vector without which nobody would notice; nil when there are more, or none.
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
  /// Whether somebody thought of it: it was neither recorded nor generated.
  var isHandWritten: Bool { origin == .written }

  fileprivate func cites(_ clause: String) -> Bool {
    clauses.contains { $0.id.description == clause }
  }
}
