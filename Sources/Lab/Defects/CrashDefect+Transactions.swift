internal import Datastore
internal import JSON

// Mutants that commit one operation in two transactions: only a crash between them shows it.

/// Performs a batch that succeeds in two transactions.
struct BatchingInTransactions: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    guard case .batch(let writes) = operation.action, writes.count > 1,
      try succeeds(writes, in: operation.store, store)
    else { return try store.perform(operation, environment) }
    var results: [OperationResult] = []
    for part in [Array(writes.prefix(1)), Array(writes.dropFirst())] {
      let outcome = try store.perform(StoreOperation(operation.store, .batch(part)), environment)
      guard case .ok(.batch(let each)) = outcome else { return outcome }
      results += each
    }
    return .ok(.batch(results))
  }

  /// Whether all writes succeed. With one more that fails, the batch changes nothing.
  private func succeeds(
    _ writes: [StoreAction], in name: StoreName, _ store: Honest
  ) throws(HarnessError) -> Bool {
    let failing = StoreAction.delete(
      id: DocumentID(JSONString(name.text.string + "/absent")), rev: "1-0")
    guard case .error(let error) = try store.ask(name, .batch(writes + [failing])) else {
      return false
    }
    return error.write == Int64(writes.count)
  }
}

/// Performs a resolution that succeeds with a body in two transactions: an update, and a batch of
/// deletions.
struct ResolvingInTransactions: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    guard case .resolve(let id, let leaves, let keep, let body?) = operation.action else {
      return try store.perform(operation, environment)
    }
    let name = operation.store
    let live = try store.leaves(name, id).filter { !$0.deleted }.map(\.rev)
    guard Set(live) == Set(leaves), live.contains(keep) else {
      return try store.perform(operation, environment)
    }
    let update = StoreAction.update(id: id, rev: keep, body: body)
    let written = try store.perform(StoreOperation(name, update), environment)
    guard case .ok(.written(_, let rev)) = written else { return written }
    let deletions = live.filter { $0 != keep }.map { StoreAction.delete(id: id, rev: $0) }
    let deleted = try store.perform(StoreOperation(name, .batch(deletions)), environment)
    guard case .ok(.batch(let results)) = deleted else { return deleted }
    return .ok(
      .resolved(
        rev: rev,
        tombstones: results.compactMap { if case .written(_, let rev) = $0 { rev } else { nil } }))
  }
}
