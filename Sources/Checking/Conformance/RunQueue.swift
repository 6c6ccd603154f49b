public import Datastore
public import Scenarios
internal import Synchronization

/// The selected vectors of a corpus, for one runner or several at the same time.
///
/// Each vector is handed out once. The report has the results in the order of the corpus, so it
/// does not depend on the number of runners.
public final class RunQueue: Sendable {
  /// The vectors in the order in which they run.
  public let vectors: [CorpusVector]
  private let corpus: Corpus
  private let selection: Selection
  /// The product whose deviations are declared; nil if none is.
  private let product: DeclaredProduct?
  private let failsFast: Bool
  private let isInterrupted: @Sendable () -> Bool
  private let isOver: @Sendable () -> Bool
  /// The places of the vectors in the corpus.
  private let places: [Int]
  private let state: Mutex<State>

  /// The number of vectors in a row that may end with the same error. One more stops the run.
  public static let equalErrorsMax = 50

  fileprivate struct State {
    /// The place of the next vector.
    var next = 0
    /// The end of the run: behind the last vector, or behind the first failure that counts.
    var end: Int
    var done = 0
    var failures = 0
    var skipped = 0
    var results: [RunReport.Result?]
    /// The error of the last results, and their number.
    var lastError: (key: String, count: Int)?
    var stop: RunStop?
  }

  /// - Parameters:
  ///   - after: the id of the vector after which the run begins; nil for the whole selection.
  ///   - product: the product whose deviations are declared; nil if none is.
  ///   - failsFast: whether the first required failure ends the run and its report.
  ///   - isInterrupted: whether the run must end; called before each vector.
  public convenience init(
    _ corpus: Corpus, _ selection: Selection = .all, after: VectorID? = nil,
    product: DeclaredProduct? = nil, failsFast: Bool = false,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    let start = corpus.vectors.firstIndex { $0.id == after }.map { $0 + 1 } ?? 0
    let places = corpus.vectors.indices[start...].filter { selection.contains(corpus.vectors[$0]) }
    self.init(
      corpus, selection, places: places, product: product, failsFast: failsFast,
      isInterrupted: isInterrupted)
  }

  /// - Parameters:
  ///   - places: the places of selected vectors in the corpus, in the order in which they run.
  ///   - isInterrupted: whether the user ends the run; called before each vector.
  ///   - isOver: whether the time of the run is over; called before each vector.
  package init(
    _ corpus: Corpus, _ selection: Selection, places: [Int],
    product: DeclaredProduct?, failsFast: Bool,
    isInterrupted: @escaping @Sendable () -> Bool,
    isOver: @escaping @Sendable () -> Bool = { false }
  ) {
    vectors = places.map { corpus.vectors[$0] }
    self.places = places
    self.corpus = corpus
    self.selection = selection
    self.product = product
    self.failsFast = failsFast
    self.isInterrupted = isInterrupted
    self.isOver = isOver
    state = Mutex(
      State(end: vectors.count, results: [RunReport.Result?](repeating: nil, count: vectors.count)))
  }

  /// Returns the place of the next vector; nil if none is left or the run was stopped.
  func take() -> Int? {
    let (isInterrupted, isOver) = (isInterrupted(), isOver())
    return state.withLock { state in
      guard state.next < state.end else { return nil }
      if isInterrupted {
        state.stop(.interrupted)
        return nil
      }
      if isOver {
        state.end = state.next
        return nil
      }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Records the result of the vector at a place.
  func put(_ result: RunReport.Result, at place: Int) -> RunProgress {
    state.withLock { state in
      state.record(result, at: place, failsFast: failsFast)
      return RunProgress(
        done: state.done, count: vectors.count, failures: state.failures, skipped: state.skipped)
    }
  }

  /// Returns the report; called when no runner works on the queue any more.
  public func report(on implementation: ImplementationDescription) -> RunReport {
    let (results, stop) = state.withLock { ($0.results.prefix($0.end), $0.stop) }
    let inOrder = zip(places, results).sorted { $0.0 < $1.0 }.compactMap { $0.1 }
    var report = RunReport(
      implementation: implementation, corpus: corpus, selection: selection, results: inOrder)
    report.product = product
    report.stop = stop
    report.selectedCount = vectors.count
    return report
  }
}

extension RunQueue.State {
  fileprivate mutating func record(
    _ result: RunReport.Result, at place: Int, failsFast: Bool
  ) {
    results[place] = result
    done += 1
    switch result.verdict {
    case .pass: break
    case .skipped: skipped += 1
    case .harnessError: failures += 1
    case .fail:
      if result.knownFailure != nil { break }
      failures += 1
      // Vectors before it are still running, and may fail as well.
      if failsFast, result.vector.isRequired { end = min(end, place + 1) }
    }
    guard let (key, message) = result.repeatableError else {
      // A skipped vector sends no request.
      if case .skipped = result.verdict { return }
      lastError = nil
      return
    }
    lastError = (key, lastError.map { $0.key == key ? $0.count + 1 : 1 } ?? 1)
    if let lastError, lastError.count > RunQueue.equalErrorsMax { stop(.repeatedError(message)) }
  }

  /// Ends the run: vectors in progress still get a result.
  fileprivate mutating func stop(_ reason: RunStop) {
    guard stop == nil, next < end else { return }
    stop = reason
    end = next
  }
}
