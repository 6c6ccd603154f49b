/// The forms in which a run is written to a file.
public enum ReportFormat: String, CaseIterable, Sendable {
  case jsonl
  case junit
  case markdown
  case tap

  /// The whole report, with a newline at its end.
  public func text(of report: RunReport) -> String {
    switch self {
    case .jsonl: JSONLinesReport(report).text
    case .junit: JUnitReport(report).text
    case .markdown: MarkdownReport(report).text
    case .tap: TAPReport(report).text
    }
  }
}
