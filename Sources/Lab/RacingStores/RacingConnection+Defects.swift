internal import Datastore
internal import JSON
internal import ReferenceDatastore

// The mutants. Each returns nil for operations that it performs as the correct store does.

extension RacingConnection {
  func mutated(
    _ operation: StoreOperation, with defect: RaceDefect, _ environment: RunEnvironment
  ) -> Outcome? {
    switch (defect, operation.action.withoutAttachments) {
    case (.updateCheckedBefore, .update(let id, let rev, let body)):
      writeUnchecked(operation, to: id, after: rev, body: body, deleted: false, environment)
    case (.deleteCheckedBefore, .delete(let id, let rev, _)):
      writeUnchecked(operation, to: id, after: rev, body: [:], deleted: true, environment)
    case (.createCheckedBefore, .create(let id?, let body)):
      createUnchecked(operation, as: id, body: body, isResurrection: false, environment)
    case (.resurrectionCheckedBefore, .create(let id?, let body)):
      createUnchecked(operation, as: id, body: body, isResurrection: true, environment)
    case (.resolveInPieces, .resolve(let id, let leaves, let keep, let body)):
      resolveInPieces(operation, of: id, leaves: leaves, keep: keep, body: body, environment)
    case (.batchInPieces, .batch(let writes)):
      batchInPieces(writes, in: operation.store, environment)
    case (.rollbackRestoresCopy, .batch(let writes)), (.dirtyRead, .batch(let writes)):
      batchRolledBack(operation, writes: writes, with: defect, environment)
    case (.purgeReportedBefore, .purge(let id, let revs)):
      purgeReportedBefore(operation, of: id, revs: revs, environment)
    case (.updateFromCopy, .update), (.insertFromCopy, .insertRevisions):
      writeFromCopy(operation, environment)
    case (.localFromCopy, .writeLocal), (.checkpointBesideWrite, .update),
      (.checkpointBesideWrite, .insertRevisions):
      writeWithLocals(operation, environment)
    case (.busyButDone, .update), (.conflictAfterRetry, .update):
      misreport(operation, with: defect, environment)
    case (.acknowledgedBeforeWrite, .update): acknowledgeBefore(operation, environment)
    case (.knownBeforeVisible, .insertRevisions(let records)):
      insertVisibly(operation, records: records, environment)
    case (.staleRead, .read), (.staleLeaves, .leaves), (.staleList, .list),
      (.staleDifference, .revsDiff), (.indexLags, .finding(.find)):
      stale(operation, environment)
    case (.staleCounts, .info): staleCounts(operation, environment)
    case (.indexWithoutChanging, _): indexed(operation, environment)
    case (.feedByStart, _), (.rowBeforeCommit, _), (.lastAheadOfWrites, _), (.feedSkipsWriting, _),
      (.positionsInBlocks, _):
      feeding(operation, with: defect, environment)
    case (.contentRemovedWhileRead, .readAttachment):
      readWithoutLock(operation, environment)
    default: nil
    }
  }

  // MARK: Check and write in two transactions

  private func leaves(
    of id: DocumentID, _ store: StoreName, _ environment: RunEnvironment
  ) -> [Leaf] {
    let outcome = correct(StoreOperation(store, .leaves(id: id)), environment)
    if case .ok(.leaves(let leaves)) = outcome { return leaves }
    return []
  }

  private func path(
    of rev: RevisionID, in id: DocumentID, _ store: StoreName, _ environment: RunEnvironment
  ) -> [RevisionID] {
    let query = RevisionQuery(id: id, revs: [rev])
    let outcome = correct(StoreOperation(store, .getRevisions([query])), environment)
    guard case .ok(.revisions(let answers)) = outcome,
      case .records(let records)? = answers.first?.found
    else { return [rev] }
    return records.first?.path ?? [rev]
  }

  private func newRevision(after path: [RevisionID], _ environment: RunEnvironment) -> RevisionID {
    let generation = path.first.flatMap { Int($0.text.string.prefix { $0 != "-" }) } ?? 0
    var digits = ""
    for byte in environment.randomBytes(16) {
      digits += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return RevisionID(JSONString("\(generation + 1)-\(digits)"))
  }

  /// Inserts a revision without looking at the leaves.
  private func insert(
    _ path: [RevisionID], of id: DocumentID, body: JSONValue, deleted: Bool, in store: StoreName,
    _ environment: RunEnvironment
  ) -> Outcome {
    let record = RevisionRecord(id: id, path: path, deleted: deleted, body: body)
    _ = correct(StoreOperation(store, .insertRevisions([record])), environment)
    return .ok(.written(id: id, rev: path[0]))
  }

  private func writeUnchecked(
    _ operation: StoreOperation, to id: DocumentID, after rev: RevisionID, body: JSONValue,
    deleted: Bool, _ environment: RunEnvironment
  ) -> Outcome? {
    let isLeaf = leaves(of: id, operation.store, environment).contains {
      $0.rev == rev && !$0.deleted
    }
    guard isLeaf, operation.action.withoutAttachments == operation.action else { return nil }
    environment.pass()
    let below = path(of: rev, in: id, operation.store, environment)
    let new = newRevision(after: below, environment)
    return insert(
      [new] + below, of: id, body: body, deleted: deleted, in: operation.store, environment)
  }

  private func createUnchecked(
    _ operation: StoreOperation, as id: DocumentID, body: JSONValue, isResurrection: Bool,
    _ environment: RunEnvironment
  ) -> Outcome? {
    let leaves = leaves(of: id, operation.store, environment)
    guard !leaves.contains(where: { !$0.deleted }), leaves.isEmpty != isResurrection,
      operation.action.withoutAttachments == operation.action
    else { return nil }
    environment.pass()
    let below = leaves.first.map { path(of: $0.rev, in: id, operation.store, environment) } ?? []
    let new = newRevision(after: below, environment)
    return insert(
      [new] + below, of: id, body: body, deleted: false, in: operation.store, environment)
  }

  // MARK: One operation in pieces

  private func resolveInPieces(
    _ operation: StoreOperation, of id: DocumentID, leaves asked: [RevisionID], keep: RevisionID,
    body: JSONValue?, _ environment: RunEnvironment
  ) -> Outcome? {
    let live = leaves(of: id, operation.store, environment).filter { !$0.deleted }.map(\.rev)
    guard Set(live) == Set(asked), asked.contains(keep) else { return nil }
    var tombstones: [RevisionID] = []
    for leaf in live where leaf != keep {
      environment.pass()
      let outcome = correct(
        StoreOperation(operation.store, .delete(id: id, rev: leaf)), environment)
      if case .ok(.written(_, let rev)) = outcome { tombstones.append(rev) }
    }
    guard let body else { return .ok(.resolved(rev: keep, tombstones: tombstones)) }
    environment.pass()
    let outcome = correct(
      StoreOperation(operation.store, .update(id: id, rev: keep, body: body)), environment)
    guard case .ok(.written(_, let rev)) = outcome else { return outcome }
    return .ok(.resolved(rev: rev, tombstones: tombstones))
  }

  private func batchInPieces(
    _ writes: [StoreAction], in store: StoreName, _ environment: RunEnvironment
  ) -> Outcome {
    var results: [OperationResult] = []
    for write in writes {
      switch correct(StoreOperation(store, write), environment) {
      case .ok(let result): results.append(result)
      case let outcome: return outcome
      }
      environment.pass()
    }
    return .ok(.batch(results))
  }

  private func batchRolledBack(
    _ operation: StoreOperation, writes: [StoreAction], with defect: RaceDefect,
    _ environment: RunEnvironment
  ) -> Outcome? {
    let before = store.locked { $0.model.snapshot }
    // Would it fail? Then the first writes are visible for a while.
    let trial = correct(operation, environment)
    guard trial.result == nil, let first = writes.first else { return trial }
    guard correct(StoreOperation(operation.store, first), environment).result != nil else {
      return trial
    }
    let between = store.locked { $0.model.snapshot }
    environment.pass()
    store.locked { shared in
      // The correct part of a dirty read: no other write in the meantime.
      if defect == .rollbackRestoresCopy || shared.model.snapshot == between {
        restore(before, opening: operation.store, environment, in: &shared)
      }
    }
    return trial
  }

  private func purgeReportedBefore(
    _ operation: StoreOperation, of id: DocumentID, revs: [RevisionID],
    _ environment: RunEnvironment
  ) -> Outcome {
    let leaves = leaves(of: id, operation.store, environment).map(\.rev)
    let removed = revs.filter { leaves.contains($0) }
    environment.pass()
    let outcome = correct(operation, environment)
    return outcome.result == nil ? outcome : .ok(.purged(removed))
  }

  // MARK: Writes from a copy

  private func writeFromCopy(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) -> Outcome {
    let (outcome, after) = store.locked { shared in
      let before = shared.model.snapshot
      let outcome = shared.model.perform(operation, environment)
      let after = shared.model.snapshot
      restore(before, opening: operation.store, environment, in: &shared)
      return (outcome, after)
    }
    guard outcome.result != nil else { return outcome }
    environment.pass()
    store.locked { restore(after, opening: operation.store, environment, in: &$0) }
    return outcome
  }

  /// Writes the other local documents as they were at the beginning.
  private func writeWithLocals(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) -> Outcome {
    let ids: [DocumentID] = ["x", "y", "checkpoint-1", "checkpoint-2"]
    let before = ids.map { id in
      correct(StoreOperation(operation.store, .readLocal(id: id)), environment)
    }
    environment.pass()
    let outcome = correct(operation, environment)
    guard outcome.result != nil else { return outcome }
    for (id, old) in zip(ids, before) {
      if case .writeLocal(id, _) = operation.action { continue }
      var body: JSONValue?
      if case .ok(.local(let value)) = old { body = value }
      _ = correct(StoreOperation(operation.store, .writeLocal(id: id, body: body)), environment)
    }
    return outcome
  }

  // MARK: Wrong acknowledgements

  private func misreport(
    _ operation: StoreOperation, with defect: RaceDefect, _ environment: RunEnvironment
  ) -> Outcome {
    let outcome = correct(operation, environment)
    environment.pass()
    // As after a time limit, which not every write exceeds.
    guard outcome.result != nil, environment.nextRandom() % 4 == 0 else { return outcome }
    return defect == .busyButDone
      ? .error(DatastoreError(.busy, "the store is locked"))
      : correct(operation, environment)
  }

  private func acknowledgeBefore(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) -> Outcome {
    let outcome = store.locked { shared in
      let before = shared.model.snapshot
      let outcome = shared.model.perform(operation, environment)
      restore(before, opening: operation.store, environment, in: &shared)
      return outcome
    }
    if outcome.result != nil { postpone(operation) }
    return outcome
  }

  private func insertVisibly(
    _ operation: StoreOperation, records: [RevisionRecord], _ environment: RunEnvironment
  ) -> Outcome {
    let tips = records.compactMap(\.path.first)
    let isRunning = store.locked { shared in
      let isRunning = tips.allSatisfy { shared.inserting.contains($0) }
      shared.inserting.formUnion(tips)
      return isRunning
    }
    guard !isRunning else { return .ok(.inserted(records.map { _ in nil })) }
    environment.pass()
    environment.pass()
    let outcome = correct(operation, environment)
    store.locked { $0.inserting.subtract(tips) }
    return outcome
  }

  // MARK: Old states

  private func staleCounts(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) -> Outcome {
    let now = correct(operation, environment)
    guard case .ok(.info(var info)) = now,
      case .ok(.info(let old)) = stale(operation, environment)
    else { return now }
    (info.documents, info.deletedDocuments) = (old.documents, old.deletedDocuments)
    return .ok(.info(info))
  }

  private func indexed(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) -> Outcome? {
    switch operation.action.withoutAttachments {
    case .update(let id, _, _):
      store.locked { $0.writing[id, default: 0] += 1 }
      environment.pass()
      let outcome = correct(operation, environment)
      store.locked { $0.writing[id, default: 1] -= 1 }
      return outcome
    case .finding(.find):
      return store.locked { shared in
        guard case .ok(.found(.documents(let found))) = shared.model.perform(operation, environment)
        else { return nil }
        return .ok(.found(.documents(found.filter { shared.writing[$0.id, default: 0] == 0 })))
      }
    default: return nil
    }
  }

  private func readWithoutLock(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) -> Outcome {
    let (outcome, before) = store.locked { shared in
      (shared.model.perform(operation, environment), shared.compactions)
    }
    environment.pass()
    let isRemoved = store.locked { shared in
      shared.compactions != before && shared.model.perform(operation, environment) != outcome
    }
    guard outcome.result != nil, isRemoved else { return outcome }
    return .error(DatastoreError(.storage(.corrupt), "the content is missing"))
  }
}
