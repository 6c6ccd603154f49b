public import Datastore
internal import JSON
public import Scenarios

/// Asks vectors of one implementation and checks the answers.
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

  /// Asks vectors of a queue until none is left, also while other runners do the same.
  ///
  /// - Parameter progress: called after each vector with how many are done, of how many.
  public func work(
    on queue: RunQueue, progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) {
    while let place = queue.take() {
      let vector = queue.vectors[place]
      let start = nanoseconds()
      let verdict = verdict(on: vector)
      let result = RunReport.Result(
        vector: vector, verdict: verdict, durationNanoseconds: nanoseconds() &- start)
      progress(queue.put(result, at: place), queue.vectors.count)
    }
  }

  /// Asks the selected vectors of a corpus in its order, alone.
  public func run(_ corpus: Corpus, _ selection: Selection = .all) -> RunReport {
    let queue = RunQueue(corpus, selection)
    work(on: queue)
    return queue.report(on: implementation.description)
  }
}
