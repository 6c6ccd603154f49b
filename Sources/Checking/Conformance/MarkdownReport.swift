internal import Datastore
internal import JSON
internal import Scenarios

/// A run as one page of Markdown: the verdict, two tables, and each failure with its rule and diff.
///
/// It is CommonMark with tables, as the job summaries of build servers show it. These pages have a
/// size limit, so only the first failures are shown in full.
struct MarkdownReport {
  private let report: RunReport
  private let summary: RunSummary

  /// The number of failures shown in full.
  private static let failuresMax = 30
  /// The width of the blocks of code.
  private static let width = 100

  init(_ report: RunReport) {
    self.report = report
    summary = RunSummary(report)
  }

  var text: String {
    let blocks =
      [heading, offers, families] + [
        differences, failures, known, listProblems, verdictless, skips,
      ]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private var heading: [String] {
    let implementation = report.implementation
    let name = Markdown.text("\(implementation.name) \(implementation.version)")
    let total = summary.total
    let vectors = TextLayout.counted(report.corpus.vectors.count, "vector")
    let mark = Self.mark(summary.conclusion)
    let words = Self.words(summary)
    let known =
      (total.known > 0 ? "\(total.known) known to fail, " : "")
      + (total.explained > 0 ? "\(total.explained) explained, " : "")
    let notTested = total.notTested > 0 ? "\(total.notTested) not tested, " : ""
    let contract =
      total.contractOnly > 0 ? "\(total.contractOnly) failed at grade contract alone, " : ""
    return [
      "# \(mark) \(name)", "", words, "",
      "\(total.passed) passed, \(total.requiredFailures) failed, \(known)\(contract)\(total.deviations) deviate from a "
        + "recommendation, \(total.harnessErrors) without a verdict, \(notTested)\(total.skipped) skipped; "
        + "\(total.executed) of \(vectors) run by touchstone \(toolVersion).",
    ]
  }

  /// A symbol for the conclusion, for pages without colours.
  static func mark(_ conclusion: Conclusion) -> String {
    switch conclusion {
    case .conformant, .selectionPassed, .otherCorpusPassed: "✅"
    case .restricted, .explained, .knownFailuresOnly: "☑️"
    case .incomplete, .notConformant: "❌"
    case .harnessFailed: "⚠️"
    }
  }

  /// The conclusion, its grade, and the reasons.
  static func words(_ summary: RunSummary) -> String {
    let conclusion = summary.conclusion
    let words = "**\(conclusion.words)** (grade \(summary.grade.rawValue))"
    let reasons = (conclusion.reasons + summary.remarks).joined(separator: "; ")
    return reasons.isEmpty ? words : "\(words): \(Markdown.text(reasons))"
  }

  var differences: [String] {
    guard !report.corpus.differences.isEmpty else { return [] }
    return ["## Differences of the corpus from its manifest", ""]
      + report.corpus.differences.map { "* \(Markdown.text($0.description))" }
  }

  // MARK: Tables

  /// The columns beside the passed vectors. Those about a list of known failures, declared
  /// deviations and declared restrictions are shown if they have a count.
  private var columns: [(name: String, count: (Tally) -> Int)] {
    let known: [(name: String, count: (Tally) -> Int)] = [
      ("known", { $0.known }), ("explained", { $0.explained }),
    ]
    let restricted: [(name: String, count: (Tally) -> Int)] = [("not tested", { $0.notTested })]
    return [("failed", { $0.requiredFailures }), ("failed (contract)", { $0.contractOnly })]
      + known.filter { $0.count(summary.total) > 0 }
      + [("deviates", { $0.deviations }), ("no verdict", { $0.harnessErrors })]
      + restricted.filter { $0.count(summary.total) > 0 } + [("skipped", { $0.skipped })]
  }

  private var columnNames: [String] { ["passed"] + columns.map(\.name) }

  private func cells(_ tally: Tally) -> [String] {
    ["\(tally.passed)/\(tally.count)"]
      + columns.map { $0.count(tally) }.map { $0 == 0 ? "" : "\($0)" }
  }

  private var offers: [String] {
    let rows = summary.offers.filter { $0.tally.count > 0 || $0.unselected == 0 }.map { offer in
      [Markdown.text(offer.offer.name), offer.grade.words] + cells(offer.tally)
    }
    guard !rows.isEmpty else { return [] }
    let header = ["core, capability or profile", "grade"] + columnNames
    let note = summary.notes.flatMap { ["", Markdown.text($0)] }
    return Markdown.table(header, numbersFrom: 2, rows) + note
  }

  private var families: [String] {
    let rows = summary.families.map { family, tally in
      [Markdown.text(family.string)] + cells(tally)
    }
    guard !rows.isEmpty else { return [] }
    return Markdown.table(["family of clauses"] + columnNames, numbersFrom: 1, rows)
  }

  // MARK: What did not pass

  private var failures: [String] {
    let witnesses = report.results.compactMap { result -> Witness? in
      guard case .fail(let witness) = result.verdict, result.knownFailure == nil else { return nil }
      return witness
    }
    // Required failures come first.
    let ordered =
      witnesses.filter(\.vector.isRequired) + witnesses.filter { !$0.vector.isRequired }
    guard !ordered.isEmpty else { return [] }
    var lines = ["## Failures"]
    for witness in ordered.prefix(Self.failuresMax) { lines += [""] + Self.failure(witness) }
    let rest = ordered.dropFirst(Self.failuresMax)
    if !rest.isEmpty { lines += ["", "And \(rest.count) more:", ""] }
    for witness in rest {
      let clause = witness.vector.clauses.first?.id.description ?? ""
      lines.append("* \(Markdown.code(witness.vector.id.description)) \(Markdown.text(clause))")
    }
    return lines
  }

  private static func failure(_ witness: Witness) -> [String] {
    let vector = witness.vector
    let remark =
      switch vector.weight {
      case .required: ""
      case .contractOnly: " (required by grade contract alone)"
      case .recommended: " (deviates from a recommendation)"
      }
    var lines = ["### \(Markdown.code(vector.id.description))\(remark)", ""]
    lines.append(Markdown.text(vector.vector.note.string))
    lines.append("")
    for clause in vector.clauses {
      lines.append(
        "* **\(clause.id) \(clause.level.rawValue)** \(Markdown.text(clause.text.string))")
    }
    for sentence in witness.hints { lines.append("* Hint: \(Markdown.text(sentence))") }
    let place = witness.step.map { "step \($0)" } ?? "while opening"
    let text = WitnessText(witness, width: width, style: .plain)
    lines += ["", "In \(Markdown.text(vector.file)), \(place):", ""]
    lines += Markdown.block(text.operation, language: "json")
    lines += [""] + Markdown.block(text.diff, language: "diff")
    if !witness.log.isEmpty {
      let log = witness.log.split(whereSeparator: \.isNewline).suffix(24).map(String.init)
      lines += ["", "Standard error:", ""] + Markdown.block(log, language: "text")
    }
    if let rerun = witness.rerun { lines += [""] + Markdown.block([rerun], language: "sh") }
    return lines
  }

  private var known: [String] {
    let rows = report.results.compactMap { result -> [String]? in
      guard case .fail(let witness) = result.verdict, let entry = result.knownFailure else {
        return nil
      }
      return [
        Markdown.code(result.vector.id.description), Markdown.text(witness.message),
        Markdown.text(entry.explanation),
      ]
    }
    guard !rows.isEmpty else { return [] }
    let header = ["vector", "failure", "why"]
    let hasList = summary.total.known > 0
    let title =
      summary.total.explained == 0
      ? "Known failures" : hasList ? "Known and explained failures" : "Explained failures"
    return ["## \(title)", ""] + Markdown.table(header, numbersFrom: 3, rows)
  }

  private var listProblems: [String] {
    guard !report.knownFailureProblems.isEmpty else { return [] }
    return ["## Errors in the list of known failures", ""]
      + report.knownFailureProblems.map { "* \(Markdown.text($0))" }
  }

  private var verdictless: [String] {
    let lines = report.results.compactMap { result -> String? in
      guard case .harnessError(let failure) = result.verdict else { return nil }
      return "* \(Markdown.code(result.vector.id.description)): "
        + Markdown.text(failure.description)
    }
    return lines.isEmpty ? [] : ["## No verdict", ""] + lines
  }

  /// The reasons for vectors that did not run, with the number of vectors for each.
  private var skips: [String] {
    var reasons: [(reason: JSONString, count: Int)] = []
    for result in report.results {
      guard case .skipped(let skip) = result.verdict else { continue }
      let reason = JSONString(skip.description)
      if let place = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[place].count += 1
      } else {
        reasons.append((reason, 1))
      }
    }
    guard !reasons.isEmpty else { return [] }
    let rows = reasons.map { [Markdown.text($0.reason.string), "\($0.count)"] }
    return ["## Not run", ""] + Markdown.table(["reason", "vectors"], numbersFrom: 1, rows)
  }
}
