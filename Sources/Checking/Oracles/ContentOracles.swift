public import Datastore
public import JSON

/// The oracles of contents alone, for several stores without a network: equal revision ids have
/// equal contents in all of them.
public struct ContentOracles {
  private var history: History
  private var contents = RevisionContents()
  private var locals = LocalContents()

  /// - Parameters:
  ///   - stores: the names of the stores; observations refer to them as replicas.
  ///   - revisionIDs: the profile of the stores' own revision ids.
  ///   - contentFlaws: how contents under one revision id may differ, as declared.
  public init(
    stores: [JSONString], revisionIDs: RevisionIDProfile, contentFlaws: Set<ContentFlaw> = []
  ) {
    history = History(
      stores.map { OracleReplica($0, revisionIDs: revisionIDs, contentFlaws: contentFlaws) })
  }

  /// The declared flaws because of which a revision id has several contents.
  public var contentFlaws: Set<ContentFlaw> { Set(contents.shared.values) }

  /// Receives an operation of a client with its outcome, and returns a finding.
  public mutating func observe(
    _ operation: StoreOperation, _ outcome: Outcome, store: Int
  ) -> OracleFinding? {
    for (operation, outcome) in operation.writes(with: outcome) {
      let observation = Observation.client(replica: store, step: "", operation, outcome)
      history.note(observation)
      if let finding = contents.observe(observation, history) { return finding }
      if let finding = locals.observe(observation, history) { return finding }
    }
    return nil
  }
}

extension StoreOperation {
  /// The writes of a batch, each with its outcome; any other operation itself.
  public func writes(with outcome: Outcome) -> [(StoreOperation, Outcome)] {
    guard case .batch(let writes) = action else { return [(self, outcome)] }
    var results: [OperationResult] = []
    if case .ok(.batch(let each)) = outcome { results = each }
    return writes.enumerated().map { number, write in
      (
        StoreOperation(store, write),
        results.indices.contains(number) ? .ok(results[number]) : outcome
      )
    }
  }
}

extension OracleFinding {
  /// The replica with the first of two contents; nil for other findings.
  public var firstReplica: JSONString? {
    if case .unequalContents(_, _, _, let left, _) = self { left } else { nil }
  }
}
