/// The formats of a report file.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// A self-contained page.
  case html
  /// JSON Lines: one object per line.
  case jsonl
  /// JUnit XML, for build servers.
  case junit
  /// Markdown, for summaries of builds.
  case markdown
  /// The Test Anything Protocol.
  case tap
  /// A badge as an image.
  case badgeSVG = "badge-svg"
  /// A badge as JSON for a badge service.
  case badgeJSON = "badge-json"

  /// Whether the format supports several implementations.
  public var holdsSeveral: Bool {
    switch self {
    case .html, .jsonl, .markdown: true
    case .junit, .tap, .badgeSVG, .badgeJSON: false
    }
  }

  /// The whole report, with a newline at its end.
  public func text(of report: RunReport) -> String {
    switch self {
    case .html: ReportPage(report).html
    case .jsonl: JSONLinesReport(report).text
    case .junit: JUnitReport(report).text
    case .markdown: MarkdownReport(report).text
    case .tap: TAPReport(report).text
    case .badgeSVG: Badge(report).svg
    case .badgeJSON: Badge(report).json
    }
  }

  /// The whole report about several implementations; nil if the format supports only one.
  public func text(of matrix: RunMatrix) -> String? {
    switch self {
    case .html: ReportPage(matrix).html
    case .jsonl: MatrixJSONLines(matrix).text
    case .markdown: MatrixMarkdown(matrix).text
    case .junit, .tap, .badgeSVG, .badgeJSON: nil
    }
  }
}
