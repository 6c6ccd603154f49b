internal import Datastore
internal import JSON

// Mutants in edits and reads of documents.

extension Defect {
  static let edits: [Defect] = creating + changing + ids + reading

  private static let creating: [Defect] = [
    refusing(
      "ids-by-prefix", "EDIT-001",
      sentence: "Creating a document whose id begins with another document's id is a conflict."
    ) { operation, store throws(HarnessError) in
      guard case .create(let id?, _) = operation.action else { return nil }
      let rows = try store.feed(operation.store)
      return rows.contains { $0.id != id && id.text.utf8.starts(with: $0.id.text.utf8) }
        ? .conflict : nil
    },
    mishearing(
      "one-id-for-all", "EDIT-002",
      sentence: "Documents created without an id all get the same one."
    ) {
      operation, _ in
      guard case .create(nil, let body) = operation.action else { return operation }
      return StoreOperation(operation.store, .create(id: "unnamed", body: body))
    },
    mishearing(
      "creating-replaces", "EDIT-003",
      sentence: "Creating a document that was never updated replaces it."
    ) { operation, store throws(HarnessError) in
      guard case .create(let id?, let body) = operation.action,
        let winner = try store.leaves(operation.store, id).first, !winner.deleted,
        winner.rev.generation == 1
      else { return operation }
      return StoreOperation(operation.store, .update(id: id, rev: winner.rev, body: body))
    },
    remembering(
      "updates-without-parent", "EDIT-005",
      sentence: "An update makes a revision without a parent.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.update, .ok(.written(let id, let rev))):
          memory.marks.insert(operation.key(id.text, rev.text))
        case (.getRevisions, .ok(let result)):
          let marks = memory.marks
          return .ok(
            result.mapRecords { record in
              let isMade = record.path.first.map { rev in
                marks.contains(operation.key(record.id.text, rev.text))
              }
              if isMade == true { record.path = Array(record.path.prefix(1)) }
            })
        default: break
        }
        return outcome
      }),
    mishearing(
      "updates-create", "EDIT-009",
      sentence: "An update of a document that does not exist creates it."
    ) { operation, store throws(HarnessError) in
      guard case .update(let id, _, let body) = operation.action,
        try store.leaves(operation.store, id).isEmpty
      else { return operation }
      return StoreOperation(operation.store, .create(id: id, body: body))
    },
  ]

  private static let changing: [Defect] = [
    refusing(
      "tombstones-unknown-to-edits", "EDIT-010",
      sentence: "An edit by the revision of a tombstone is notFound(missing)."
    ) { operation, store throws(HarnessError) in
      let edited: (id: DocumentID, rev: RevisionID)
      switch operation.action {
      case .update(let id, let rev, _): edited = (id, rev)
      case .delete(let id, let rev, _): edited = (id, rev)
      default: return nil
      }
      let leaves = try store.leaves(operation.store, edited.id)
      return leaves.contains { $0.deleted && $0.rev == edited.rev } ? .notFound(.missing) : nil
    },
    mishearing(
      "stale-edits-revive", "EDIT-011",
      sentence: "An update of a deleted document by a stale revision creates it again."
    ) { operation, store throws(HarnessError) in
      guard case .update(let id, let rev, let body) = operation.action else { return operation }
      let leaves = try store.leaves(operation.store, id)
      guard !leaves.isEmpty, leaves.allSatisfy({ $0.deleted && $0.rev != rev }) else {
        return operation
      }
      return StoreOperation(operation.store, .create(id: id, body: body))
    },
    answering(
      "tombstones-keep-parents-body", "EDIT-012",
      sentence: "A tombstone reads with the body of its parent."
    ) { operation, result, store throws(HarnessError) in
      guard case .document(var document) = result, document.deleted,
        document.body.objectValue?.isEmpty == true
      else { return .ok(result) }
      let path = try store.path(operation.store, document.id, rev: document.rev)
      if path.count > 1, let parent = try store.document(operation.store, document.id, rev: path[1])
      {
        document.body = parent.body
      }
      return .ok(.document(document))
    },
    refusing(
      "grandparents-unknown-to-edits", "EDIT-007",
      sentence: "An update by a revision two generations below its leaf is notFound."
    ) { operation, store throws(HarnessError) in
      guard case .update(let id, let rev, _) = operation.action else { return nil }
      for leaf in try store.leaves(operation.store, id) {
        let path = try store.path(operation.store, id, rev: leaf.rev)
        if path.dropFirst(2).contains(rev) { return .notFound(.missing) }
      }
      return nil
    },
    mishearing(
      "unknown-revisions-delete-winner", "EDIT-008",
      sentence: "A delete by an unknown revision deletes the winner."
    ) { operation, store throws(HarnessError) in
      guard case .delete(let id, let rev, let body) = operation.action,
        try !store.missing(operation.store, id, revs: [rev]).isEmpty,
        let winner = try store.leaves(operation.store, id).first, !winner.deleted
      else { return operation }
      return StoreOperation(operation.store, .delete(id: id, rev: winner.rev, body: body))
    },
    remembering(
      "equal-bodies-skipped", "EDIT-014",
      sentence: "An update with an unchanged body is ok and makes no revision.",
      hear: { operation, store, memory throws(HarnessError) in
        memory.answers = [:]
        guard case .update(let id, let rev, let body) = operation.action,
          try store.leaves(operation.store, id).contains(where: { $0.rev == rev && !$0.deleted }),
          try store.document(operation.store, id, rev: rev)?.body == body
        else { return operation }
        memory.answers[operation] = .ok(.written(id: id, rev: rev))
        return StoreOperation(operation.store, .info)
      },
      answer: { operation, outcome, _, memory in memory.answers[operation] ?? outcome }),
    mishearing(
      "losing-branches-unguarded", "EDIT-016",
      sentence: "A second update of one revision is refused only on the winning branch."
    ) { operation, store throws(HarnessError) in
      guard case .update(let id, let rev, let body) = operation.action else { return operation }
      let leaves = try store.leaves(operation.store, id)
      var paths: [[RevisionID]] = []
      for leaf in leaves { paths.append(try store.path(operation.store, id, rev: leaf.rev)) }
      guard let winning = paths.first, !winning.contains(rev),
        let leaf = paths.first(where: { $0.dropFirst().contains(rev) })?.first
      else { return operation }
      return StoreOperation(operation.store, .update(id: id, rev: leaf, body: body))
    },
    remembering(
      "held-edits-answer-nothing", "EDIT-017",
      sentence: "An edit whose revision exists succeeds without returning a revision id.",
      hear: { operation, store, memory throws(HarnessError) in
        if case .update(let id, _, _) = operation.action {
          let leaves = try store.leaves(operation.store, id)
          memory.marks = Set(leaves.map { operation.key(id.text, $0.rev.text) })
        }
        return operation
      },
      answer: { operation, outcome, _, memory in
        guard case .update = operation.action, case .ok(.written(let id, let rev)) = outcome,
          memory.marks.contains(operation.key(id.text, rev.text))
        else { return outcome }
        return .ok(.done)
      }),
  ]

  private static let ids: [Defect] = [
    remembering(
      "ids-of-edits-by-parent", "EDIT-018",
      sentence: "The revision id of an edit depends only on its parent.",
      answer: { operation, outcome, _, memory in
        guard case .update(let id, let parent, _) = operation.action,
          case .ok(.written(_, let rev)) = outcome
        else { return outcome }
        let first = memory.paths[[id.text, parent.text]]?.first ?? rev
        memory.paths[[id.text, parent.text]] = [first]
        return .ok(.written(id: id, rev: first))
      }),
    remembering(
      "repeated-updates-answered-again", "EDIT-011",
      sentence: "An update that was made before is answered as then if the document is deleted.",
      answer: { operation, outcome, store, memory throws(HarnessError) in
        guard case .update(let id, let parent, let body) = operation.action else { return outcome }
        let edit = operation.key(
          id.text, parent.text, JSONString(body.serialized(sortingNames: true)))
        if case .ok(.written(_, let rev)) = outcome { memory.paths[edit] = [rev] }
        guard case .error = outcome, let rev = memory.paths[edit]?.first,
          try store.leaves(operation.store, id).allSatisfy(\.deleted)
        else { return outcome }
        return .ok(.written(id: id, rev: rev))
      }),
  ]

  private static let reading: [Defect] = [
    excusing(
      "unknown-reads-deleted", "READ-001",
      sentence: "A document that never existed reads as deleted."
    ) {
      operation, kind, _ in
      guard case .read(_, nil) = operation.action, kind == .notFound(.missing) else { return nil }
      return .error(DatastoreError(.notFound(.deleted)))
    },
    remembering(
      "reads-follow-edits", "READ-003",
      sentence: "Reading without a revision returns the leaf that was updated last.",
      answer: { operation, outcome, store, memory throws(HarnessError) in
        switch (operation.action, outcome) {
        case (.update, .ok(.written(let id, let rev))):
          memory.paths[operation.key(id.text)] = [rev]
        case (.read(let id, nil), .ok):
          let leaves = try store.leaves(operation.store, id)
          if let rev = memory.paths[operation.key(id.text)]?.first,
            leaves.contains(where: { $0.rev == rev })
          {
            return try store.ask(operation.store, .read(id: id, rev: rev))
          }
        default: break
        }
        return outcome
      }),
    excusing(
      "unknown-revisions-read-winner", "READ-005",
      sentence: "Reading by an unknown revision returns the winner."
    ) { operation, kind, store throws(HarnessError) in
      guard case .read(let id, .some) = operation.action, kind == .notFound(.missing) else {
        return nil
      }
      return try store.ask(operation.store, .read(id: id))
    },
    excusing(
      "names-read-empty", "READ-006", sentence: "A stub revision without a body reads as {}."
    ) {
      operation, kind, _ in
      guard case .read(let id, let rev?) = operation.action, kind == .notFound(.bodyMissing)
      else { return nil }
      return .ok(.document(DocumentRevision(id: id, rev: rev, body: [:])))
    },
  ]
}
