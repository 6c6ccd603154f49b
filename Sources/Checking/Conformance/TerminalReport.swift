internal import Datastore
internal import JSON
internal import Scenarios

/// A run as text for readers: one line per family of clauses, the witnesses, and the verdict.
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
    let blocks =
      [families] + problems + [knownFailures, listProblems, differences, contractOnly, headline]
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
    if tally.contractOnly > 0 {
      parts.append(style.warning("\(tally.contractOnly) failed (contract)"))
    }
    if tally.known > 0 { parts.append(style.warning("\(tally.known) known")) }
    if tally.harnessErrors > 0 {
      parts.append(style.warning("\(tally.harnessErrors) without a verdict"))
    }
    if tally.skipped > 0 { parts.append(style.faint("\(tally.skipped) skipped")) }
    return parts.joined(separator: ", ")
  }

  /// One block per vector that neither passed nor was skipped.
  private var problems: [[String]] {
    report.results.compactMap { result in
      switch result.verdict {
      case .pass, .skipped: return nil
      case .fail where result.knownFailure != nil: return nil
      case .fail(let witness): return WitnessText(witness, width: width, style: style).lines
      case .harnessError(let failure):
        let mark = style.warning("NO VERDICT")
        let id = style.strong(TextLayout.printable(result.vector.id.description))
        return ["\(mark) \(id)  \(style.faint(TextLayout.printable(result.vector.file)))"]
          + TextLayout.wrapped(failure.description, width: width, indent: "  ")
      }
    }
  }

  /// A line or two for each known failure.
  private var knownFailures: [String] {
    report.results.flatMap { result -> [String] in
      guard case .fail(let witness) = result.verdict, let entry = result.knownFailure else {
        return []
      }
      let id = style.strong(TextLayout.printable(result.vector.id.description))
      let file = style.faint(TextLayout.printable(result.vector.file))
      let title = "\(style.warning("KNOWN")) \(id)  \(file)"
      return [title] + TextLayout.wrapped(witness.message, width: width, indent: "  ")
        + TextLayout.wrapped(entry.explanation, width: width, indent: "  ")
    }
  }

  private var listProblems: [String] {
    report.knownFailureProblems.flatMap { problem in
      let lines = TextLayout.wrapped(problem, width: width, indent: "  ")
      return ["\(style.bad("LIST")) of known failures"] + lines
    }
  }

  /// The number of differences and vectors listed at the end.
  private static let namedMax = 12

  var differences: [String] {
    let differences = report.corpus.differences
    guard !differences.isEmpty else { return [] }
    let rest = differences.count - Self.namedMax
    return ["\(style.bad("INCOMPLETE")) The corpus differs from its manifest:"]
      + differences.prefix(Self.namedMax).flatMap {
        TextLayout.wrapped($0.description, width: width, indent: "  ")
      } + (rest > 0 ? ["  … \(rest) more: touchstone vectors check"] : [])
  }

  /// The failures that count only at the grade `contract`, by name; they do not change the exit
  /// code.
  var contractOnly: [String] {
    let names = report.results.filter(\.isContractOnlyFailure).map(\.vector.id.description)
    guard !names.isEmpty else { return [] }
    let rest = names.count - Self.namedMax
    let listed = names.prefix(Self.namedMax).map { TextLayout.printable($0) }
    let count = TextLayout.counted(names.count, "vector")
    return [
      "\(style.warning("CONTRACT")) \(count) failed, required by grade contract and not by grade "
        + "family:"
    ] + TextLayout.joined(listed, by: ", ", width: width - 2).map { "  \($0)" }
      + (rest > 0 ? ["  … \(rest) more"] : [])
  }

  private var headline: [String] {
    let implementation = report.implementation
    let name = TextLayout.printable("\(implementation.name) \(implementation.version)")
    var lines = ["\(style.strong(name)) · \(summary.asked)"]
    // Families without a selected vector are left out.
    let offers = summary.offers.filter { $0.tally.count > 0 || $0.unselected == 0 }
    lines += TextLayout.joined(offers.map(\.phrase), by: " · ", width: width)
    lines += summary.notes.flatMap { TextLayout.wrapped($0, width: width, indent: "") }
    return lines + [verdict]
  }

  /// The conclusion on one line.
  var verdict: String {
    let conclusion = summary.conclusion
    let words =
      switch conclusion {
      case .conformant, .selectionPassed, .otherCorpusPassed: style.good(conclusion.words)
      case .knownFailuresOnly, .harnessFailed: style.warning(conclusion.words)
      case .incomplete, .notConformant: style.bad(conclusion.words)
      }
    let reasons = conclusion.reasons + summary.remarks
    let grade = " (grade \(report.corpus.grade.rawValue))"
    return words + grade + (reasons.isEmpty ? "" : ": " + Self.joined(reasons))
  }

  private static func joined(_ reasons: [String]) -> String {
    TextLayout.printable(reasons.joined(separator: "; "))
  }
}
