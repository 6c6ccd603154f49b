internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios

/// One page about one run, or about several side by side.
///
/// The page is self-contained: no script, no network, no fonts. Everything from stores and vectors
/// is escaped, and the same run gives the same bytes.
struct ReportPage {
  let matrix: RunMatrix
  /// The failures of the only run that are not listed as known, required ones first.
  let failures: [Witness]
  /// The places of the failures shown in full.
  let places: [VectorID: Int]

  /// The number of failures or differences shown in full; the rest get a line each.
  static let toldMax = 100

  init(_ report: RunReport) {
    let name = "\(report.implementation.name) \(report.implementation.version)"
    self.init(RunMatrix([(name, report)]))
  }

  init(_ matrix: RunMatrix) {
    self.matrix = matrix
    failures = matrix.columns.count == 1 ? Self.failures(in: matrix.columns[0].report) : []
    var places: [VectorID: Int] = [:]
    for (place, witness) in failures.prefix(Self.toldMax).enumerated() {
      places[witness.vector.id] = place
    }
    self.places = places
  }

  /// The only run; nil if there are several.
  var single: RunMatrix.Column? { matrix.columns.count == 1 ? matrix.columns.first : nil }

  var html: String {
    Page.html(title: title.printable, style: Self.style, runsScript: false) { markup in
      addBody(&markup)
    }
  }

  private func addBody(_ markup: inout Markup) {
    addHeader(&markup)
    markup.line("<main>")
    let differences = matrix.columns.first?.report.corpus.differences ?? []
    addNotes(
      "Differences of the corpus from its manifest", differences.map(\.description), markup: &markup
    )
    if let single {
      addOffers(single.summary, &markup)
      addFailures(single.report, &markup)
    } else {
      addMatrix("Core, capabilities and profiles", matrix.offers, markup: &markup)
      addDifferences(&markup)
      addMatrix("Families of clauses", matrix.families, markup: &markup)
    }
    addRules(&markup)
    addSkips(&markup)
    markup.line("</main>")
    markup.line(
      "<footer>touchstone \(escaped(toolVersion)). A skip is not a pass: every count is shown with "
        + "the total number of vectors.</footer>")
  }

  private var title: String {
    single.map { "\($0.label): \($0.summary.conclusion.words)" }
      ?? matrix.columns.map(\.label).joined(separator: ", ")
  }

  private func addHeader(_ markup: inout Markup) {
    markup.line("<header><p class=\"kicker\">Touchstone · conformance report</p>")
    if let single {
      markup.element("h1", "", content: single.label.printable)
      markup.line(verdict(single.summary))
      addFacts(single, &markup)
    } else {
      markup.element("h1", "", content: "\(matrix.columns.count) implementations, same vectors")
      markup.line("<table class=\"runs\">")
      for (place, column) in matrix.columns.enumerated() {
        let about = column.report.implementation
        markup.line(
          "<tr><th scope=\"row\"><span class=\"letter\">\(RunMatrix.letter(place))</span> "
            + "\(escaped(column.label.printable))"
            + "<span class=\"faint\"> \(escaped("\(about.name) \(about.version)".printable))</span>"
            + "</th><td class=\"number\">\(escaped(column.summary.asked))</td>"
            + "<td>\(verdict(column.summary))</td></tr>")
      }
      markup.line("</table>")
    }
    markup.line("</header>")
  }

  private func addFacts(_ column: RunMatrix.Column, _ markup: inout Markup) {
    let must = column.summary.clauses.filter { $0.clause.level == .must }
    let total = column.summary.total
    var facts = [
      (
        "vectors run",
        "\(Self.grouped(total.executed)) of \(Self.grouped(column.summary.vectorCount))"
      ),
      ("passed", "\(Self.grouped(total.passed))"), ("failed", "\(total.requiredFailures)"),
    ]
    if total.known > 0 { facts.append(("known to fail", "\(total.known)")) }
    if total.contractOnly > 0 { facts.append(("failed (contract)", "\(total.contractOnly)")) }
    if total.deviations > 0 { facts.append(("deviate", "\(total.deviations)")) }
    if total.harnessErrors > 0 { facts.append(("no verdict", "\(total.harnessErrors)")) }
    facts.append(("skipped", "\(total.skipped)"))
    facts.append(
      ("MUST rules passed", "\(must.count { $0.verdict == .pass }) of \(must.count)"))
    markup.line("<dl class=\"facts\">")
    for (name, value) in facts { markup.line("<div><dt>\(name)</dt><dd>\(value)</dd></div>") }
    markup.line("</dl>")
  }

  private func verdict(_ summary: RunSummary) -> String {
    let conclusion = summary.conclusion
    let sign: Sign =
      switch conclusion {
      case .conformant, .selectionPassed, .otherCorpusPassed: .pass
      case .knownFailuresOnly: .known
      case .incomplete, .notConformant: .fail
      case .harnessFailed: .unknown
      }
    let reasons = ["grade \(summary.grade.rawValue)"] + conclusion.reasons + summary.remarks
    let why =
      "<span class=\"why\">\(escaped(reasons.joined(separator: "; ").printable))</span>"
    return "<p class=\"verdict \(sign.name)\">\(sign.mark) <b>\(conclusion.words)</b>\(why)</p>"
  }

  /// Returns digits in groups of three.
  static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    guard digits.count > 4 else { return String(digits) }
    var place = digits.count - 3
    while place > 0 {
      digits.insert("\u{202F}", at: place)
      place -= 3
    }
    return String(digits)
  }
}

/// The verdicts as symbols that are distinguishable without colours.
enum Sign: String {
  case pass = "✓"
  case fail = "✕"
  case deviates = "△"
  case known = "◇"
  case unknown = "?"
  case none = "·"

  /// Its CSS class.
  var name: String {
    switch self {
    case .pass: "pass"
    case .fail: "fail"
    case .deviates: "deviates"
    case .known: "known"
    case .unknown: "unknown"
    case .none: "none"
    }
  }

  /// The symbol in words.
  var words: String {
    switch self {
    case .pass: "passed"
    case .fail: "failed"
    case .deviates: "deviates from a recommendation, or from a rule of grade contract alone"
    case .known: "known to fail"
    case .unknown: "no verdict"
    case .none: "not run"
    }
  }

  /// The sign as an element.
  var mark: String { "<i class=\"m \(name)\" title=\"\(words)\">\(rawValue)</i>" }
}
