internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

/// The comparison of the verdict of a run with another run.
struct VerdictCheck {
  private var differences = VerdictDifferences()
  private let count: Int
  private let total: Int
  /// What the verdict says.
  private let subject: String

  /// - Parameters:
  ///   - selected: the vectors that the verdict is about, in the order of the corpus.
  ///   - report: a run of all or of some of them. Only with all is the conclusion checked.
  init(_ file: VerdictFile, selected: [VectorID], _ report: RunReport) {
    let implementation = report.implementation
    differences.compare(
      "name of the implementation", stated: file.identity.name, found: implementation.name)
    differences.compare("its version", stated: file.identity.version, found: implementation.version)
    var found: [VectorID: String] = [:]
    for result in report.results { found[result.vector.id] = result.verdict.name }
    for (id, verdict) in file.outcomes.verdicts(on: selected) {
      if let name = found[id] { differences.compare("\(id)", stated: verdict, found: name) }
    }
    if found.count == selected.count {
      differences.compare(
        "conclusion", stated: file.conclusion, found: RunSummary(report).conclusion.name)
    }
    count = found.count
    total = selected.count
    let options = file.identity.options.map { " \($0)" }.joined()
    subject =
      "run\(options) by \(implementation.name) \(implementation.version): \(file.conclusion)"
  }

  var holds: Bool { differences.isEmpty }

  /// The result for readers.
  var text: String {
    differences.text(
      "\(count) of \(TextLayout.counted(total, "vector"))", outcome: "the stated outcome",
      about: [subject] + (count < total ? ["the conclusion follows from all vectors only"] : []))
  }
}
