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
  ///   - identity: what the repetition depends on.
  ///   - selected: the vectors that the verdict is about, in the order of the corpus.
  ///   - report: a run of all or of some of them. Only with all is the conclusion checked.
  init(
    _ file: VerdictFile, _ identity: CampaignIdentity, selected: [VectorID], report: RunReport
  ) {
    let implementation = report.implementation
    differences.compare(file.identity, found: identity)
    var found: [VectorID: String] = [:]
    for result in report.results { found[result.vector.id] = result.verdict.name }
    count = found.count
    total = selected.count
    let options = file.identity.options.map { " \($0)" }.joined()
    subject =
      "run --implementation \(file.identity.implementation)\(options) by \(implementation.name) "
      + "\(implementation.version): \(file.conclusion)"
    for (id, verdict) in file.outcomes.verdicts(on: selected) {
      if let name = found[id] { differences.compare("\(id)", stated: verdict, found: name) }
    }
    if found.count == selected.count {
      differences.compare(
        "conclusion", stated: file.conclusion, found: RunSummary(report).conclusion.name)
    } else {
      compareRest(file, selected: selected, report)
    }
  }

  /// Compares what follows without a run of the other vectors: which of them cannot run, and the
  /// conclusion if none of them failed.
  private mutating func compareRest(
    _ file: VerdictFile, selected: [VectorID], _ report: RunReport
  ) {
    var ran: [VectorID: RunReport.Result] = [:]
    for result in report.results { ran[result.vector.id] = result }
    var vectors: [VectorID: CorpusVector] = [:]
    for vector in report.corpus.vectors { vectors[vector.id] = vector }
    var results: [RunReport.Result] = []
    for (id, verdict) in file.outcomes.verdicts(on: selected) {
      if let result = ran[id] {
        results.append(result)
        continue
      }
      guard let vector = vectors[id] else { continue }
      let due = vector.skip(for: report.implementation).map { Verdict.skipped($0) } ?? .pass
      if !due.isPass || Self.withoutRun.contains(verdict) {
        let found = due.isPass ? "the vector can run" : due.name
        differences.compare("\(id)", stated: verdict, found: found)
      }
      if verdict == JSONString(due.name) {
        results.append(RunReport.Result(vector: vector, verdict: due))
      }
    }
    // Failures of other vectors, and declared deviations, are known to a run only.
    guard results.count == selected.count, report.product == nil else { return }
    let whole = RunReport(
      implementation: report.implementation, corpus: report.corpus, selection: report.selection,
      results: results)
    differences.compare(
      "conclusion", stated: file.conclusion, found: RunSummary(whole).conclusion.name)
  }

  /// The verdicts on vectors that do not run.
  private static let withoutRun: Set<JSONString> = ["skipped", "notTested"]

  var holds: Bool { differences.isEmpty }

  /// The result for readers.
  var text: String {
    differences.text(
      "\(count) of \(TextLayout.counted(total, "vector"))", outcome: "the stated outcome",
      about: [subject] + (count < total ? ["the conclusion follows from all vectors only"] : []))
  }
}
