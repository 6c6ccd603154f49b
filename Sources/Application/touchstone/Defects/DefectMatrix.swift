internal import Conformance
internal import Datastore
internal import JSON

/// The kill matrix: mutants against vectors, and the clauses that it proves.
struct DefectMatrix {
  let findings: [DefectFinding]
  let corpus: Corpus

  var survivors: [DefectFinding] { findings.filter { $0.end == .survived } }

  /// The number of mutants that each vector kills, by the id of the vector.
  private var kills: [String: Int] {
    var kills: [String: Int] = [:]
    for killer in findings.flatMap(\.killers) { kills[killer.id.description, default: 0] += 1 }
    return kills
  }

  /// The MUST clauses without a killed mutant that breaks only them in their family.
  var unproven: [Clause] {
    let proven = Set(findings.filter(\.provesClause).map(\.clause))
    return corpus.clauses.filter { $0.level == .must && !proven.contains($0.id.description) }
  }

  // MARK: For people

  func text(_ style: TextStyle) -> String {
    let rows = findings.map { finding in
      [
        finding.name, finding.implementation, finding.clause, Self.end(finding),
        Self.killers(finding),
      ]
    }
    let header = [
      "mutant", "implementation", "breaks", "killed by", "first killers (!: the only one)",
    ]
    let widths = (0..<4).map { column in
      (rows + [header]).map { $0[column].unicodeScalars.count }.max() ?? 0
    }
    let line = { (cells: [String]) in
      let padded = zip(cells, widths).map { TextLayout.padded($0, $1) } + [cells[4]]
      return padded.joined(separator: "  ")
    }
    var lines = [style.strong(line(header))]
    for (finding, row) in zip(findings, rows) {
      let text = TextLayout.printable(line(row))
      lines.append(finding.end == .survived ? style.bad(text) : text)
    }
    return lines.joined(separator: "\n") + "\n\n" + summary(style)
  }

  private static func end(_ finding: DefectFinding) -> String {
    finding.end == .killed ? "\(finding.killers.count)" : finding.end.rawValue
  }

  /// The first killers by name, as many as fit, but at least one.
  private static func killers(_ finding: DefectFinding) -> String {
    let mark = finding.onlyKiller == nil ? "" : "!"
    var text = ""
    for (place, killer) in finding.killers.enumerated() {
      let longer = text.isEmpty ? mark + killer.id.description : "\(text) \(killer.id)"
      guard place == 0 || longer.utf8.count <= 64 else { return text + " …" }
      text = longer
    }
    return text
  }

  private func summary(_ style: TextStyle) -> String {
    let killed = findings.count - survivors.count
    let must = corpus.clauses.count { $0.level == .must }
    let idle = idleVectors.count
    var lines = [
      "\(killed) of \(findings.count) mutants killed; "
        + "\(must - unproven.count) of \(must) MUST clauses are proven by one that breaks them; "
        + "\(corpus.vectors.count - idle) of \(corpus.vectors.count) vectors kill one"
    ]
    if !unproven.isEmpty {
      let names = unproven.map(\.id.description).joined(separator: " ")
      lines += TextLayout.wrapped("not proven: \(names)", width: 96, indent: "  ")
      lines += unproven.flatMap(attempts)
    }
    for finding in survivors {
      lines.append(style.bad("survived: ") + "\(finding.name) (\(finding.sentence))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns why the mutants that break a clause do not prove it.
  private func attempts(_ clause: Clause) -> [String] {
    findings.filter { $0.clause == clause.id.description && $0.end != .survived }.map { finding in
      let reason =
        finding.witnesses.isEmpty
        ? "no hand-written vector of the clause kills it"
        : "\(finding.strays[0].id) kills it, too, and cites another clause of the family"
      return "  \(clause.id): \(finding.name): \(reason)"
    }
  }

  /// The vectors that kill no mutant.
  private var idleVectors: [CorpusVector] {
    let kills = kills
    return corpus.vectors.filter { kills[$0.id.description] == nil }
  }

  // MARK: For machines

  /// Members: `defects`, `clauses` {id, level, provenBy}, `unproven`, the ids of MUST clauses, and
  /// `idle`, the vectors that kill no mutant.
  var json: JSONValue {
    let clauses = corpus.clauses.map { clause -> JSONValue in
      let proofs = findings.filter { $0.clause == clause.id.description && $0.provesClause }
      return [
        "id": clause.id.json, "level": .text(clause.level.rawValue),
        "provenBy": .array(proofs.map { .text($0.name) }),
      ]
    }
    return [
      "defects": .array(findings.map(\.json)), "clauses": .array(clauses),
      "unproven": .array(unproven.map { $0.id.json }),
      "idle": .array(idleVectors.map { $0.id.json }),
    ]
  }
}
