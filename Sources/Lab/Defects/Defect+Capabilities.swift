internal import Datastore
internal import JSON

// Mutants in operations beyond the core.

extension Defect {
  static let capabilities: [Defect] = upkeep + purges + limits + others

  private static let upkeep: [Defect] = [
    mishearing(
      "compaction-does-nothing", "COMP-002",
      sentence: "Compaction keeps the bodies of all revisions."
    ) { operation, _ in
      guard case .compact = operation.action else { return operation }
      return StoreOperation(operation.store, .flush)
    },
    remembering(
      "compaction-cuts-paths", "COMP-003",
      sentence: "Compaction removes the ancestors of all revisions.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.compact, .ok): memory.marks.insert(operation.key())
        case (.getRevisions, .ok(let result)) where memory.marks.contains(operation.key()):
          return .ok(result.mapRecords { $0.path = Array($0.path.prefix(1)) })
        default: break
        }
        return outcome
      }),
    refusing(
      "flush-of-nothing-refused", "FLUSH-001",
      sentence: "Flushing a store without documents is an error."
    ) {
      operation, store throws(HarnessError) in
      guard case .flush = operation.action, let info = try store.info(operation.store) else {
        return nil
      }
      return info.documents + info.deletedDocuments == 0 ? .badRequest(path: "op") : nil
    },
  ]

  private static let purges: [Defect] = [
    mishearing("tombstones-not-purged", "PURGE-001", sentence: "A purge removes only live leaves.")
    {
      operation, store throws(HarnessError) in
      guard case .purge(let id, let revs) = operation.action else { return operation }
      let dead = try store.leaves(operation.store, id).filter { $0.deleted }.map { $0.rev }
      let live = revs.filter { !dead.contains($0) }
      return StoreOperation(operation.store, .purge(id: id, revs: live))
    },
    remembering(
      "purge-takes-ancestors", "PURGE-002",
      sentence: "After a purge the remaining revisions have no ancestors.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.purge(let id, _), .ok): memory.marks.insert(operation.key(id.text))
        case (.getRevisions, .ok(let result)):
          let marks = memory.marks
          return .ok(
            result.mapRecords { record in
              guard marks.contains(operation.key(record.id.text)) else { return }
              record.path = Array(record.path.prefix(1))
            })
        default: break
        }
        return outcome
      }),
    remembering(
      "purged-winner-ends-document", "PURGE-003",
      sentence: "A document whose winner was purged reads as deleted, despite other live leaves.",
      hear: { operation, store, memory throws(HarnessError) in
        if case .purge(let id, let revs) = operation.action,
          case let leaves = try store.leaves(operation.store, id), leaves.count > 1,
          revs.contains(leaves[0].rev)
        {
          memory.marks.insert(operation.key(id.text))
        }
        return operation
      },
      answer: { operation, outcome, _, memory in
        guard case .read(let id, nil) = operation.action, case .ok = outcome,
          memory.marks.contains(operation.key(id.text))
        else { return outcome }
        return .error(DatastoreError(.notFound(.deleted)))
      }),
    remembering(
      "purged-reads-deleted", "PURGE-004", sentence: "A purged document reads as deleted.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.purge(let id, _), .ok(.purged(let revs))) where !revs.isEmpty:
          memory.marks.insert(operation.key(id.text))
        case (.read(let id, nil), .error(let error)), (.leaves(let id), .error(let error)):
          if error.kind == .notFound(.missing), memory.marks.contains(operation.key(id.text)) {
            return .error(DatastoreError(.notFound(.deleted)))
          }
        default: break
        }
        return outcome
      }),
    remembering(
      "purged-to-tombstones-is-there", "PURGE-007",
      sentence: "A document with only tombstones left after a purge cannot be created.",
      answer: { operation, outcome, store, memory throws(HarnessError) in
        switch (operation.action, outcome) {
        case (.purge(let id, _), .ok):
          let leaves = try store.leaves(operation.store, id)
          if !leaves.isEmpty, leaves.allSatisfy({ $0.deleted }) {
            memory.marks.insert(operation.key(id.text))
          }
        case (.create(let id?, _), .ok) where memory.marks.contains(operation.key(id.text)):
          return .error(DatastoreError(.conflict))
        default: break
        }
        return outcome
      }),
    remembering(
      "purged-for-ever", "PURGE-008", sentence: "A purged revision cannot be inserted again.",
      hear: { operation, _, memory in
        guard case .insertRevisions(let records) = operation.action else { return operation }
        let taken = records.filter { record in
          record.path.first.map {
            !memory.marks.contains(operation.key(record.id.text, $0.text))
          } ?? true
        }
        return StoreOperation(operation.store, .insertRevisions(taken))
      },
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.purge(let id, _), .ok(.purged(let revs))):
          for rev in revs { memory.marks.insert(operation.key(id.text, rev.text)) }
        case (.insertRevisions(let records), .ok(.inserted(let results))):
          let dropped = Array(
            repeating: nil as DatastoreError?, count: records.count - results.count)
          return .ok(.inserted(results + dropped))
        default: break
        }
        return outcome
      }),
  ]

  private static let limits: [Defect] = [
    remembering(
      "raised-limit-brings-back", "LIMIT-004",
      sentence: "Raising the history limit restores cut paths.",
      answer: { operation, outcome, _, memory in
        switch (operation.action, outcome) {
        case (.insertRevisions(let records), .ok):
          for record in records {
            guard let oldest = record.path.first else { continue }
            memory.paths[operation.key(record.id.text, oldest.text)] = record.path
          }
        case (.historyLimit(let limit), .ok):
          if let before = memory.counts[operation.key()], before < limit {
            memory.marks.insert(operation.key())
          }
          memory.counts[operation.key()] = limit
        case (.getRevisions, .ok(let result)) where memory.marks.contains(operation.key()):
          let paths = memory.paths
          return .ok(
            result.mapRecords { record in
              guard let oldest = record.path.last,
                let came = paths[operation.key(record.id.text, oldest.text)]
              else { return }
              record.path += came.dropFirst()
            })
        default: break
        }
        return outcome
      }),
    remembering(
      "limit-counts-from-winner", "LIMIT-003",
      sentence: "A history limit is counted from the winner, not from each leaf.",
      answer: { operation, outcome, store, memory throws(HarnessError) in
        switch (operation.action, outcome) {
        case (.historyLimit(let limit), .ok): memory.counts[operation.key()] = limit
        case (.revsDiff(let queries), .ok(.revsDiff(var found))):
          guard let limit = memory.counts[operation.key()] else { return outcome }
          for query in queries {
            let leaves = try store.leaves(operation.store, query.id)
            guard leaves.count > 1, let highest = leaves[0].rev.generation else { continue }
            let forgotten = query.revs.filter { $0.generation ?? 0 <= highest - limit }
            found.append(
              Difference(id: query.id, missing: forgotten, possibleAncestors: []))
          }
          return .ok(.revsDiff(found))
        default: break
        }
        return outcome
      }),
    remembering(
      "limit-takes-losers", "LIMIT-005",
      sentence: "A history limit drops the body of a losing leaf.",
      hear: { operation, _, memory in
        if case .historyLimit = operation.action { memory.marks.insert(operation.key()) }
        return operation
      },
      answer: { operation, outcome, store, memory throws(HarnessError) in
        guard case .read(let id, let rev?) = operation.action, case .ok = outcome,
          memory.marks.contains(operation.key()),
          try store.leaves(operation.store, id).dropFirst().contains(where: { $0.rev == rev })
        else { return outcome }
        return .error(DatastoreError(.notFound(.bodyMissing)))
      }),
    mishearing(
      "limit-0-is-no-limit", "LIMIT-007", sentence: "A history limit below 1 means no limit."
    ) {
      operation, _ in
      guard case .historyLimit(let limit) = operation.action, limit < 1 else { return operation }
      return StoreOperation(operation.store, .historyLimit(.max))
    },
  ]

  private static let others: [Defect] = [
    answering(
      "batch-answers-backwards", "BATCH-001",
      sentence: "A batch returns its results in reverse order."
    ) {
      _, result, _ in
      guard case .batch(let results) = result else { return .ok(result) }
      return .ok(.batch(results.reversed()))
    },
    mishearing(
      "batch-skips-questions", "BATCH-003",
      sentence: "A batch skips operations that are not writes."
    ) {
      operation, _ in
      guard case .batch(let writes) = operation.action else { return operation }
      return StoreOperation(operation.store, .batch(writes.filter { operation.isWrite($0) }))
    },
    excusing(
      "refused-update-is-bad-body", "VALID-001",
      sentence: "An update refused by validation is badBody."
    ) {
      operation, kind, _ in
      guard case .update = operation.action, kind == .forbidden else { return nil }
      return .error(DatastoreError(.badBody))
    },
    remembering(
      "locals-validated", "VALID-004", sentence: "Local documents are validated.",
      hear: { operation, _, memory in
        if case .setValidation(let filter) = operation.action {
          memory.counts[operation.key()] = filter == .live ? 1 : 0
        }
        return operation
      },
      answer: { operation, outcome, _, memory in
        guard case .writeLocal(_, .some) = operation.action,
          memory.counts[operation.key()] == 1
        else { return outcome }
        return .error(DatastoreError(.forbidden))
      }),
    remembering(
      "absent-is-null", "VALID-005",
      sentence: "A filter for null also matches a body without the member.",
      hear: { operation, _, memory in
        if case .setValidation(let filter) = operation.action {
          memory.paths[operation.key()] = nil
          if case .bodyFieldEquals(let field, .null)? = filter {
            memory.paths[operation.key()] = [RevisionID(field)]
          }
        }
        return operation.mapBody { body in
          guard let field = memory.paths[operation.key()]?.first?.text,
            let object = body.objectValue, object[field] == nil
          else { return body }
          return .object(JSONObject(object.members.map { ($0.name, $0.value) } + [(field, .null)]))
        }
      }),
    mishearing(
      "selectors-refuse-nothing", "VALID-005",
      sentence: "A selector as validation refuses no write."
    ) { operation, _ in
      guard case .setValidation(.selector?) = operation.action else { return operation }
      return StoreOperation(operation.store, .setValidation(refuse: nil))
    },
    mishearing("delete-ignores-body", "TOMB-001", sentence: "The body of a delete is ignored.") {
      operation, _ in
      guard case .delete(let id, let rev, .some) = operation.action else { return operation }
      return StoreOperation(operation.store, .delete(id: id, rev: rev))
    },
  ]
}
