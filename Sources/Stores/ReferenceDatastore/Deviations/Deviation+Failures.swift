internal import Datastore
internal import RevisionTree

// Operations to which a store gives no valid response.

extension Deviation {
  static let failures: [Deviation] = [
    Deviation(
      "history-limit-0-fails",
      "The store fails with an internal error when the history limit is set to 0.",
      breaks: ["LIMIT-007"], of: [.couchDB],
      effect: .failure { operation, state in
        guard case .historyLimit(0) = operation.action else { return false }
        return state.stores[operation.store]?.isOpen == true
      }),
    Deviation(
      "stub-at-recreation-fails",
      "The store fails with an internal error when a deleted document is created again with an "
        + "attachment that is only a stub.",
      breaks: ["ATT-008"], of: [.couchDB],
      effect: .failure { operation, state in
        guard case .attaching(let attachments, .create(let id?, _)) = operation.action,
          attachments.contains(where: { $0.content == .stub }),
          let store = state.stores[operation.store], store.isOpen,
          store.deviationMemory.unpredictable[id] == nil,
          // Another error is found before.
          attachments.allSatisfy({
            (try? AttachmentDraft($0, store.inlineBytesMax, allowsEmptyName: true)) != nil
          })
        else { return false }
        return store.documents[id]?.tree.isWinnerDeleted == true
      }),
    Deviation(
      "latest-of-unknown-fails",
      "`getRevisions` with `latest` ends the store if a known document lacks the revision.",
      breaks: ["REC-003", "REC-004"], of: [.pouchDB],
      effect: .failure { operation, state in
        guard case .getRevisions(let queries) = operation.action,
          let store = state.stores[operation.store], store.isOpen
        else { return false }
        for query in queries {
          let tree = store.documents[query.id]?.tree
          for rev in query.revs {
            // A revision id that the product rejects is found before.
            guard rev.isDigitsAndSuffix else { return false }
            guard query.latest, let tree else { continue }
            let isKnown = store.collation.revision(rev).map { tree.contains($0) }
            if isKnown != true {
              return store.deviationMemory.unpredictable[query.id] == nil
            }
          }
        }
        return false
      }),
  ]
}
