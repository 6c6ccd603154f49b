public import Datastore
internal import Synchronization

/// The selected vectors of a corpus, which one runner asks, or several at the same time.
///
/// Each vector is handed out once. The report has the results in the order of the corpus, whoever
/// came by them and when, so it does not show how many runners there were.
public final class RunQueue: Sendable {
  /// What there is to ask, in the order of the corpus.
  public let vectors: [CorpusVector]
  private let corpus: Corpus
  private let selection: Selection
  private let failsFast: Bool
  private let state: Mutex<State>

  private struct State {
    /// The place of the vector that is handed out next.
    var next = 0
    /// Where the run ends: behind the last vector, or behind the first failure that counts.
    var end: Int
    var done = 0
    var results: [RunReport.Result?]
  }

  /// - Parameter failsFast: whether the first failure that is required ends the run and its report.
  public init(_ corpus: Corpus, _ selection: Selection = .all, failsFast: Bool = false) {
    vectors = corpus.vectors.filter { selection.contains($0) }
    self.corpus = corpus
    self.selection = selection
    self.failsFast = failsFast
    state = Mutex(
      State(end: vectors.count, results: [RunReport.Result?](repeating: nil, count: vectors.count)))
  }

  /// The place of a vector that nobody has asked yet; nil when there is none left to ask.
  func take() -> Int? {
    state.withLock { state in
      guard state.next < state.end else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Takes the result of the vector at a place, and says how many are there now.
  func put(_ result: RunReport.Result, at place: Int) -> Int {
    let isFailure = if case .fail = result.verdict { result.vector.isRequired } else { false }
    return state.withLock { state in
      // What stands before it is being asked, and may fail as well.
      if failsFast, isFailure { state.end = min(state.end, place + 1) }
      state.results[place] = result
      state.done += 1
      return state.done
    }
  }

  /// All that was found out; asked for when nobody works on it any more.
  public func report(on implementation: ImplementationDescription) -> RunReport {
    let results = state.withLock { $0.results.prefix($0.end).compactMap { $0 } }
    return RunReport(
      implementation: implementation, corpus: corpus, selection: selection, results: results)
  }
}
