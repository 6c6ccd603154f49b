internal import Datastore
internal import JSON

// Mutants that concern leaves that do not win, and writes that stop halfway.

extension ReplicationDefect {
  static let losingLeaves: [ReplicationDefect] = [
    ReplicationDefect(
      "losing-leaves-read-as-winner", breaks: "READ-004",
      "Reading by the revision of a losing leaf returns the body of the winner.",
      boundary: .store { ReadingWinner() }),
    ReplicationDefect(
      "losing-leaves-without-attachments", breaks: "ATT-023",
      "After a compaction reading by the revision of a losing leaf returns no attachments.",
      boundary: .store { DroppingAfterCompaction() }),
    ReplicationDefect(
      "resolve-stops-halfway", breaks: "EDIT-015",
      "A resolution writes its revisions one by one, and those before a rejected one remain.",
      boundary: .store { ResolvingInSteps() }),
    ReplicationDefect(
      "resolve-commits-itself", breaks: "BATCH-002",
      "A resolution remains although its batch fails.", boundary: .store { CommittingEarly() }),
  ]
}

/// Reads the winner in place of a live losing leaf.
private struct ReadingWinner: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    guard case .read(let id, .some) = operation.action, case .ok(.document(var document)) = outcome,
      !document.deleted, try isLosing(document.rev, id, in: operation.store, store: store),
      let winner = try store.document(operation.store, id)
    else { return outcome }
    document.body = winner.body
    return .ok(.document(document))
  }
}

/// Forgets the attachments of losing leaves.
private struct DroppingAfterCompaction: Misbehaviour {
  private var isCompacted = false

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    if case .compact = operation.action { isCompacted = true }
    guard isCompacted, case .read(let id, .some) = operation.action,
      case .ok(.document(var document)) = outcome,
      try isLosing(document.rev, id, in: operation.store, store: store)
    else { return outcome }
    document.attachments = []
    return .ok(.document(document))
  }
}

/// Performs a resolution that a correct store rejects as far as possible.
struct ResolvingInSteps: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    guard case .resolve(let id, let leaves, let keep, let body) = operation.action,
      case .error(let error) = outcome
    else { return outcome }
    // Errors of one of the written revisions, and not of the request.
    switch error.kind {
    case .badRevision, .forbidden: break
    default: return outcome
    }
    var writes: [StoreAction] = []
    for leaf in leaves where leaf != keep { writes.append(.delete(id: id, rev: leaf)) }
    if let body { writes.append(.update(id: id, rev: keep, body: body)) }
    for write in writes { _ = try store.ask(operation.store, write) }
    return outcome
  }
}

/// Performs the resolutions of a batch that fails.
struct CommittingEarly: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
    guard case .batch(let writes) = operation.action, case .error = outcome else { return outcome }
    for write in writes {
      if case .resolve = write { _ = try store.ask(operation.store, write) }
    }
    return outcome
  }
}

/// Whether a revision is a live leaf that does not win.
private func isLosing(
  _ rev: RevisionID, _ id: DocumentID, in name: StoreName, store: Honest
) throws(HarnessError) -> Bool {
  let leaves = try store.leaves(name, id)
  return leaves.dropFirst().contains { $0.rev == rev && !$0.deleted }
}
