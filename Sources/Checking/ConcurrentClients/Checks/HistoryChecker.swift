internal import Datastore
internal import JSON

/// Checks a history of several clients: its order, its feed, its sessions, and what is left at the
/// end.
public struct HistoryChecker: Sendable {
  /// The guarantees that the store gives.
  public var promises: Set<ConsistencyPromise>
  /// The number of decisions of a search after which the answer is unknown.
  public var stepsMax: Int

  /// A checker of a store that gives the guarantees.
  public init(
    promises: Set<ConsistencyPromise> = Set(ConsistencyPromise.allCases), stepsMax: Int = 200_000
  ) {
    self.promises = promises
    self.stepsMax = stepsMax
  }

  /// The result for a history.
  public struct Verdict: Hashable, Sendable {
    /// The number of operations.
    public var operations = 0
    /// The number of operations without a response.
    public var unanswered = 0
    /// The number of operations that were rejected because the store was busy.
    public var busy = 0
    /// The number of operations whose order was searched, each once for each group of documents.
    public var ordered = 0
    /// The number of these operations in groups for which the search was ended early.
    public var unknown = 0
    /// The violations, at most one for each group of documents and check.
    public var findings: [HistoryFinding] = []

    /// Creates an empty result.
    public init() {}
  }

  /// Checks a history of one store.
  public func check(_ history: ClientHistory) -> Verdict {
    var verdict = Verdict()
    verdict.operations = history.operations.count
    verdict.unanswered = history.operations.count { $0.isUnanswered }
    verdict.busy = history.operations.count { $0.outcome?.errorKind == .busy }
    verdict.findings = wrongResponses(history)
    let reading = HistoryReading(history, promises)
    for group in reading.searches(stepsMax: stepsMax) {
      let (documents, (answer, search)) = (group.documents, group.answer())
      verdict.ordered += search.entryCount
      switch answer {
      case .ordered: break
      case .noOrder(let until) where group.isExact:
        verdict.findings.append(
          HistoryFinding(
            .order, of: documents.map(\.id), sentence: Self.sentence(documents), operations: [],
            until: until))
      case .noOrder, .unknown: verdict.unknown += search.entryCount
      }
    }
    let isLimited = history.operations.contains { operation in
      if case .historyLimit = operation.operation.action { true } else { false }
    }
    if promises.contains(.feedOrder), !isLimited || promises.contains(.limits) {
      verdict.findings += FeedOrderCheck(history, promises).findings
    }
    if promises.contains(.reads) {
      verdict.findings += SessionCheck(history).findings
      verdict.findings += ConservationCheck(history, reading).findings
    }
    return verdict
  }

  private static func sentence(_ documents: [HistoryReading.DocumentKey]) -> String {
    guard !documents.isEmpty else {
      return "no order of the writes has what info or list returned"
    }
    let names = documents.map { ($0.isLocal ? "local document " : "") + $0.id.text.string }
    return "no order of the operations has these outcomes: \(names.joined(separator: ", "))"
  }

  /// Outcomes that are wrong in every state.
  private func wrongResponses(_ history: ClientHistory) -> [HistoryFinding] {
    history.operations.indices.compactMap { place in
      let operation = history.operations[place]
      switch operation.outcome?.errorKind {
      case .noSuchStore, .storage(.corrupt), .storage(.newerVersion):
        return HistoryFinding(
          .response, of: operation.operation.action.documents,
          sentence: "\(operation.operation.action.name) has the outcome "
            + "\(operation.outcome?.errorKind.map { "\($0)" } ?? ""), while the store is open and intact",
          operations: [place], until: operation.end ?? operation.call)
      default: return nil
      }
    }
  }
}
