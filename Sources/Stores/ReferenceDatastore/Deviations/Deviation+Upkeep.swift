internal import Datastore
internal import JSON
internal import RevisionTree

// Deviations in purges and their consequences.

extension Deviation {
  static let upkeep: [Deviation] = [
    Deviation(
      "limit-cuts-at-refused-edit",
      "An edit that is refused as a conflict applies a lowered history limit to the document, and "
        + "moves its row in the feed.",
      breaks: ["EDIT-015", "LIMIT-002"], of: [.couchDB],
      effect: .response { performance in
        guard performance.outcome.errorKind == .conflict,
          let id = performance.operation.action.editedDocument, var store = performance.store,
          let limit = store.historyLimit, var document = store.documents[id],
          // These edits are refused before they reach the document.
          !id.text.utf8.starts(with: "_design/".utf8), store.refused == nil
        else { return }
        let before = document
        for revision in document.tree.stem(limit: limit) { document.forget(revision) }
        guard document != before else { return }
        store.lastChange += 1
        document.changedAt = store.lastChange
        store.documents[id] = document
        performance.store = store
      }),
    Deviation(
      "compaction-applies-limit",
      "A compaction applies a lowered history limit to all documents, without moving their rows in the "
        + "feed.",
      breaks: ["LIMIT-002"], of: [.couchDB],
      effect: .response { performance in
        guard case .compact = performance.operation.action, performance.result != nil,
          var store = performance.store, let limit = store.historyLimit
        else { return }
        for (id, document) in store.documents {
          var cut = document
          for revision in cut.tree.stem(limit: limit) { cut.forget(revision) }
          store.documents[id] = cut
        }
        performance.store = store
      }),
    Deviation(
      "purge-does-not-cut", "A purge does not apply the history limit to the document.",
      breaks: ["LIMIT-001"], of: [.couchDB],
      effect: .response { performance in
        guard case .purge(let id, let revs) = performance.operation.action,
          performance.result != nil, performance.storeBefore?.historyLimit != nil
        else { return }
        performance.perform { store, _ in
          let limit = store.historyLimit
          store.historyLimit = nil
          defer { store.historyLimit = limit }
          return try? store.purge(id, revs)
        }
      }),
    Deviation(
      "purge-keeps-live-flag",
      "After a purge of the last live leaf beside tombstones, the store counts the document as "
        + "live, and rejects its creation.",
      breaks: ["PURGE-007", "STORE-007"], of: [.couchDB],
      effect: .response { performance in
        if case .purge(let id, _) = performance.operation.action, performance.result != nil,
          performance.storeBefore?.isCountedAsLive(id) == true,
          let document = performance.store?.documents[id], document.tree.isWinnerDeleted
        {
          performance.store?.deviationMemory.countedAsLive[id] = document.changedAt
        } else if case .insertRevisions = performance.operation.action {
          performance.recount()
        } else if case .info(var info)? = performance.result, let store = performance.store {
          let wrong = Int64(
            store.deviationMemory.countedAsLive.keys.count { id in
              store.documents[id]?.tree.isWinnerDeleted == true && store.isCountedAsLive(id)
            })
          info.documents += wrong
          info.deletedDocuments -= wrong
          performance.result = .info(info)
        } else if case .create(let id?, _) = performance.operation.action.withoutAttachments,
          performance.result != nil, let store = performance.storeBefore,
          store.isCountedAsLive(id)
        {
          performance.fail(.conflict)
        }
      }),
  ]
}

extension ModelStore {
  /// Whether a store counts a document as live, rightly or because of a purge.
  fileprivate func isCountedAsLive(_ id: DocumentID) -> Bool {
    guard let document = documents[id] else { return false }
    return !document.tree.isWinnerDeleted
      || deviationMemory.countedAsLive[id] == document.changedAt
  }
}

extension Performance {
  /// Counts the documents of arrived records correctly again; a corrected count is a change.
  fileprivate mutating func recount() {
    guard case .insertRevisions(let records) = operation.action,
      case .inserted(let results)? = result, let before = storeBefore, var store
    else { return }
    for (record, error) in zip(records, results) where error == nil {
      guard let wrong = before.deviationMemory.countedAsLive[record.id],
        var document = store.documents[record.id]
      else { continue }
      store.deviationMemory.countedAsLive[record.id] = nil
      guard document.changedAt == wrong else { continue }
      store.lastChange += 1
      document.changedAt = store.lastChange
      store.documents[record.id] = document
    }
    self.store = store
  }
}

extension StoreAction {
  /// The document that a single edit changes.
  fileprivate var editedDocument: DocumentID? {
    switch withoutAttachments {
    case .create(let id, _): id
    case .update(let id, _, _), .delete(let id, _, _): id
    default: nil
    }
  }
}
