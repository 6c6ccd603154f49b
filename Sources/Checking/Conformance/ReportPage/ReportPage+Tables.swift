internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios

extension ReportPage {
  // MARK: One implementation

  /// The offers with vectors in the run.
  static func offers(_ summary: RunSummary) -> [RunSummary.OfferSummary] {
    summary.offers.filter { $0.tally.count > 0 || $0.unselected == 0 }
  }

  /// The grade of the core, and of each capability and profile, with the counts.
  func addOffers(_ summary: RunSummary, _ markup: inout Markup) {
    let offers = Self.offers(summary)
    guard !offers.isEmpty else { return }
    let columns: [(name: String, count: (Tally) -> Int)] = [
      ("failed", { $0.requiredFailures }), ("failed (contract)", { $0.contractOnly }),
      ("known", { $0.known }), ("explained", { $0.explained }),
      ("deviate", { $0.deviations }), ("no verdict", { $0.harnessErrors }),
      ("not tested", { $0.notTested }), ("skipped", { $0.skipped }),
    ]
    let used = columns.filter { column in offers.contains { column.count($0.tally) > 0 } }
    markup.card("Core, capabilities and profiles", id: "offers") { markup in
      markup.line(
        "<div class=\"scroll\"><table class=\"offers\"><thead><tr><th></th><th>grade</th>")
      markup.line(
        "<th class=\"number\">passed</th><th class=\"number\">of</th><th class=\"wide\"></th>")
      for column in used { markup.line("<th class=\"number\">\(column.name)</th>") }
      markup.line("</tr></thead><tbody>")
      for offer in offers {
        let tally = offer.tally
        let sign = Self.sign(offer.grade)
        let asked = offer.grade != .notOffered && offer.grade != .notAsked
        markup.raw(
          "<tr class=\"\(sign.name)\"><th scope=\"row\">\(escaped(offer.offer.name))</th>"
            + "<td class=\"grade\">\(sign.mark) <b>\(offer.grade.words)</b></td>"
            + "<td class=\"number\">\(asked ? "\(tally.passed)" : "")</td>"
            + "<td class=\"number faint\">\(tally.count + offer.unselected)</td>"
            + "<td class=\"wide\">\(asked ? Self.bar(tally, of: tally.count + offer.unselected) : "")</td>"
        )
        for column in used {
          let count = column.count(tally)
          markup.raw("<td class=\"number\">\(count == 0 ? "" : "\(count)")</td>")
        }
        markup.line("</tr>")
      }
      markup.line("</tbody></table></div>")
      for note in summary.notes { markup.element("p", "class=\"faint\"", content: note) }
    }
  }

  static func sign(_ grade: Grade) -> Sign {
    switch grade {
    case .conformant, .passed: .pass
    case .restricted, .explained: .known
    case .notConformant: .fail
    case .incomplete, .noVerdict: .unknown
    case .notOffered, .notAsked: .none
    }
  }

  /// The passed, failed and skipped parts of the whole.
  private static func bar(_ tally: Tally, of whole: Int) -> String {
    let scale = 1000
    func length(_ count: Int) -> Int {
      // Even the smallest part is visible.
      count == 0 ? 0 : max(8, count * scale / max(1, whole))
    }
    let bad = length(tally.failed)
    let good = min(length(tally.passed), scale - bad)
    return "<svg class=\"bar\" viewBox=\"0 0 \(scale) 8\" preserveAspectRatio=\"none\" "
      + "aria-hidden=\"true\"><rect class=\"rest\" width=\"\(scale)\" height=\"8\"/>"
      + "<rect class=\"good\" width=\"\(good)\" height=\"8\"/>"
      + "<rect class=\"bad\" x=\"\(good)\" width=\"\(bad)\" height=\"8\"/></svg>"
  }

  /// The reasons for vectors that did not run, with the number of vectors for each.
  func addSkips(_ markup: inout Markup) {
    guard let single else { return }
    var reasons: [(reason: JSONString, count: Int)] = []
    for result in single.report.results {
      guard case .skipped(let skip) = result.verdict else { continue }
      let reason = JSONString(skip.description)
      if let place = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[place].count += 1
      } else {
        reasons.append((reason, 1))
      }
    }
    guard !reasons.isEmpty else { return }
    let count = reasons.reduce(0) { $0 + $1.count }
    markup.card("Not run", id: "skipped", count: Self.grouped(count)) { markup in
      markup.line("<div class=\"scroll\"><table class=\"skips\">")
      for (reason, count) in reasons {
        markup.line(
          "<tr><td class=\"number\">\(Self.grouped(count))</td><td>\(escaped(reason.printable))</td></tr>"
        )
      }
      markup.line("</table></div>")
    }
  }

  // MARK: Several

  /// The passed vectors of each implementation, with the total.
  func addMatrix(
    _ title: String, _ rows: [RunMatrix.Row], id: String, markup: inout Markup
  ) {
    markup.card(title, id: id) { markup in
      markup.line("<div class=\"scroll\"><table class=\"matrix\"><thead><tr><th></th>")
      markup.line("<th class=\"number\">vectors</th>")
      for (place, column) in matrix.columns.enumerated() {
        markup.line(
          "<th class=\"number\" title=\"\(escaped(column.label.printable))\">"
            + "<span class=\"letter\">\(RunMatrix.letter(place))</span> "
            + "<span class=\"label\">\(escaped(column.label.printable))</span></th>")
      }
      markup.line("</tr></thead><tbody>")
      for row in rows {
        markup.raw("<tr><th scope=\"row\">\(escaped(row.name.printable))</th>")
        let count = row.cells.map(\.tally.count).max() ?? 0
        markup.raw("<td class=\"number faint\">\(count)</td>")
        for cell in row.cells {
          let sign = Self.sign(cell)
          let words = sign == .none ? (cell.grade?.words ?? "not run") : "\(cell.tally.passed)"
          markup.raw("<td class=\"number \(sign.name)\">\(words) \(sign.mark)</td>")
        }
        markup.line("</tr>")
      }
      markup.line("</tbody></table></div>")
    }
  }

  private static func sign(_ cell: RunMatrix.Cell) -> Sign {
    if let grade = cell.grade, grade != .conformant, grade != .passed { return sign(grade) }
    if cell.tally.requiredFailures > 0 { return .fail }
    if cell.tally.harnessErrors > 0 { return .unknown }
    if cell.tally.deviations + cell.tally.contractOnly > 0 { return .deviates }
    return cell.tally.executed == 0 ? .none : .pass
  }
}
