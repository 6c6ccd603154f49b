public import Datastore
internal import Synchronization

/// The selected vectors of a corpus, for one runner or several at the same time.
///
/// Each vector is handed out once. The report has the results in the order of the corpus, so it
/// does not depend on the number of runners.
public final class RunQueue: Sendable {
  /// The vectors in the order of the corpus.
  public let vectors: [CorpusVector]
  private let corpus: Corpus
  private let selection: Selection
  private let failsFast: Bool
  private let state: Mutex<State>

  private struct State {
    /// The place of the next vector.
    var next = 0
    /// The end of the run: behind the last vector, or behind the first failure that counts.
    var end: Int
    var done = 0
    var results: [RunReport.Result?]
  }

  /// - Parameter failsFast: whether the first required failure ends the run and its report.
  public init(_ corpus: Corpus, _ selection: Selection = .all, failsFast: Bool = false) {
    vectors = corpus.vectors.filter { selection.contains($0) }
    self.corpus = corpus
    self.selection = selection
    self.failsFast = failsFast
    state = Mutex(
      State(end: vectors.count, results: [RunReport.Result?](repeating: nil, count: vectors.count)))
  }

  /// Returns the place of the next vector; nil if none is left.
  func take() -> Int? {
    state.withLock { state in
      guard state.next < state.end else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Records the result of the vector at a place, and returns the number of results.
  func put(_ result: RunReport.Result, at place: Int) -> Int {
    let isFailure = if case .fail = result.verdict { result.vector.isRequired } else { false }
    return state.withLock { state in
      // Vectors before it are still running, and may fail as well.
      if failsFast, isFailure { state.end = min(state.end, place + 1) }
      state.results[place] = result
      state.done += 1
      return state.done
    }
  }

  /// Returns the report; called when no runner works on the queue any more.
  public func report(on implementation: ImplementationDescription) -> RunReport {
    let results = state.withLock { $0.results.prefix($0.end).compactMap { $0 } }
    return RunReport(
      implementation: implementation, corpus: corpus, selection: selection, results: results)
  }
}
