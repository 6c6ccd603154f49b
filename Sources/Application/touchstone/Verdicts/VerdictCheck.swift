internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

/// The comparison of a verdict with another run.
struct VerdictCheck {
  /// The differences, each as one line.
  let differences: [String]
  private let count: Int
  private let total: Int

  /// - Parameter isWhole: whether all vectors of the verdict ran, so that its conclusion is checked.
  init(_ file: VerdictFile, _ report: RunReport, isWhole: Bool) {
    var differences: [String] = []
    func compare(_ what: String, _ stated: JSONString, found: String) {
      if stated != JSONString(found) {
        differences.append("\(what): the verdict says \(stated), this run \(found)")
      }
    }
    compare("the name of the implementation", file.name, found: report.implementation.name)
    compare("its version", file.version, found: report.implementation.version)
    var stated: [VectorID: JSONString] = [:]
    for exception in file.outcomes.notPassed { stated[exception.id] = exception.verdict }
    for result in report.results {
      compare(
        "\(result.vector.id)", stated[result.vector.id] ?? VerdictOutcomes.pass,
        found: result.verdict.name)
    }
    if isWhole {
      compare("the conclusion", file.conclusion, found: RunSummary(report).conclusion.name)
    }
    self.differences = differences
    count = report.results.count
    total = file.outcomes.counts.reduce(0) { $0 + $1.number }
  }

  var holds: Bool { differences.isEmpty }

  private static let shownMax = 20

  /// The result for readers.
  var text: String {
    let ran = "\(count) of \(TextLayout.counted(total, "vector")) ran again"
    guard !holds else { return "the verdict holds: \(ran), and all have the stated outcome\n" }
    let shown = differences.prefix(Self.shownMax).map { "  \($0)\n" }.joined()
    let hidden = differences.count - Self.shownMax
    return "the verdict does not hold: \(ran), "
      + "\(TextLayout.counted(differences.count, "difference"))\n\(shown)"
      + (hidden > 0 ? "  … \(hidden) more\n" : "")
  }
}
