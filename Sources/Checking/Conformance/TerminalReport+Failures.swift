internal import Datastore
internal import JSON
internal import Scenarios

// The failures of a run: the simplest in full, and counts of all.

extension TerminalReport {
  /// The number of failures printed in full, and of known failures, without `--all`.
  private static let shownMax = 10

  /// One block per printed failure, then one per harness error, then the counts.
  var failures: [[String]] {
    let shown = showsAll ? tally.failures[...] : tally.failures.prefix(shownFailuresMax)
    let blocks = shown.map { WitnessText($0, width: width, style: style).lines }
    return blocks + tally.errors.map { lines($0.failure, of: $0.vectors) }
      + [knownFailures, explained, counts(shown: shown.count)]
  }

  /// One is enough if the same error ended the run.
  private var shownFailuresMax: Int {
    if case .repeatedError = report.stop { 1 } else { Self.shownMax }
  }

  /// A harness error, with the vectors that ended with it.
  private func lines(_ failure: HarnessFailure, of vectors: [CorpusVector]) -> [String] {
    let mark = style.warning("NO VERDICT")
    let text = TextLayout.wrapped(failure.description, width: width, indent: "  ")
    if let vector = vectors.first, vectors.count == 1 {
      let id = style.strong(TextLayout.printable(vector.id.description))
      return ["\(mark) \(id)  \(style.faint(TextLayout.printable(vector.file)))"] + text
    }
    let shown = showsAll ? vectors[...] : vectors.prefix(Self.namedMax)
    let names = shown.map { TextLayout.printable($0.id.description) }
    let rest = vectors.count - shown.count
    return ["\(mark) \(style.strong(TextLayout.counted(vectors.count, "vector")))"] + text
      + TextLayout.joined(names, by: ", ", width: width - 2).map { "  \(style.faint($0))" }
      + (rest > 0 ? ["  \(style.faint("… \(rest) more"))"] : [])
  }

  /// A line or two for each known failure.
  private var knownFailures: [String] {
    let shown = showsAll ? tally.known[...] : tally.known.prefix(Self.shownMax)
    let rest = tally.known.count - shown.count
    return shown.flatMap { witness, entry -> [String] in
      let id = style.strong(TextLayout.printable(witness.vector.id.description))
      let file = style.faint(TextLayout.printable(witness.vector.file))
      let title = "\(style.warning("KNOWN")) \(id)  \(file)"
      return [title] + TextLayout.wrapped(witness.message, width: width, indent: "  ")
        + TextLayout.wrapped(entry.explanation, width: width, indent: "  ")
    } + (rest > 0 ? ["\(style.warning("KNOWN")) … \(rest) more known failures"] : [])
  }

  /// The declared deviations, with the number of failures that each explains, and those that no
  /// failure shows.
  private var explained: [String] {
    guard let product = report.product else { return [] }
    let count = report.results.count { $0.knownFailure?.deviations.isEmpty == false }
    let name = TextLayout.printable("\(product.name) \(product.version)")
    var lines = [
      "\(style.warning("EXPLAINED")) \(count) of the failures, by deviations of \(name):"
    ]
    for (deviation, count) in tally.deviations {
      let number = String(count)
      let padding = String(repeating: " ", count: max(0, 6 - number.count))
      let line = TextLayout.abbreviated(
        "\(deviation.id)  \(deviation.sentence)", width: width - 8, remark: "…")
      lines.append("\(padding)\(style.warning(number))  \(line)")
    }
    if tally.deviations.isEmpty { lines = [] }
    let seen = Set(tally.deviations.map(\.deviation.id))
    let unseen = product.deviations.map(\.id).filter { !seen.contains($0) }
    // A selection shows few of them by intention.
    guard !unseen.isEmpty, report.isWhole else { return lines }
    let text = "Declared, and shown by no failure of this run: \(unseen.joined(separator: ", "))"
    return lines + TextLayout.wrapped(text, width: width, indent: "")
  }

  /// The counts by rule and by form, if not all failures are printed.
  private func counts(shown: Int) -> [String] {
    let count = tally.failures.count
    guard count > shown else { return [] }
    let rules = tally.rules.map { clause, count in (count, "\(clause.id)  \(clause.text)") }
    let forms = tally.forms.map { form, count in (count, form) }
    let simplest = shown == 1 ? "The simplest is" : "The \(shown) simplest are"
    return [
      "\(style.strong("\(count) failures")). \(simplest) printed above; --all prints all."
    ] + table("By rule", rules) + table("By form", forms)
  }

  private func table(_ title: String, _ rows: [(count: Int, text: String)]) -> [String] {
    let shown = rows.prefix(Self.namedMax)
    let rest = rows.count - shown.count
    return ["\(title):"]
      + shown.map { count, text in
        let number = String(count)
        let padding = String(repeating: " ", count: max(0, 6 - number.count))
        let line = TextLayout.abbreviated(text, width: width - 8, remark: "…")
        return "\(padding)\(style.bad(number))  \(line)"
      } + (rest > 0 ? ["        … \(rest) more"] : [])
  }
}
