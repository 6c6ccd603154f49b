internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

/// The comparison of a verdict with another run.
struct VerdictCheck {
  /// The differences, each as one line.
  private let differences: [String]
  private let count: Int
  private let total: Int

  /// - Parameters:
  ///   - selected: the vectors that the verdict is about, in the order of the corpus.
  ///   - report: a run of all or of some of them. Only with all is the conclusion checked.
  init(_ file: VerdictFile, selected: [VectorID], _ report: RunReport) {
    var differences: [String] = []
    func compare(_ what: String, stated: JSONString, found: String) {
      if stated != JSONString(found) {
        differences.append("\(what): the verdict says \(stated), this run \(found)")
      }
    }
    let implementation = report.implementation
    compare("name of the implementation", stated: file.identity.name, found: implementation.name)
    compare("its version", stated: file.identity.version, found: implementation.version)
    var found: [VectorID: String] = [:]
    for result in report.results { found[result.vector.id] = result.verdict.name }
    for (id, verdict) in file.outcomes.verdicts(on: selected) {
      if let name = found[id] { compare("\(id)", stated: verdict, found: name) }
    }
    if found.count == selected.count {
      compare("conclusion", stated: file.conclusion, found: RunSummary(report).conclusion.name)
    }
    self.differences = differences
    count = found.count
    total = selected.count
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
