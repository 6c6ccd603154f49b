internal import Conformance
internal import JSON
internal import TrafficLint

/// The result of `touchstone lint`, as text and as JSON.
struct LintText {
  /// The findings of one clause that the text shows; the JSON has more.
  private static let shownMax = 3

  let report: LintReport

  init(_ report: LintReport) { self.report = report }

  func text(width: Int, _ style: TextStyle) -> String {
    var lines: [String] = []
    for (clause, count) in report.counts {
      let findings = report.findings.filter { $0.clause == clause }.prefix(Self.shownMax)
      let server = clause.party == .server ? " (server)" : ""
      lines += TextLayout.wrapped(
        "\(clause.id) \(clause.level.rawValue)\(server): \(clause.sentence)", width: width,
        indent: "")
      for finding in findings {
        lines.append("  " + TextLayout.printable(finding.sentence))
        let numberWidth = finding.evidence.map { "\($0.number)".utf8.count }.max() ?? 0
        for item in finding.evidence {
          let number = String(repeating: " ", count: numberWidth - "\(item.number)".utf8.count)
          lines.append("    #\(item.number)\(number)  " + TextLayout.printable(item.line))
          lines.append(
            String(repeating: " ", count: numberWidth + 7) + TextLayout.printable(item.note))
        }
      }
      if count > findings.count {
        lines.append("  and \(TextLayout.counted(count - findings.count, "further finding"))")
      }
      lines.append("")
    }
    let (must, should) = (report.count(.must), report.count(.should))
    let scope =
      "\(TextLayout.counted(report.exchangeCount, "exchange")), "
      + "\(TextLayout.counted(report.sessionCount, "session"))"
    let verdict = "\(TextLayout.counted(must, "finding")) of level MUST, \(should) of level SHOULD"
    lines.append("\(scope): \(must == 0 ? style.good(verdict) : style.bad(verdict))")
    return lines.map { $0 + "\n" }.joined()
  }

  var json: JSONValue {
    let findings = report.findings.map { finding -> JSONValue in
      [
        "clause": .text(finding.clause.id), "level": .text(finding.clause.level.rawValue),
        "binds": .text(finding.clause.party.rawValue), "rule": .text(finding.clause.sentence),
        "finding": .text(finding.sentence),
        "exchanges": .array(
          finding.evidence.map { item in
            [
              "n": .integer(Int64(item.number)), "exchange": .text(item.line),
              "shows": .text(item.note),
            ]
          }),
      ]
    }
    let counts = report.counts.map { clause, count -> (JSONString, JSONValue) in
      (JSONString(clause.id), .integer(Int64(count)))
    }
    return [
      "exchanges": .integer(Int64(report.exchangeCount)),
      "sessions": .integer(Int64(report.sessionCount)),
      "must": .integer(Int64(report.count(.must))),
      "should": .integer(Int64(report.count(.should))),
      "counts": .object(JSONObject(counts)), "findings": .array(findings),
    ]
  }
}
