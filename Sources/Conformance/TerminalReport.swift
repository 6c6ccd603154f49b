internal import Datastore
internal import JSON
internal import Scenarios

/// A run as text for people: one line per family of clauses, the witnesses, and the verdict.
package struct TerminalReport {
  private let report: RunReport
  private let summary: RunSummary
  private let width: Int
  private let style: TextStyle

  package init(_ report: RunReport, width: Int = 100, style: TextStyle = .plain) {
    self.report = report
    summary = RunSummary(report)
    self.width = width
    self.style = style
  }

  package var text: String {
    let blocks = [families] + problems + [headline]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private var families: [String] {
    let nameWidth = summary.families.map(\.family.string.unicodeScalars.count).max() ?? 0
    let countWidth =
      summary.families.map { "\($0.tally.passed)/\($0.tally.count)".count }.max() ?? 0
    return summary.families.map { family, tally in
      let name = TextLayout.padded(family.string, nameWidth)
      let count = "\(tally.passed)/\(tally.count)"
      let remark = remark(tally)
      let marked =
        tally.requiredFailures > 0
        ? style.bad(count) : tally.passed == tally.count ? style.good(count) : count
      guard !remark.isEmpty else { return "\(name)  \(marked)" }
      let gap = String(repeating: " ", count: countWidth - count.count + 2)
      return "\(name)  \(marked)\(gap)\(remark)"
    }
  }

  private func remark(_ tally: Tally) -> String {
    var parts: [String] = []
    if tally.requiredFailures > 0 { parts.append(style.bad("\(tally.requiredFailures) failed")) }
    if tally.deviations > 0 {
      let noun = tally.deviations == 1 ? "deviates" : "deviate"
      parts.append(style.warning("\(tally.deviations) \(noun)"))
    }
    if tally.harnessErrors > 0 {
      parts.append(style.warning("\(tally.harnessErrors) without a verdict"))
    }
    if tally.skipped > 0 { parts.append(style.faint("\(tally.skipped) skipped")) }
    return parts.joined(separator: ", ")
  }

  /// One block per vector that did not pass and was not skipped.
  private var problems: [[String]] {
    report.results.compactMap { result in
      switch result.verdict {
      case .pass, .skipped: return nil
      case .fail(let witness): return WitnessText(witness, width: width, style: style).lines
      case .harnessError(let failure):
        let mark = style.warning("NO VERDICT")
        let id = style.strong(TextLayout.printable(result.vector.id.description))
        return ["\(mark) \(id)  \(style.faint(result.vector.file))"]
          + TextLayout.wrapped(failure.description, width: width, indent: "  ")
      }
    }
  }

  private var headline: [String] {
    let implementation = report.implementation
    let name = TextLayout.printable("\(implementation.name) \(implementation.version)")
    let count = TextLayout.counted(report.corpus.vectors.count, "vector")
    let asked = "\(summary.total.executed) of \(count)"
    var lines = ["\(style.strong(name)) · \(asked)"]
    // What a selection left out entirely is no news.
    let offers = summary.offers.filter { $0.tally.count > 0 || $0.unselected == 0 }
    lines += TextLayout.joined(offers.map(\.phrase), by: " · ", width: width)
    switch summary.conclusion {
    case .conformant: lines.append(style.good("conformant"))
    case .selectionPassed:
      lines.append(style.good("passed") + "; a selection is no verdict on conformance")
    case .notConformant(let reasons):
      lines.append(style.bad("not conformant") + ": " + reasons.joined(separator: "; "))
    case .harnessFailed(let reasons):
      lines.append(style.warning("no verdict") + ": " + reasons.joined(separator: "; "))
    }
    return lines
  }
}
