internal import Datastore

/// Checks that the positions of the feed do not contradict time: a document whose last change ended
/// before a change of another one began comes first.
struct FeedOrderCheck {
  private(set) var findings: [HistoryFinding] = []

  private struct Change {
    var call: Int64
    var end: Int64
    var operation: Int
  }

  init(_ history: ClientHistory, _ promises: Set<ConsistencyPromise>) {
    var writers: [RevisionName: Change] = [:]
    var changes: [DocumentID: [Change]] = [:]
    for (place, operation) in history.operations.enumerated() {
      let action = operation.operation.action
      guard action.changesDocuments else { continue }
      var isPossible = operation.isUnanswered || operation.outcome?.result != nil
      if case .resolve = action.withoutAttachments, !promises.contains(.resolutions) {
        // A rejected one may have happened in part.
        isPossible = true
      }
      guard isPossible else { continue }
      let change = Change(call: operation.call, end: operation.deadline, operation: place)
      for id in action.documents { changes[id, default: []].append(change) }
      for name in operation.written {
        // A revision that is inserted twice has its position from either.
        if let first = writers[name], first.call <= change.call { continue }
        writers[name] = change
      }
    }
    for (place, operation) in history.operations.enumerated() {
      guard case .ok(.changes(let page)) = operation.outcome, page.rows.count > 1 else { continue }
      // The newest change that a later row certainly has not.
      var newest: (row: ChangesRow, change: Change)?
      for row in page.rows {
        if let newest, let last = changes[row.id]?.filter({ $0.call < operation.deadline }),
          let end = last.map(\.end).max(), newest.change.call > end
        {
          findings.append(
            HistoryFinding(
              .feed, of: [newest.row.id, row.id],
              sentence: "the feed has \(newest.row.id) before \(row.id), but the last change of "
                + "\(row.id) ended before this change of \(newest.row.id) began",
              operations: [newest.change.operation, place], until: operation.deadline))
          return
        }
        for leaf in row.leaves {
          guard let change = writers[RevisionName(id: row.id, rev: leaf.rev)] else { continue }
          if newest.map({ $0.change.call < change.call }) ?? true { newest = (row, change) }
        }
      }
    }
  }
}

extension StoreAction {
  /// Whether the operation can change a document.
  var changesDocuments: Bool {
    switch withoutAttachments {
    case .create, .update, .delete, .resolve, .batch, .insertRevisions, .purge: true
    default: false
    }
  }
}
