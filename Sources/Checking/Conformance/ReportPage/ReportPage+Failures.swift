internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios

extension ReportPage {
  /// The failures of a run that are not listed as known, required ones first.
  static func failures(in report: RunReport) -> [Witness] {
    let witnesses = report.results.compactMap { result -> Witness? in
      guard case .fail(let witness) = result.verdict, result.knownFailure == nil else { return nil }
      return witness
    }
    return witnesses.filter(\.vector.isRequired) + witnesses.filter { !$0.vector.isRequired }
  }

  /// The vectors whose failure or difference has an anchor.
  static func failed(in matrix: RunMatrix) -> Set<VectorID> {
    guard matrix.columns.count == 1 else {
      return Set(matrix.differences.map(\.vector.id) + matrix.failedByAll.prefix(toldMax))
    }
    let results = matrix.columns[0].report.results
    return Set(
      results.filter(\.verdict.isFailure).map(\.vector.id)
        + results.filter(\.hasNoVerdict).prefix(toldMax).map(\.vector.id))
  }

  /// A link to the failure of a vector, or to its entry in the list of vectors.
  func link(to vector: CorpusVector) -> String {
    let id = vector.id.text.string
    let isFailed = failed.contains(vector.id)
    return "<a class=\"mono\(isFailed ? " bad" : "")\" "
      + "href=\"#\(anchor(isFailed ? "failure" : "vector", id))\">\(escaped(id.printable))</a>"
  }

  /// The id of a rule, with a link to it if the page lists it.
  ///
  /// - Parameter style: the attributes of the link; empty where the list has the font.
  func link(to clause: Clause, style: String = "class=\"mono\" ") -> String {
    let id = clause.id.text.string
    let name = escaped(id.printable)
    return rules.contains(clause.id)
      ? "<a \(style)href=\"#\(anchor("rule", id))\">\(name)</a>"
      : "<span class=\"mono\">\(name)</span>"
  }

  func addFailures(_ report: RunReport, _ markup: inout Markup) {
    addNotes("Errors in the list of known failures", report.knownFailureProblems, markup: &markup)
    if !failures.isEmpty {
      markup.card("Failures", id: "failures", count: "\(failures.count)") { markup in
        for (place, witness) in failures.prefix(Self.toldMax).enumerated() {
          addFailure(witness, place, markup: &markup)
        }
        addRest(failures.dropFirst(Self.toldMax).map { ($0.vector, $0.message) }, &markup)
      }
    }
    addKnown(report, &markup)
    addVerdictless(report, &markup)
  }

  private func addVerdictless(_ report: RunReport, _ markup: inout Markup) {
    let results = report.results.filter(\.hasNoVerdict)
    guard !results.isEmpty else { return }
    markup.card("No verdict", id: "no-verdict", count: "\(results.count)") { markup in
      markup.line("<ul class=\"rest\">")
      for result in results.prefix(Self.toldMax) {
        guard case .harnessError(let failure) = result.verdict else { continue }
        addLine(result.vector, failure.description, markup: &markup)
      }
      if results.count > Self.toldMax {
        markup.line("<li>and \(results.count - Self.toldMax) more</li>")
      }
      markup.line("</ul>")
    }
  }

  func addNotes(_ title: String, _ notes: [String], markup: inout Markup) {
    guard !notes.isEmpty else { return }
    markup.card(title, count: "\(notes.count)") { markup in
      markup.line("<ul class=\"rest\">")
      for note in notes.prefix(Self.toldMax) { markup.element("li", "", content: note.printable) }
      if notes.count > Self.toldMax {
        markup.line("<li>and \(notes.count - Self.toldMax) more</li>")
      }
      markup.line("</ul>")
    }
  }

  /// The beginning of a failure that folds: its sign, its vector and one line.
  private func openFailure(
    _ vector: CorpusVector, signs: String, line: String, isOpen: Bool, markup: inout Markup
  ) {
    let id = vector.id.text.string
    markup.line(
      "<details class=\"failure\" id=\"\(anchor("failure", id))\"\(isOpen ? " open" : "")><summary>"
        + "\(signs)<span><b class=\"mono\">\(escaped(id.printable))</b> "
        + "<span class=\"faint\">\(escaped(line.printable))</span></span></summary>"
        + "<div class=\"told\">")
  }

  private func addFailure(_ witness: Witness, _ place: Int, markup: inout Markup) {
    let sign: Sign = witness.vector.isRequired ? .fail : .deviates
    openFailure(
      witness.vector, signs: sign.mark, line: witness.message, isOpen: place == 0, markup: &markup)
    addRulesShown(by: witness.vector, &markup)
    addStory(witness, &markup)
    markup.line("</div></details>")
  }

  /// One line for each remaining failure.
  private func addRest(
    _ rest: [(vector: CorpusVector, message: String)], _ markup: inout Markup
  ) {
    guard !rest.isEmpty else { return }
    markup.line("<details class=\"more\"><summary>\(rest.count) more</summary>")
    markup.line("<ul class=\"rest\">")
    for (vector, message) in rest { addLine(vector, message, markup: &markup) }
    markup.line("</ul></details>")
  }

  /// A failure in one line, with a link to its vector.
  private func addLine(_ vector: CorpusVector, _ message: String, markup: inout Markup) {
    let id = vector.id.text.string
    markup.line(
      "<li id=\"\(anchor("failure", id))\"><a class=\"mono\" href=\"#\(anchor("vector", id))\">"
        + "\(escaped(id.printable))</a> "
        + "<span class=\"faint\">\(escaped(message.printable))</span></li>")
  }

  private func addKnown(_ report: RunReport, _ markup: inout Markup) {
    let known = report.results.compactMap { result -> (Witness, KnownFailure)? in
      guard case .fail(let witness) = result.verdict, let entry = result.knownFailure else {
        return nil
      }
      return (witness, entry)
    }
    guard !known.isEmpty else { return }
    markup.card("Known failures", id: "known", count: "\(known.count)") { markup in
      for (witness, entry) in known.prefix(Self.toldMax) {
        openFailure(
          witness.vector, signs: Sign.known.mark, line: entry.explanation, isOpen: false,
          markup: &markup)
        addRulesShown(by: witness.vector, &markup)
        addStory(witness, &markup)
        markup.line("</div></details>")
      }
      addRest(known.dropFirst(Self.toldMax).map { ($0.0.vector, $0.1.explanation) }, &markup)
    }
  }

  // MARK: Several

  /// The differences: each vector with the behaviours of the implementations.
  func addDifferences(_ markup: inout Markup) {
    let differences = matrix.differences
    if !differences.isEmpty {
      markup.card("Differences", id: "failures", count: "\(differences.count)") { markup in
        for (place, difference) in differences.prefix(Self.toldMax).enumerated() {
          addDifference(difference, isOpen: place == 0, &markup)
        }
        addRest(
          differences.dropFirst(Self.toldMax).map { difference in
            let words = difference.behaviours.map {
              "\($0.implementations.joined(separator: ", ")) \($0.words)"
            }
            return (difference.vector, words.joined(separator: "; "))
          }, &markup)
      }
    }
    addFailedByAll(&markup)
  }

  private func addFailedByAll(_ markup: inout Markup) {
    let all = Set(matrix.failedByAll)
    guard !all.isEmpty else { return }
    let different = Set(matrix.differences.map(\.vector.id))
    markup.card(
      "Failed by all", id: "failed-by-all", count: "\(all.count)",
      note: "The vector itself may be wrong."
    ) { markup in
      markup.line("<ul class=\"rest\">")
      for row in rows.filter({ all.contains($0.vector.id) }).prefix(Self.toldMax) {
        if different.contains(row.vector.id) {
          markup.line("<li>\(link(to: row.vector))</li>")
        } else {
          addLine(row.vector, "", markup: &markup)
        }
      }
      if all.count > Self.toldMax { markup.line("<li>and \(all.count - Self.toldMax) more</li>") }
      markup.line("</ul>")
    }
  }

  private func addDifference(
    _ difference: RunMatrix.Difference, isOpen: Bool, _ markup: inout Markup
  ) {
    func letters(_ labels: [String]) -> String {
      matrix.columns.enumerated().filter { labels.contains($0.element.label) }
        .map { "<span class=\"letter\">\(RunMatrix.letter($0.offset))</span>" }.joined()
    }
    let signs = difference.behaviours.map {
      "<span>\(letters($0.implementations))\($0.sign.mark)</span>"
    }
    openFailure(
      difference.vector, signs: "<span class=\"sides\">\(signs.joined())</span>", line: "",
      isOpen: isOpen, markup: &markup)
    addRulesShown(by: difference.vector, &markup)
    for behaviour in difference.behaviours {
      let names = behaviour.implementations.map { escaped($0.printable) }.joined(separator: ", ")
      markup.line(
        "<h3>\(letters(behaviour.implementations)) \(names) \(behaviour.sign.mark) "
          + "<span class=\"faint\">\(escaped(behaviour.words.printable))</span></h3>")
      if let witness = behaviour.witness { addStory(witness, &markup) }
    }
    if !difference.skippers.isEmpty {
      let names = escaped(difference.skippers.joined(separator: ", ").printable)
      markup.line("<p class=\"faint\">not run: \(names)</p>")
    }
    markup.line("</div></details>")
  }
}

extension RunMatrix.Difference.Behaviour {
  fileprivate var sign: Sign {
    switch kind {
    case .asExpected: .pass
    case .failure: witness?.vector.isRequired == false ? .deviates : .fail
    case .noVerdict: .unknown
    }
  }
}

extension RunReport.Result {
  /// Whether the harness failed before the vector had a verdict.
  fileprivate var hasNoVerdict: Bool {
    if case .harnessError = verdict { true } else { false }
  }
}
