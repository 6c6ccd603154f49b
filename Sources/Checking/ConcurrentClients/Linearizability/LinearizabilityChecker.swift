public import Datastore

/// Decides whether a history has an order of its operations in which each outcome is correct.
///
/// The documents are searched one by one, because the history of a store is linearizable if that of
/// each document is; a batch joins its documents.
public struct LinearizabilityChecker: Sendable {
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

  /// The result for a group of documents.
  public enum Verdict: Hashable, Sendable {
    /// An order exists: places of operations in the history.
    case ordered([Int])
    /// No order exists, not even of the operations that ended up to this place.
    case noOrder(until: Int64)
    /// The search was ended before it was complete.
    case unknown
  }

  /// The result for a group of documents, whose operations were ordered together.
  public struct GroupVerdict: Hashable, Sendable {
    /// The documents; empty for the counts of the store.
    public var documents: [DocumentID]
    /// The number of operations of the group.
    public var operationCount: Int
    /// The number of decisions of the search.
    public var steps: Int
    /// The answer.
    public var verdict: Verdict
  }

  /// Searches an order for each group of documents of a history of one store.
  ///
  /// - Complexity: exponential in the number of overlapping operations in the worst case, limited by
  ///   `stepsMax` for each group; usually linear.
  public func check(_ history: ClientHistory) -> [GroupVerdict] {
    let reading = HistoryReading(history, promises)
    return reading.searches(stepsMax: stepsMax).map { documents, search in
      var search = search
      let verdict: Verdict =
        switch search.run() {
        case .ordered(let order): .ordered(order)
        case .noOrder(let end): reading.isExact ? .noOrder(until: end) : .unknown
        case .unknown: .unknown
        }
      return GroupVerdict(
        documents: documents.map(\.id), operationCount: search.entryCount, steps: search.steps,
        verdict: verdict)
    }
  }
}
