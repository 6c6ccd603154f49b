internal import Datastore
internal import JSON

// Mutants in the state of a store, and in several changes at once.

/// Loses data when a closed store is opened again.
private struct Forgetting: Misbehaviour {
  /// The change to a store that was just opened again.
  let forget: @Sendable (Set<DocumentID>) -> [StoreAction]
  private var closed: Set<StoreName> = []
  private var locals: [StoreName: Set<DocumentID>] = [:]

  init(_ forget: @escaping @Sendable (Set<DocumentID>) -> [StoreAction]) { self.forget = forget }

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    guard case .ok = outcome else { return outcome }
    switch operation.action {
    case .close: closed.insert(operation.store)
    case .writeLocal(let id, _): locals[operation.store, default: []].insert(id)
    case .open where closed.remove(operation.store) != nil:
      for action in forget(locals[operation.store] ?? []) {
        _ = try store.ask(operation.store, action)
      }
    default: break
    }
    return outcome
  }
}

/// Stores the records of a call until one of them fails.
private struct Inserting: Misbehaviour {
  /// The number of stored records, and the result of the others.
  let cut: @Sendable ([RevisionRecord], [DatastoreError?]) -> (Int, DatastoreError?)

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    guard case .insertRevisions(let records) = operation.action else {
      return try store.perform(operation, environment)
    }
    var results: [DatastoreError?] = []
    for record in records {
      let (count, answer) = cut(records, results)
      guard results.count < count else {
        results.append(answer)
        continue
      }
      let one = StoreOperation(operation.store, .insertRevisions([record]))
      let outcome = try store.perform(one, environment)
      guard case .ok(.inserted(let inserted)) = outcome else { return outcome }
      results += inserted
    }
    return .ok(.inserted(results))
  }
}

/// Performs the writes of a batch one by one.
private struct Piecemeal: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    guard case .batch(let writes) = operation.action,
      writes.allSatisfy({ operation.isWrite($0) })
    else { return try store.perform(operation, environment) }
    var results: [OperationResult] = []
    for (index, write) in writes.enumerated() {
      switch try store.perform(StoreOperation(operation.store, write), environment) {
      case .ok(let result): results.append(result)
      case .error(var error):
        error.write = Int64(index)
        return .error(error)
      case .unknown: return .unknown
      }
    }
    return .ok(.batch(results))
  }
}

/// Acknowledges a local document that replaces another one, and keeps the old one.
private struct Stubborn: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    if case .writeLocal(let id, .some) = operation.action,
      case .ok = try store.ask(operation.store, .readLocal(id: id))
    {
      return .ok(.done)
    }
    return try store.perform(operation, environment)
  }
}

/// Moves the rows of documents for records with nothing new.
private struct Restless: Misbehaviour {
  private var moved: [StoreName: Set<DocumentID>] = [:]

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let before = try store.info(operation.store)?.last
    let outcome = try store.perform(operation, environment)
    switch (operation.action, outcome) {
    case (.insertRevisions(let records), .ok(.inserted(let results)))
    where try store.info(operation.store)?.last == before && !results.contains { $0 != nil }:
      moved[operation.store, default: []].formUnion(records.map { $0.id })
    case (.changes(.some, _), .ok(.changes(var page))) where !page.more:
      let shown = Set(page.rows.map { $0.id })
      page.rows += try store.feed(operation.store).filter {
        moved[operation.store]?.contains($0.id) == true && !shown.contains($0.id)
      }
      return .ok(.changes(page))
    default: break
    }
    return outcome
  }
}

/// Loses the bodies of all leaves except winners in a compaction.
private struct Overcompacting: Misbehaviour {
  private struct Body: Hashable {
    let store: StoreName
    let id: DocumentID
    let rev: RevisionID
  }

  private var lost: Set<Body> = []

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let name = operation.store
    switch operation.action {
    case .compact:
      for row in try store.feed(name) {
        for leaf in row.leaves.dropFirst() {
          lost.insert(Body(store: name, id: row.id, rev: leaf.rev))
        }
      }
    case .destroy: lost = lost.filter { $0.store != name }
    case .purge(let id, let revs):
      for rev in revs { lost.remove(Body(store: name, id: id, rev: rev)) }
    case .readAttachment(let id, let rev?, _, _, _)
    where lost.contains(Body(store: name, id: id, rev: rev)):
      return .error(DatastoreError(.notFound(.bodyMissing)))
    default: break
    }
    let outcome = try store.perform(operation, environment)
    switch outcome {
    case .ok(.document(let document))
    where lost.contains(Body(store: name, id: document.id, rev: document.rev)):
      return .error(DatastoreError(.notFound(.bodyMissing)))
    case .ok(.revisions(let answers)):
      return .ok(.revisions(answers.map { remaining($0, in: name) }))
    default: return outcome
    }
  }

  /// An answer without records whose bodies are lost.
  private func remaining(_ answer: RevisionAnswer, in store: StoreName) -> RevisionAnswer {
    guard case .records(let records) = answer.found else { return answer }
    var answer = answer
    let left = records.filter { record in
      record.path.first.map { !lost.contains(Body(store: store, id: answer.id, rev: $0)) } ?? true
    }
    answer.found = left.isEmpty ? .bodyMissing : .records(left)
    return answer
  }
}

/// Forgets at opening the positions after the latest change of the present documents.
private struct Recomputing: Misbehaviour {
  private var open: [StoreName: UpdateSequence] = [:]
  private var forgotten: [StoreName: Set<UpdateSequence>] = [:]

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let name = operation.store
    if case .close = operation.action, case .ok(.info(let info)) = try store.ask(name, .info) {
      open[name] = info.last
    }
    if case .changes(let since?, _) = operation.action, forgotten[name]?.contains(since) == true {
      return .error(DatastoreError(.badSequence))
    }
    let outcome = try store.perform(operation, environment)
    switch operation.action {
    case .open:
      if let last = open.removeValue(forKey: name), try store.feed(name).last?.seq != last {
        forgotten[name, default: []].insert(last)
      }
    case .destroy: (open[name], forgotten[name]) = (nil, nil)
    default: break
    }
    return outcome
  }
}

/// Acknowledges a write of a document, and performs it before the next operation.
private struct Forgetful: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    if case .delete(let id, _, _) = operation.action, case .ok(.written(_, let rev)) = outcome,
      try store.leaves(operation.store, id).count > 1
    {
      _ = try store.ask(operation.store, .purge(id: id, revs: [rev]))
    }
    return outcome
  }
}

extension Defect {
  static let memories: [Defect] = [
    Defect(
      "locals-forgotten", "LOCAL-006",
      sentence: "Opening a store again removes its local documents."
    ) {
      Forgetting { ids in ids.map { .writeLocal(id: $0, body: nil) } }
    },
    Defect(
      "validation-forgotten", "VALID-006",
      sentence: "Opening a store again removes its validation."
    ) {
      Forgetting { _ in [.setValidation(refuse: nil)] }
    },
    Defect(
      "limit-forgotten", "LIMIT-001", sentence: "Opening a store again removes its history limit."
    ) {
      Forgetting { _ in [.historyLimit(.max)] }
    },
    Defect(
      "refusal-stops", "VALID-002",
      sentence: "Records after a refused one are not stored."
    ) {
      Inserting { records, results in
        let isRefused = results.contains { $0?.kind == .forbidden }
        return (isRefused ? 0 : records.count, nil)
      }
    },
    Defect(
      "first-failure-stops", "REC-005",
      sentence: "The first refused record stops all that follow."
    ) {
      Inserting { records, results in
        let failed = results.compactMap { $0 }.first
        return (failed == nil ? records.count : 0, failed)
      }
    },
    Defect(
      "last-record-lost", "REC-005",
      sentence: "The last of several records is acknowledged and not stored."
    ) {
      Inserting { records, _ in (max(1, records.count - 1), nil) }
    },
    Defect(
      "records-settle-one-by-one", "LIMIT-006",
      sentence: "The history limit is applied after each record of a call."
    ) {
      Inserting { records, _ in (records.count, nil) }
    },
    Defect(
      "batch-in-pieces", "BATCH-002",
      sentence: "A failing batch keeps the writes before the failure."
    ) {
      Piecemeal()
    },
    Defect("locals-written-once", "LOCAL-002", sentence: "A local document keeps its first body.") {
      Stubborn()
    },
    Defect(
      "known-records-move-rows", "CHG-005",
      sentence: "A record with nothing new moves its row."
    ) {
      Restless()
    },
    Defect(
      "compaction-drops-losers", "COMP-001",
      sentence: "Compaction drops the bodies of losing leaves."
    ) {
      Overcompacting()
    },
    Defect(
      "last-recomputed-at-opening", "CHG-006",
      sentence: "Opening a store again sets `last` to the latest change of its present documents."
    ) {
      Recomputing()
    },
    Defect(
      "deletes-of-branches-forgotten", "EDIT-013",
      sentence: "A delete of one of several leaves removes the branch without a tombstone."
    ) {
      Forgetful()
    },
  ]
}
