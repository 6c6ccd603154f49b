internal import Datastore
internal import JSON
internal import Rendering

/// The verdict of a run as a badge: an image, or the JSON for shields.io.
struct Badge {
  private let summary: RunSummary
  /// The name of the file of the verdict, beside the badge; nil without one.
  private let verdictName: String?

  init(_ report: RunReport) {
    summary = RunSummary(report)
    verdictName = report.verdictName
  }

  private static let label = "touchstone"

  /// The text of the badge: the conclusion, its grade, and the number of core vectors.
  var message: String {
    let notTested = summary.total.notTested
    let untested = notTested > 0 ? " · \(notTested) not tested" : ""
    if case .explained(let reasons) = summary.conclusion, let reason = reasons.first {
      return "explained · \(summary.grade.rawValue) · \(reason)\(untested)"
    }
    let core = summary.offers.first { $0.offer == .core }?.tally ?? Tally()
    return "\(summary.conclusion.words) · \(summary.grade.rawValue) · core "
      + "\(core.passed)/\(core.count)\(untested)"
  }

  /// The endpoint form of shields.io.
  var json: String {
    let colour: JSONValue =
      switch summary.conclusion {
      case .conformant: "brightgreen"
      case .selectionPassed, .otherCorpusPassed: "green"
      case .restricted, .explained: "yellowgreen"
      case .knownFailuresOnly: "yellow"
      case .incomplete, .notConformant: "red"
      case .harnessFailed: "lightgrey"
      }
    let json: JSONValue = [
      "schemaVersion": 1, "label": .text(Self.label), "message": .text(message), "color": colour,
    ]
    return SafeJSON(json).line + "\n"
  }

  var svg: String {
    let (left, right) = (Self.width(Self.label) + 20, Self.width(message) + 20)
    let width = left + right
    let title = escaped("\(Self.label): \(message)")
    let colour =
      switch summary.conclusion {
      case .conformant, .selectionPassed, .otherCorpusPassed: "#2f7a4d"
      case .restricted, .explained: "#5f7a1f"
      case .knownFailuresOnly: "#8f6210"
      case .incomplete, .notConformant: "#b3362d"
      case .harnessFailed: "#6a7078"
      }
    func text(_ words: String, _ middle: Int, length: Int) -> String {
      // With any font, the words fill their field.
      "<text x=\"\(middle)\" y=\"14\" textLength=\"\(length)\">\(escaped(words))</text>"
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="20" role="img" \
      aria-label="\(title)">
      <title>\(title)</title>\(link.begin)
      <clipPath id="r"><rect width="\(width)" height="20" rx="3"/></clipPath>
      <g clip-path="url(#r)"><rect width="\(left)" height="20" fill="#3b4047"/>\
      <rect x="\(left)" width="\(right)" height="20" fill="\(colour)"/></g>
      <g fill="#fff" text-anchor="middle" font-size="11" \
      font-family="Verdana,DejaVu Sans,Geneva,sans-serif">\
      \(text(Self.label, left / 2, length: left - 20))\
      \(text(message, left + right / 2, length: right - 20))</g>\(link.end)
      </svg>

      """
  }

  /// The link to the verdict, which works in a page that contains the image, and where it is opened
  /// alone.
  private var link: (begin: String, end: String) {
    guard let verdictName else { return ("", "") }
    return ("\n<a href=\"\(escaped(verdictName))\">", "</a>")
  }

  /// The approximate width of words in Verdana at 11 pixels.
  private static func width(_ words: String) -> Int {
    let tenths = words.unicodeScalars.reduce(0) { sum, scalar in
      switch scalar {
      case "i", "l", "j", ".", ",", "·", "'", ":": sum + 35
      case " ", "f", "t", "r", "/", "-": sum + 45
      case "m", "w", "M", "W": sum + 100
      default: sum + 70
      }
    }
    return tenths / 10
  }
}
