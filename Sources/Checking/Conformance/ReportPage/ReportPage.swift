internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios

/// One page about one run, or about several side by side.
///
/// The page is self-contained: it needs no network and no fonts, and its only script is its own.
/// Everything from stores and vectors is escaped, and the same run gives the same bytes.
struct ReportPage {
  let matrix: RunMatrix
  /// The failures of the only run that are not listed as known, required ones first.
  let failures: [Witness]
  /// The vectors with a failure or a difference that has an anchor.
  let failed: Set<VectorID>
  /// The vectors of the run with the results of each implementation, in the order of the corpus.
  let rows: [Row]
  /// The places in `rows` of the vectors of each rule.
  let vectorsOfRule: [ClauseID: [Int]]
  /// The rules that the page lists.
  let rules: Set<ClauseID>

  /// A vector with a result for each implementation; nil where a run ended before it.
  struct Row {
    let vector: CorpusVector
    let results: [RunReport.Result?]
  }

  /// The number of failures or differences shown in full; the rest get a line each.
  static let toldMax = 100

  init(_ report: RunReport) {
    let name = "\(report.implementation.name) \(report.implementation.version)"
    self.init(RunMatrix([(name, report)]))
  }

  init(_ matrix: RunMatrix) {
    self.matrix = matrix
    failures = matrix.columns.count == 1 ? Self.failures(in: matrix.columns[0].report) : []
    rows = Self.rows(of: matrix)
    var vectorsOfRule: [ClauseID: [Int]] = [:]
    for (place, row) in rows.enumerated() {
      for clause in row.vector.clauses { vectorsOfRule[clause.id, default: []].append(place) }
    }
    self.vectorsOfRule = vectorsOfRule
    rules = Set((matrix.columns.first?.summary.clauses ?? []).map(\.clause.id))
    failed = Self.failed(in: matrix)
  }

  private static func rows(of matrix: RunMatrix) -> [Row] {
    let reports = matrix.columns.map(\.report)
    return (0..<(reports.map(\.results.count).max() ?? 0)).compactMap { place in
      // A run that ended at its first failure has fewer results.
      let results = reports.map { place < $0.results.count ? $0.results[place] : nil }
      guard let vector = results.compactMap({ $0?.vector }).first else { return nil }
      return Row(vector: vector, results: results)
    }
  }

  /// The only run; nil if there are several.
  var single: RunMatrix.Column? { matrix.columns.count == 1 ? matrix.columns.first : nil }

  var html: String {
    var page = Page(
      title, kind: "conformance report",
      purpose: single == nil
        ? "This page compares implementations that ran the same vectors."
        : "This page shows the rules that an implementation keeps and breaks. Vectors test the "
          + "rules, and each failure is shown with its steps.",
      heading: single?.label ?? "\(matrix.columns.count) implementations, same vectors",
      program: programName)
    page.style = Self.style
    page.script = Self.script
    page.remark = "A skip is not a pass: every count is shown with the total number of vectors"
    return page.html {
      addHeader(&$0)
    } body: {
      addBody(&$0)
    }
  }

  private func addBody(_ markup: inout Markup) {
    markup.line("<main>")
    addContents(&markup)
    markup.line("<div>")
    let differences = matrix.columns.first?.report.corpus.differences ?? []
    addNotes(
      "Differences of the corpus from its manifest", differences.map(\.description), markup: &markup
    )
    if let single {
      addOffers(single.summary, &markup)
      addFailures(single.report, &markup)
    } else {
      addMatrix("Core, capabilities and profiles", matrix.offers, id: "offers", markup: &markup)
      addDifferences(&markup)
      addMatrix("Families of clauses", matrix.families, id: "families", markup: &markup)
    }
    addRules(&markup)
    addVectors(&markup)
    addSkips(&markup)
    markup.line("</div></main>")
  }

  private var title: String {
    single.map { "\($0.label): \($0.summary.conclusion.words)" }
      ?? matrix.columns.map(\.label).joined(separator: ", ")
  }

  private func addHeader(_ markup: inout Markup) {
    if let single {
      markup.line(verdict(single.summary))
      addFacts(single, &markup)
    } else {
      markup.line("<div class=\"scroll\"><table class=\"runs\">")
      for (place, column) in matrix.columns.enumerated() {
        let about = column.report.implementation
        markup.line(
          "<tr><th scope=\"row\"><span class=\"letter\">\(RunMatrix.letter(place))</span> "
            + "\(escaped(column.label.printable))"
            + "<span class=\"faint\"> \(escaped("\(about.name) \(about.version)".printable))</span>"
            + "</th><td class=\"number\">\(escaped(column.summary.asked))</td>"
            + "<td>\(verdict(column.summary))</td></tr>")
      }
      markup.line("</table></div>")
    }
    addOrigin(&markup)
  }

  /// The date of the run, the corpus, the program and the machine.
  private func addOrigin(_ markup: inout Markup) {
    guard let report = matrix.columns.first?.report else { return }
    let corpus = report.corpus
    let manifest = corpus.manifestSHA256.map { ", manifest \($0.prefix(12))" } ?? ""
    var facts = [
      (
        "corpus",
        "\(corpus.integrity.words)\(manifest), "
          + "\(TextLayout.counted(corpus.vectors.count, "vector")), "
          + TextLayout.counted(corpus.clauses.count, "rule")
      ),
      ("program", programName),
    ]
    if let origin = report.origin {
      facts.insert(("date", "\(origin.day)"), at: 0)
      facts.append(("machine", origin.machine))
    }
    markup.facts(facts, kind: "origin")
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
    if total.explained > 0 { facts.append(("explained", "\(total.explained)")) }
    if total.contractOnly > 0 { facts.append(("failed (contract)", "\(total.contractOnly)")) }
    if total.deviations > 0 { facts.append(("deviate", "\(total.deviations)")) }
    if total.harnessErrors > 0 { facts.append(("no verdict", "\(total.harnessErrors)")) }
    if total.notTested > 0 { facts.append(("not tested", "\(total.notTested)")) }
    facts.append(("skipped", "\(total.skipped)"))
    facts.append(
      ("MUST rules passed", "\(must.count { $0.verdict == .pass }) of \(must.count)"))
    markup.facts(facts)
  }

  private func verdict(_ summary: RunSummary) -> String {
    let conclusion = summary.conclusion
    let sign: Sign =
      switch conclusion {
      case .conformant, .selectionPassed, .otherCorpusPassed: .pass
      case .restricted, .explained, .knownFailuresOnly: .known
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
