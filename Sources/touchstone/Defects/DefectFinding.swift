internal import Conformance
internal import Datastore
internal import JSON

/// What became of one mistake: which vectors saw it.
struct DefectFinding {
  let name: String
  /// `wrapper` or `source`.
  let kind: String
  /// The bundled implementation in which it was made.
  let implementation: String
  let sentence: String
  /// The rule that it breaks.
  let clause: String
  /// Where a product made it.
  var link: String?
  var end: End
  /// The vectors that failed, in the order of the corpus.
  var killers: [CorpusVector] = []

  enum End: String {
    /// Vectors failed.
    case killed
    /// The process ended in the middle.
    case crashed
    /// It did not end in time.
    case timeout
    /// Nobody noticed.
    case survived
  }

  /// Whether one of the vectors that saw it is about the rule that it breaks.
  var provesClause: Bool {
    killers.contains { $0.clauses.contains { $0.id.description == clause } }
  }

  /// The one vector without which nobody would notice; nil when there are more, or none.
  var onlyKiller: CorpusVector? { killers.count == 1 ? killers[0] : nil }

  var json: JSONValue {
    var json: JSONObject = [
      "name": .text(name), "kind": .text(kind), "implementation": .text(implementation),
      "sentence": .text(sentence), "clause": .text(clause), "end": .text(end.rawValue),
      "provesClause": .bool(provesClause), "killers": .array(killers.map { $0.id.json }),
    ]
    json["link"] = link.map { .text($0) }
    return .object(json)
  }
}
