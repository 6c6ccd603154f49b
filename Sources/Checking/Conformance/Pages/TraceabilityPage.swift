internal import Datastore
internal import JSON
internal import Scenarios

/// Which vectors show a rule, and which mistakes prove that they do, as a page of Markdown.
package struct TraceabilityPage {
  private let corpus: Corpus
  private let mistakes: [Mistake]
  private let vectors: [ClauseID: [CorpusVector]]
  private let breaking: [ClauseID: [Mistake]]

  package static let fileName = "TRACEABILITY.md"

  package init(_ corpus: Corpus, _ mistakes: MistakeList?) {
    self.corpus = corpus
    self.mistakes = mistakes?.mistakes ?? []
    var vectors: [ClauseID: [CorpusVector]] = [:]
    for vector in corpus.vectors {
      for clause in vector.vector.clauses { vectors[clause, default: []].append(vector) }
    }
    self.vectors = vectors
    breaking = Dictionary(grouping: self.mistakes, by: \.clause)
  }

  package var text: String {
    var lines = introduction
    var families: [JSONString] = []
    for clause in corpus.clauses where !families.contains(clause.family) {
      families.append(clause.family)
    }
    for family in families {
      let rows = corpus.clauses.filter { $0.family == family }.map(row)
      lines += ["", "## \(Markdown.text(family.string))", ""]
      lines += Markdown.table(
        ["clause", "rule", "vectors", "mistakes"], numbersFrom: .max, rows)
    }
    return (lines + known).joined(separator: "\n") + "\n"
  }

  private var introduction: [String] {
    let must = corpus.clauses.filter { $0.level == .must }
    let proven = must.filter { clause in (breaking[clause.id] ?? []).contains(where: \.provesClause)
    }
    let seen = mistakes.count { $0.end != .survived }
    return [
      "# Traceability", "",
      "Each rule, the vectors that show it, and the known mistakes that break it. Vectors written by",
      "hand are named, observed and generated ones are counted. A mistake in **bold** proves the rule:",
      "vectors written by hand see that it breaks this rule, and no other one of the family.",
      "`touchstone explain` tells more about each name here.",
      "", "Written by `touchstone vectors generate`; not edited by hand.", "",
      "* \(TextLayout.counted(corpus.clauses.count, "clause")), \(must.count) of them MUST; "
        + "\(corpus.uncoveredClauses.count) of these without a vector",
      "* of the MUST clauses "
        + ["family", "contract", "layer"].map { name in
          "\(must.count { $0.binds.name == name }) bind \(name)"
        }.joined(separator: ", "),
      "* \(TextLayout.counted(corpus.vectors.count, "vector")): " + Self.counts(corpus.vectors),
      "* \(TextLayout.counted(mistakes.count, "mistake")), \(seen) of them seen; "
        + "\(proven.count) of the MUST clauses are proven by one",
    ]
  }

  private static func counts(_ vectors: [CorpusVector]) -> String {
    let names =
      [("written by hand", CorpusVector.Origin.written), ("observed", .observed)]
      + [("generated", .generated)]
    return names.map { name, origin in "\(vectors.count { $0.origin == origin }) \(name)" }
      .joined(separator: ", ")
  }

  private func row(_ clause: Clause) -> [String] {
    let vectors = vectors[clause.id] ?? []
    var shown = vectors.filter { $0.origin == .written }.map { vector in
      "[\(vector.id)](\(vector.file))"
    }
    for origin in [CorpusVector.Origin.observed, .generated] {
      let count = vectors.count { $0.origin == origin }
      if count > 0 { shown.append("\(count) \(origin.rawValue)") }
    }
    let mistakes = (breaking[clause.id] ?? []).map { mistake in
      mistake.provesClause ? "**\(mistake.name)**" : mistake.name.string
    }
    return [
      "\(clause.id) \(clause.level.rawValue) \(clause.binds.name)",
      Markdown.text(clause.text.string),
      shown.joined(separator: "<br>"), mistakes.joined(separator: "<br>"),
    ]
  }

  /// The mistakes themselves.
  private var known: [String] {
    guard !mistakes.isEmpty else { return [] }
    let rows = mistakes.map { mistake in
      let link = mistake.link.map { " ([seen in a product](\($0)))" } ?? ""
      let end = mistake.end == .killed ? "" : " (\(mistake.end.rawValue))"
      return [
        mistake.name.string, "\(mistake.implementation), \(mistake.kind.rawValue)",
        Markdown.text(mistake.sentence.string) + link, "\(mistake.clause)",
        "\(mistake.vectors.count)\(end)", "\(mistake.observedCount)", "\(mistake.generatedCount)",
      ]
    }
    let header = ["mistake", "made in", "what is wrong", "breaks", "seen by", "observed"]
    return [
      "", "## Mistakes", "", "Who sees them: vectors written by hand, observed, generated.", "",
    ]
      + Markdown.table(header + ["generated"], numbersFrom: 4, rows)
  }
}
