internal import Datastore
internal import JSON
internal import RevisionTree

// Operations to which a store gives no valid response.

extension Deviation {
  static let failures: [Deviation] = [
    Deviation(
      "history-limit-0-fails",
      "The store fails with an internal error when the history limit is set to 0.",
      breaks: ["LIMIT-007"], of: [.couchDB],
      effect: .failure(
        form: { $0 == .historyLimit(0) },
        in: { operation, state in
          operation.action == .historyLimit(0) && state.stores[operation.store]?.isOpen == true
        })),
    Deviation(
      "stub-at-recreation-fails",
      "The store fails with an internal error when a deleted document is created again with an "
        + "attachment that is only a stub.",
      breaks: ["ATT-008"], of: [.couchDB],
      effect: .failure(
        form: { action in
          guard case .attaching(let attachments, .create(_?, _)) = action else { return false }
          return attachments.contains { $0.content == .stub }
        },
        in: { operation, state in
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
        })),
    Deviation(
      "latest-of-unknown-fails",
      "`getRevisions` with `latest` ends the store if a known document lacks the revision.",
      breaks: ["REC-003", "REC-004"], of: [.pouchDB],
      effect: .failure(
        form: { action in
          guard case .getRevisions(let queries) = action else { return false }
          return queries.contains(where: \.latest)
        },
        in: { operation, state in
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
        })),
    Deviation(
      "repeated-update-of-deleted-document-fails",
      "An update ends the store if it is equal to an older one of the same revision and the document is "
        + "deleted.",
      breaks: ["EDIT-011"], of: [.pouchDB],
      effect: .failure(
        // Every update has the form, so it would admit too much.
        form: { _ in false },
        in: { operation, state in
          guard let store = state.stores[operation.store], store.isOpen,
            !operation.action.hasAttachments,
            case .update(let id, let rev, let body) = operation.action.withoutAttachments,
            let document = store.documents[id], document.tree.isWinnerDeleted,
            store.deviationMemory.unpredictable[id] == nil,
            let parent = store.collation.revision(rev)
          else { return false }
          return document.tree.leaves.contains { leaf in
            document.tree.ancestry(of: leaf).contains { child in
              document.tree.parent(of: child) == parent
                && document.tree.isDeleted(child) != true
                && document.bodies[child]?.isSameValue(as: body) == true
                && document.attachments[child]?.isEmpty ?? true
            }
          }
        })),
  ]
}
