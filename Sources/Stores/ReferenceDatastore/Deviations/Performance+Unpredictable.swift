internal import Datastore

/// Documents for which the model predicts nothing any more, because of a deviation.
///
/// The checker accepts whatever the store returns for them, and what it returns for the whole store
/// as feed, counts and found documents. A model with such a deviation keeps the rules.
extension Performance {
  /// Predicts nothing for these documents from this operation on.
  mutating func leaveUnpredictable(
    _ ids: some Sequence<DocumentID>, because deviation: Deviation.ID
  ) {
    for id in ids where store?.deviationMemory.unpredictable[id] == nil {
      store?.deviationMemory.unpredictable[id] = deviation
    }
  }

  /// Keeps what another performance has left unpredicted, also if this one began again.
  mutating func keepUnpredictable(of other: Performance) {
    for (id, deviation) in other.store?.deviationMemory.unpredictable ?? [:] {
      leaveUnpredictable([id], because: deviation)
    }
  }

  /// Accepts the observed answer where it concerns documents for which nothing is predicted.
  mutating func acceptUnpredictable() {
    guard let unpredictable = store?.deviationMemory.unpredictable, !unpredictable.isEmpty,
      let answer = start.answer, let accepted = accepted(answer, apartFrom: unpredictable),
      accepted != outcome
    else { return }
    let named = operation.action.documentArguments
    decisions.record(
      unpredictable.filter { named.isEmpty || named.contains($0.key) }.map(\.value))
    outcome = accepted
  }

  /// The outcome with the answer's part for some documents; nil if no part of it concerns them, or
  /// if the rest differs.
  private mutating func accepted(
    _ answer: Outcome, apartFrom unpredictable: [DocumentID: Deviation.ID]
  ) -> Outcome? {
    let action = operation.action
    switch (action, outcome, answer) {
    case (.list(_, let limit, _), .ok(.list(let rows)), .ok(.list(let answered))):
      let rows = rows.filter { unpredictable[$0.id] == nil }
      let others = answered.filter { unpredictable[$0.id] == nil }
      let isFull = limit.map { Int64(answered.count) >= $0 } ?? false
      return rows.starts(with: others) && (isFull || rows.count == others.count) ? answer : nil
    case (.insertRevisions(let records), .ok(.inserted(var results)), .ok(.inserted(let answered))):
      guard records.count == answered.count, results.count == answered.count else { return nil }
      for (place, record) in records.enumerated() where unpredictable[record.id] != nil {
        results[place] = answered[place]
      }
      return .ok(.inserted(results))
    case (.revsDiff, .ok(.revsDiff(let differences)), .ok(.revsDiff(let answered))):
      let others = answered.filter { unpredictable[$0.id] == nil }
      let own = differences.filter { unpredictable[$0.id] == nil }
      return OperationResult.revsDiff(own).agrees(with: .revsDiff(others), comparesDigests: true)
        ? answer : nil
    case (.getRevisions, .ok(.revisions(let results)), .ok(.revisions(let answered))):
      guard results.count == answered.count else { return nil }
      return .ok(
        .revisions(
          zip(results, answered).map { unpredictable[$0.id] == nil ? $0 : $1 }))
    default:
      let named = action.documentArguments
      guard named.contains(where: { unpredictable[$0] != nil }) else { return nil }
      // An operation on one document leaves the model of the others as it is.
      if named.count == 1 {
        let memory = store?.deviationMemory
        after = before
        if let memory { store?.deviationMemory = memory }
        let choices = decisions
        decisions = start
        decisions.continueChoices(of: choices)
      }
      return answer
    }
  }
}

extension ModelStore {
  /// The deviations because of which nothing is predicted for an operation on the whole store; nil
  /// for other operations, and if there are none.
  func unpredictable(_ action: StoreAction) -> [Deviation.ID]? {
    guard isOpen, !deviationMemory.unpredictable.isEmpty else { return nil }
    switch action {
    case .info, .changes, .finding(.find): return Array(deviationMemory.unpredictable.values)
    default: return nil
    }
  }
}

extension ModelState {
  /// The deviations because of which nothing is predicted for an operation; empty for none.
  func unpredictable(_ operation: StoreOperation) -> Set<Deviation.ID> {
    guard let store = stores[operation.store] else { return [] }
    let named = operation.action.documentArguments
    let ofDocuments = named.compactMap { store.deviationMemory.unpredictable[$0] }
    return Set(ofDocuments + (store.unpredictable(operation.action) ?? []))
  }
}

extension StoreAction {
  /// The documents that the action names together with revisions of some kind.
  func documents(with isHit: ([RevisionID]) -> Bool) -> [DocumentID] {
    switch self {
    case .insertRevisions(let records): records.filter { isHit($0.path) }.map(\.id)
    case .revsDiff(let queries), .getRevisions(let queries):
      queries.filter { isHit($0.revs) }.map(\.id)
    default: isHit(revisionArguments) ? documentArguments : []
    }
  }
}
