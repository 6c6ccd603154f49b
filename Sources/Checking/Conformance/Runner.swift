public import Datastore
internal import JSON
public import Scenarios

/// Runs vectors on one implementation and checks the outcomes.
///
/// The implementation never receives an expectation. Each vector starts with an empty
/// implementation, so that a failing one has no effect on the next.
public struct Runner {
  /// The implementation that runs the vectors.
  public let implementation: any ImplementationUnderTest
  /// Explains failures by declared deviations; nil without a declared product.
  private let explainer: FailureExplainer?
  /// The command that runs one vector again, for witnesses.
  private let rerunCommand: (VectorID) -> String?
  /// A clock for the durations of vectors; no verdict depends on it.
  private let nanoseconds: () -> UInt64

  /// Creates a runner.
  public init(
    _ implementation: any ImplementationUnderTest, explainer: FailureExplainer? = nil,
    nanoseconds: @escaping () -> UInt64 = { 0 },
    rerunCommand: @escaping (VectorID) -> String? = { _ in nil }
  ) {
    self.implementation = implementation
    self.explainer = explainer
    self.nanoseconds = nanoseconds
    self.rerunCommand = rerunCommand
  }

  /// Runs one vector.
  public func verdict(on vector: CorpusVector) -> Verdict {
    run(vector).verdict
  }

  /// The vectors that fail.
  package func failures(among vectors: [CorpusVector]) -> [CorpusVector] {
    vectors.filter { if case .fail = verdict(on: $0) { true } else { false } }
  }

  /// Whether declared deviations explain every step of a vector, or the vector passes.
  public func isExplained(_ vector: CorpusVector) -> Bool {
    let result = run(vector)
    return result.verdict.isPass || result.knownFailure != nil
  }

  private func run(_ vector: CorpusVector) -> RunReport.Result {
    let start = nanoseconds()
    var trial = Trial(
      vector, implementation, explainer: explainer, rerun: rerunCommand(vector.id))
    let verdict = trial.verdict()
    return RunReport.Result(
      vector: vector, verdict: verdict, durationNanoseconds: nanoseconds() &- start,
      explanation: trial.explanation)
  }

  /// Runs the vectors of a queue until none is left, also concurrently with other runners.
  ///
  /// - Parameter progress: called after each vector.
  public func work(on queue: RunQueue, progress: (RunProgress) -> Void = { _ in }) {
    while let place = queue.take() {
      progress(queue.put(run(queue.vectors[place]), at: place))
    }
  }

  /// Runs the selected vectors of a corpus in its order.
  public func run(_ corpus: Corpus, _ selection: Selection = .all) -> RunReport {
    let queue = RunQueue(corpus, selection, product: explainer?.product)
    work(on: queue)
    return queue.report(on: implementation.description)
  }
}
