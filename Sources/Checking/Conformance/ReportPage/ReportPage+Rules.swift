internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios

extension ReportPage {
  /// The verdict about a clause in one run.
  private struct Showing {
    var passed = 0
    var asked = 0
    /// The results that are not passes.
    var failed: [RunReport.Result] = []
    var isDeviation = false
    var isKnown = false
    var isUnknown = false

    mutating func add(_ result: RunReport.Result, _ clause: Clause) {
      if result.verdict.isSkip { return }
      asked += 1
      switch result.verdict {
      case .pass: passed += 1
      case .fail:
        failed.append(result)
        if !result.vector.isRequired || clause.level != .must { isDeviation = true }
        if result.knownFailure != nil { isKnown = true }
      case .harnessError:
        failed.append(result)
        isUnknown = true
      case .skipped: break
      }
    }

    var sign: Sign {
      let hasRequired = failed.contains {
        $0.verdict.isFailure && $0.vector.isRequired && $0.knownFailure == nil
      }
      if hasRequired { return isDeviation ? .deviates : .fail }
      if isKnown { return .known }
      if isUnknown { return .unknown }
      if isDeviation { return .deviates }
      return asked == 0 ? .none : .pass
    }
  }

  /// Every clause with its verdict, by families, in collapsible sections.
  func addRules(_ markup: inout Markup) {
    guard let clauses = matrix.columns.first?.summary.clauses.map(\.clause), !clauses.isEmpty else {
      return
    }
    let showings = matrix.columns.map { Self.showings(in: $0.report) }
    markup.card("Rules", id: "rules", count: "\(clauses.count)", note: "One field for each rule.") {
      markup in
      addKey(clauses, showings, markup: &markup)
      for family in families { addFamily(family, showings, markup: &markup) }
    }
  }

  /// The rules by family, in their order.
  var families: [(name: JSONString, clauses: [Clause])] {
    var families: [(name: JSONString, clauses: [Clause])] = []
    for clause in matrix.columns.first?.summary.clauses.map(\.clause) ?? [] {
      if let place = families.firstIndex(where: { $0.name == clause.family }) {
        families[place].clauses.append(clause)
      } else {
        families.append((clause.family, [clause]))
      }
    }
    return families
  }

  private static func showings(in report: RunReport) -> [ClauseID: Showing] {
    var showings: [ClauseID: Showing] = [:]
    for result in report.results {
      for clause in result.vector.clauses {
        showings[clause.id, default: Showing()].add(result, clause)
      }
    }
    return showings
  }

  private static func worst(_ clause: Clause, _ showings: [[ClauseID: Showing]]) -> Sign {
    let signs = showings.map { $0[clause.id]?.sign ?? .none }
    let order: [Sign] = [.fail, .known, .unknown, .deviates, .pass]
    return order.first { signs.contains($0) } ?? .none
  }

  private func addKey(
    _ clauses: [Clause], _ showings: [[ClauseID: Showing]], markup: inout Markup
  ) {
    let all: [Sign] = [.pass, .fail, .known, .deviates, .unknown, .none]
    let signs = clauses.map { Self.worst($0, showings) }
    markup.raw("<p class=\"key\">")
    for sign in all where signs.contains(sign) {
      let count = signs.count { $0 == sign }
      markup.raw(
        " <span><i class=\"f \(sign.name)\">\(sign == .pass ? "" : sign.rawValue)</i> "
          + "\(count) \(sign.words)</span>")
    }
    markup.line("</p>")
  }

  private func addFamily(
    _ family: (name: JSONString, clauses: [Clause]), _ showings: [[ClauseID: Showing]],
    markup: inout Markup
  ) {
    let signs = family.clauses.map { Self.worst($0, showings) }
    markup.raw(
      "<details class=\"family\" id=\"\(anchor("family", family.name.string))\"><summary>"
        + "<b>\(escaped(family.name.printable))</b><span class=\"map\">"
    )
    for (clause, sign) in zip(family.clauses, signs) {
      markup.raw(
        "<a class=\"f \(sign.name)\" href=\"#\(anchor("rule", clause.id.text.string))\" "
          + "title=\"\(escaped(clause.id.text.printable)): \(sign.words)\">"
          + "\(sign == .pass ? "" : sign.rawValue)</a>")
    }
    let passed = signs.count { $0 == .pass }
    markup.line("</span><span class=\"number faint\">\(passed)/\(signs.count)</span></summary>")
    markup.line("<ul class=\"clauses\">")
    for clause in family.clauses { addClause(clause, showings, markup: &markup) }
    markup.line("</ul></details>")
  }

  private func addClause(
    _ clause: Clause, _ showings: [[ClauseID: Showing]], markup: inout Markup
  ) {
    markup.raw(
      "<li id=\"\(anchor("rule", clause.id.text.string))\"><span class=\"signs\">")
    for (place, column) in showings.enumerated() {
      let showing = column[clause.id] ?? Showing()
      let letter =
        showings.count > 1 ? "<span class=\"letter\">\(RunMatrix.letter(place))</span>" : ""
      markup.raw("<span>\(letter)\(showing.sign.mark)</span>")
    }
    markup.raw(
      "</span><div>\(link(to: clause)) <span class=\"level\">\(clause.level.rawValue)</span> "
        + "\(Self.prose(clause.text))")
    for (place, column) in showings.enumerated() {
      let showing = column[clause.id] ?? Showing()
      let name = showings.count > 1 ? "\(RunMatrix.letter(place)) " : ""
      let counts =
        showing.asked == 0
        ? "not run" : "\(showing.passed)/\(TextLayout.counted(showing.asked, "vector"))"
      markup.raw(" <span class=\"faint\">\(name)\(counts)</span>")
    }
    addVectors(of: clause, &markup)
    markup.line("</div></li>")
  }

  /// Links to the vectors of a rule: failures first, and the first others.
  private func addVectors(of clause: Clause, _ markup: inout Markup) {
    let vectors = (vectorsOfRule[clause.id] ?? []).map { rows[$0].vector }
    guard !vectors.isEmpty else { return }
    let (failuresMax, linksMax) = (12, 4)
    let bad = vectors.filter { failed.contains($0.id) }.prefix(failuresMax)
    let good = vectors.filter { !failed.contains($0.id) }.prefix(max(0, linksMax - bad.count))
    let links = (bad + good).map { link(to: $0) }
    markup.raw("<div class=\"uses\">\(links.joined(separator: " "))")
    if links.count < vectors.count {
      // The script shows the vectors of the rule; without it the link leads to all vectors.
      let id = escaped(clause.id.text.printable)
      markup.raw(
        " <a href=\"#vectors\" data-filter=\"\(id)\">and \(vectors.count - links.count) more</a>")
    }
    markup.raw("</div>")
  }
}
