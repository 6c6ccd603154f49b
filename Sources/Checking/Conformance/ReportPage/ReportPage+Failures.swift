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

  /// The anchor of a failure that is shown in full; nil for others.
  func anchor(of id: VectorID) -> String? {
    guard let place = places[id] else { return nil }
    return "failure-\(place + 1)"
  }

  func addFailures(_ report: RunReport, _ markup: inout Markup) {
    addNotes("Errors in the list of known failures", report.knownFailureProblems, markup: &markup)
    if !failures.isEmpty {
      markup.line("<section><h2>Failures <span class=\"faint\">\(failures.count)</span></h2>")
      for (place, witness) in failures.prefix(Self.toldMax).enumerated() {
        addFailure(witness, place, markup: &markup)
      }
      addRest(failures.dropFirst(Self.toldMax).map { ($0.vector.id, $0.message) }, &markup)
      markup.line("</section>")
    }
    addKnown(report, &markup)
    let verdictless = report.results.compactMap { result -> String? in
      guard case .harnessError(let failure) = result.verdict else { return nil }
      return "\(result.vector.id): \(failure)"
    }
    addNotes("No verdict", verdictless, markup: &markup)
  }

  func addNotes(_ title: String, _ notes: [String], markup: inout Markup) {
    guard !notes.isEmpty else { return }
    markup.line(
      "<section><h2>\(title) <span class=\"faint\">\(notes.count)</span></h2><ul class=\"rest\">")
    for note in notes.prefix(Self.toldMax) { markup.element("li", "", content: note.printable) }
    if notes.count > Self.toldMax { markup.line("<li>and \(notes.count - Self.toldMax) more</li>") }
    markup.line("</ul></section>")
  }

  private func addFailure(_ witness: Witness, _ place: Int, markup: inout Markup) {
    let sign: Sign = witness.vector.isRequired ? .fail : .deviates
    let isOpen = place == 0 ? " open" : ""
    markup.line(
      "<details class=\"failure\" id=\"failure-\(place + 1)\"\(isOpen)><summary>\(sign.mark)"
        + "<span><b class=\"mono\">\(escaped(witness.vector.id.text.printable))</b> "
        + "<span class=\"faint\">\(escaped(witness.message.printable))</span></span></summary>")
    addRulesShown(by: witness.vector, &markup)
    addStory(witness, &markup)
    markup.line("</details>")
  }

  /// One line for each remaining failure.
  private func addRest(_ rest: [(id: VectorID, message: String)], _ markup: inout Markup) {
    guard !rest.isEmpty else { return }
    markup.line("<details class=\"failure\"><summary><span>\(rest.count) more</span></summary>")
    markup.line("<ul class=\"rest\">")
    for (id, message) in rest {
      markup.line(
        "<li><span class=\"mono\">\(escaped(id.text.printable))</span> "
          + "<span class=\"faint\">\(escaped(message.printable))</span></li>")
    }
    markup.line("</ul></details>")
  }

  private func addKnown(_ report: RunReport, _ markup: inout Markup) {
    let known = report.results.compactMap { result -> (Witness, KnownFailures.Entry)? in
      guard case .fail(let witness) = result.verdict, let entry = result.knownFailure else {
        return nil
      }
      return (witness, entry)
    }
    guard !known.isEmpty else { return }
    markup.line("<section><h2>Known failures <span class=\"faint\">\(known.count)</span></h2>")
    for (witness, entry) in known.prefix(Self.toldMax) {
      markup.line(
        "<details class=\"failure\"><summary>\(Sign.known.mark)"
          + "<span><b class=\"mono\">\(escaped(witness.vector.id.text.printable))</b> "
          + "<span class=\"faint\">\(escaped(entry.explanation.printable))</span></span></summary>")
      addRulesShown(by: witness.vector, &markup)
      addStory(witness, &markup)
      markup.line("</details>")
    }
    addRest(known.dropFirst(Self.toldMax).map { ($0.0.vector.id, $0.1.explanation) }, &markup)
    markup.line("</section>")
  }

  // MARK: Several

  /// The differences: each vector with the behaviours of the implementations.
  func addDifferences(_ markup: inout Markup) {
    let differences = matrix.differences
    if !differences.isEmpty {
      markup.line(
        "<section><h2>Differences <span class=\"faint\">\(differences.count)</span></h2>")
      for (place, difference) in differences.prefix(Self.toldMax).enumerated() {
        addDifference(difference, isOpen: place == 0, &markup)
      }
      addRest(
        differences.dropFirst(Self.toldMax).map { difference in
          let words = difference.behaviours.map {
            "\($0.implementations.joined(separator: ", ")) \($0.words)"
          }
          return (difference.vector.id, words.joined(separator: "; "))
        }, &markup)
      markup.line("</section>")
    }
    guard !matrix.failedByAll.isEmpty else { return }
    addNotes(
      "Failed by all; the vector itself may be wrong",
      matrix.failedByAll.map(\.description), markup: &markup)
  }

  private func addDifference(
    _ difference: RunMatrix.Difference, isOpen: Bool, _ markup: inout Markup
  ) {
    func letters(_ labels: [String]) -> String {
      matrix.columns.enumerated().filter { labels.contains($0.element.label) }
        .map { "<span class=\"letter\">\(RunMatrix.letter($0.offset))</span>" }.joined()
    }
    markup.raw("<details class=\"failure\"\(isOpen ? " open" : "")><summary><span class=\"sides\">")
    for behaviour in difference.behaviours {
      markup.raw("<span>\(letters(behaviour.implementations))\(behaviour.sign.mark)</span>")
    }
    markup.line(
      "</span><span><b class=\"mono\">\(escaped(difference.vector.id.text.printable))</b></span>"
        + "</summary>")
    addRulesShown(by: difference.vector, &markup)
    for behaviour in difference.behaviours {
      let names = behaviour.implementations.map { escaped($0.printable) }.joined(separator: ", ")
      markup.line(
        "<h3>\(letters(behaviour.implementations)) \(names) \(behaviour.sign.mark) "
          + "<span class=\"faint\">\(escaped(behaviour.words.printable))</span></h3>")
      if let witness = behaviour.witness { addStory(witness, &markup) }
    }
    if !difference.skippers.isEmpty {
      markup.line(
        "<p class=\"faint\">not run: \(escaped(difference.skippers.joined(separator: ", ").printable))</p>"
      )
    }
    markup.line("</details>")
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
