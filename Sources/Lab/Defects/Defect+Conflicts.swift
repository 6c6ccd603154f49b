internal import Datastore
internal import JSON

// Mutants in conflicts and in their resolution.

extension Defect {
  static let conflicts: [Defect] = branches + resolutions

  private static let branches: [Defect] = [
    remembering(
      "own-edit-shuts-out-others", "CONF-001",
      sentence: "A revision that arrives as a sibling of a local update is dropped.",
      hear: { operation, store, memory throws(HarnessError) in
        try operation.mapRecords { (record) throws(HarnessError) in
          guard record.path.count > 1 else { return }
          for leaf in try store.leaves(operation.store, record.id) {
            let path = try store.path(operation.store, record.id, rev: leaf.rev)
            if memory.marks.contains(operation.key(record.id.text, leaf.rev.text)),
              path.dropFirst().first == record.path[1]
            {
              record = RevisionRecord(id: record.id, path: path, body: [:])
            }
          }
        }
      },
      answer: { operation, outcome, _, memory in
        if case .update = operation.action, case .ok(.written(let id, let rev)) = outcome {
          memory.marks.insert(operation.key(id.text, rev.text))
        }
        return outcome
      }),
    remembering(
      "first-arrival-wins", "CONF-002",
      sentence: "Of two live leaves of one generation the one that arrived first is read.",
      answer: { operation, outcome, store, memory throws(HarnessError) in
        switch (operation.action, outcome) {
        case (.insertRevisions(let records), .ok):
          let now = (memory.counts[[]] ?? 0) + 1
          memory.counts[[]] = now
          for record in records {
            guard let tip = record.path.first else { continue }
            let key = operation.key(record.id.text, tip.text)
            memory.counts[key] = memory.counts[key] ?? now
          }
        case (.read(let id, nil), .ok(.document(let winner))):
          let counts = memory.counts
          let arrival = { (rev: RevisionID) in
            counts[operation.key(id.text, rev.text)] ?? .max
          }
          let earlier = try store.leaves(operation.store, id).first {
            !$0.deleted && $0.rev.generation == winner.rev.generation
              && arrival($0.rev) < arrival(winner.rev)
          }
          if let earlier {
            return try store.ask(operation.store, .read(id: id, rev: earlier.rev))
          }
        default: break
        }
        return outcome
      }),
    meddling(
      "last-leaf-written-again", "CONF-003",
      sentence: "A delete that ends a conflict also writes a new revision of the remaining leaf."
    ) { operation, _, store throws(HarnessError) in
      guard case .delete(let id, _, _) = operation.action else { return [] }
      let leaves = try store.leaves(operation.store, id)
      guard leaves.count > 1, leaves.count(where: { !$0.deleted }) == 1,
        let left = try store.document(operation.store, id)
      else { return [] }
      return [.update(id: id, rev: left.rev, body: left.body)]
    },
  ]

  private static let resolutions: [Defect] = [
    mishearing(
      "kept-loser-gets-child", "CONF-004", sentence: "A losing leaf kept by `resolve` gets a child."
    ) {
      operation, store throws(HarnessError) in
      guard case .resolve(let id, let leaves, let keep, nil) = operation.action,
        try store.leaves(operation.store, id).first?.rev != keep,
        let kept = try store.document(operation.store, id, rev: keep)
      else { return operation }
      let action = StoreAction.resolve(id: id, leaves: leaves, keep: keep, body: kept.body)
      return StoreOperation(operation.store, action)
    },
    remembering(
      "resolution-without-tombstones", "CONF-005",
      sentence: "`resolve` with a body adds no tombstones to the other leaves.",
      hear: { operation, store, memory throws(HarnessError) in
        memory.marks = []
        guard case .resolve(let id, _, let keep, let body?) = operation.action,
          try store.leaves(operation.store, id).count(where: { !$0.deleted }) > 1
        else { return operation }
        memory.marks = [operation.key()]
        return StoreOperation(operation.store, .update(id: id, rev: keep, body: body))
      },
      answer: { _, outcome, _, memory in
        guard !memory.marks.isEmpty, case .ok(.written(_, let rev)) = outcome else {
          return outcome
        }
        return .ok(.resolved(rev: rev, tombstones: []))
      }),
    mishearing(
      "resolve-takes-some-leaves", "CONF-006",
      sentence: "`resolve` accepts a subset of the live leaves."
    ) { operation, store throws(HarnessError) in
      guard case .resolve(let id, let leaves, let keep, let body) = operation.action else {
        return operation
      }
      let live = try store.leaves(operation.store, id).filter { !$0.deleted }.map { $0.rev }
      guard Set(live).isSuperset(of: leaves) else { return operation }
      let action = StoreAction.resolve(id: id, leaves: live, keep: keep, body: body)
      return StoreOperation(operation.store, action)
    },
    excusing(
      "resolve-of-unknown-is-missing", "CONF-008",
      sentence: "`resolve` of an unknown document is notFound."
    ) { operation, kind, store throws(HarnessError) in
      guard case .resolve(let id, _, _, _) = operation.action, kind == .conflict,
        try store.leaves(operation.store, id).isEmpty
      else { return nil }
      return .error(DatastoreError(.notFound(.missing)))
    },
    meddling(
      "resolve-deletes-the-deleted", "CONF-009",
      sentence: "`resolve` adds tombstones to leaves that are already tombstones."
    ) { operation, result, store throws(HarnessError) in
      guard case .resolve(let id, _, _, _) = operation.action,
        case .resolved(_, let tombstones) = result
      else { return [] }
      let old = try store.leaves(operation.store, id).filter {
        $0.deleted && !tombstones.contains($0.rev)
      }
      return old.map { .delete(id: id, rev: $0.rev) }
    },
    excusing(
      "strange-keep-is-conflict", "CONF-010",
      sentence: "A `keep` that is not among `leaves` is a conflict."
    ) { operation, kind, _ in
      guard case .resolve = operation.action, kind == .badRequest(path: "keep") else { return nil }
      return .error(DatastoreError(.conflict))
    },
    refusing(
      "nothing-to-resolve", "CONF-011",
      sentence: "`resolve` of a single leaf without a body is refused."
    ) { operation, store throws(HarnessError) in
      guard case .resolve(let id, _, _, nil) = operation.action else { return nil }
      let leaves = try store.leaves(operation.store, id)
      return leaves.count == 1 && !leaves[0].deleted ? .conflict : nil
    },
  ]
}
