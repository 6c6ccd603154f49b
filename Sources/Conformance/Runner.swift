public import Datastore
internal import JSON
public import Scenarios

/// Asks vectors of one implementation and judges the answers.
///
/// The implementation never sees an expectation. Each vector starts from an empty implementation,
/// so that a failing one has no effect on the next.
public struct Runner {
  public let implementation: any ImplementationUnderTest
  /// The command that asks one vector again, for witnesses.
  private let rerunCommand: (VectorID) -> String?
  /// A clock for the durations of vectors, which no verdict depends on.
  private let nanoseconds: () -> UInt64

  public init(
    _ implementation: any ImplementationUnderTest,
    nanoseconds: @escaping () -> UInt64 = { 0 },
    rerunCommand: @escaping (VectorID) -> String? = { _ in nil }
  ) {
    self.implementation = implementation
    self.nanoseconds = nanoseconds
    self.rerunCommand = rerunCommand
  }

  /// Asks one vector.
  public func verdict(on vector: CorpusVector) -> Verdict {
    var trial = Trial(vector, implementation, rerun: rerunCommand(vector.id))
    return trial.verdict()
  }

  /// Asks the selected vectors of a corpus in its order.
  ///
  /// - Parameters:
  ///   - failsFast: whether the first failure that is required ends the run and its report.
  ///   - progress: called after each vector with how many are done, of how many.
  public func run(
    _ corpus: Corpus, _ selection: Selection = .all, failsFast: Bool = false,
    progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) -> RunReport {
    let selected = corpus.vectors.filter { selection.contains($0) }
    var results: [RunReport.Result] = []
    for vector in selected {
      let start = nanoseconds()
      let verdict = verdict(on: vector)
      results.append(
        RunReport.Result(
          vector: vector, verdict: verdict, durationNanoseconds: nanoseconds() &- start))
      progress(results.count, selected.count)
      if failsFast, vector.isRequired, case .fail = verdict { break }
    }
    return RunReport(
      implementation: implementation.description, corpus: corpus, selection: selection,
      results: results)
  }
}
