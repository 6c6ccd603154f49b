internal import Datastore
internal import JSON
internal import Scenarios

/// A run as text for readers: one line per family of clauses, the simplest failures, and the
/// verdict.
package struct TerminalReport {
  let report: RunReport
  private let summary: RunSummary
  let tally: FailureTally
  let width: Int
  let style: TextStyle
  /// Whether all failures are printed in full.
  let showsAll: Bool

  package init(
    _ report: RunReport, width: Int = 100, style: TextStyle = .plain, showsAll: Bool = false
  ) {
    self.report = report
    summary = RunSummary(report)
    tally = FailureTally(report)
    self.showsAll = showsAll
    self.width = width
    self.style = style
  }

  package var text: String {
    let blocks =
      [families] + failures + [listProblems, differences, contractOnly, headline]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private var families: [String] {
    let ran = summary.families.filter { !$0.tally.isNotOffered }
    let nameWidth = ran.map(\.family.string.unicodeScalars.count).max() ?? 0
    let countWidth = ran.map { "\($0.tally.passed)/\($0.tally.count)".count }.max() ?? 0
    let lines = ran.map { family, tally in
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
    return lines + notOffered
  }

  /// The families of rules without a vector that the implementation offers to run.
  private var notOffered: [String] {
    let families = summary.families.filter(\.tally.isNotOffered)
    // The remaining vectors of a run that ended early may belong to these families.
    guard !families.isEmpty, report.stop == nil else { return [] }
    let count = TextLayout.counted(families.reduce(0) { $0 + $1.tally.skipped }, "vector")
    let names = families.map { TextLayout.printable($0.family.string) }
    let text =
      "Skipped, because the store does not offer them: \(names.joined(separator: ", ")) "
      + "(\(count))"
    return TextLayout.wrapped(text, width: width, indent: "").map { style.faint($0) }
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
    if tally.explained > 0 { parts.append(style.warning("\(tally.explained) explained")) }
    if tally.known > 0 { parts.append(style.warning("\(tally.known) known")) }
    if tally.harnessErrors > 0 {
      parts.append(style.warning("\(tally.harnessErrors) without a verdict"))
    }
    if tally.notTested > 0 { parts.append(style.warning("\(tally.notTested) not tested")) }
    if tally.skipped > 0 { parts.append(style.faint("\(tally.skipped) skipped")) }
    return parts.joined(separator: ", ")
  }

  private var listProblems: [String] {
    report.knownFailureProblems.flatMap { problem in
      let lines = TextLayout.wrapped(problem, width: width, indent: "  ")
      return ["\(style.bad("LIST")) of known failures"] + lines
    }
  }

  /// The number of differences and vectors listed at the end.
  static let namedMax = 12

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
    let names = report.results.filter { $0.isContractOnlyFailure && $0.knownFailure == nil }.map(
      \.vector.id.description)
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
    lines += TextLayout.joined(
      offers.filter(\.isMade).map(\.phrase), by: " · ", width: width)
    let others = offers.filter { !$0.isMade }.map(\.offer.name)
    if !others.isEmpty {
      lines += TextLayout.wrapped(
        "not offered: \(others.joined(separator: ", "))", width: width, indent: "")
    }
    lines += summary.notes.flatMap { TextLayout.wrapped($0, width: width, indent: "") }
    return lines + [verdict]
  }

  /// The conclusion on one line.
  var verdict: String {
    let conclusion = summary.conclusion
    let words =
      switch conclusion {
      case .conformant, .selectionPassed, .otherCorpusPassed: style.good(conclusion.words)
      case .restricted, .explained, .knownFailuresOnly, .harnessFailed:
        style.warning(conclusion.words)
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

extension Tally {
  /// Whether all of its vectors were skipped.
  fileprivate var isNotOffered: Bool { executed == 0 && notTested == 0 && skipped > 0 }
}
