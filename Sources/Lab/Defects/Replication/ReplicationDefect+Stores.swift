internal import Datastore
internal import JSON
internal import Simulation

// Mutants of stores that show when replicas meet.

extension ReplicationDefect {
  static let stores: [ReplicationDefect] = [
    ReplicationDefect(
      "winner-by-arrival", breaks: "WIN-004", "The leaf that came last wins.",
      link: "https://github.com/pouchdb/pouchdb/issues/314",
      boundary: .store { Crowning { leaves, last in leaves.first { $0.rev == last } } }),
    ReplicationDefect(
      "deleted-branch-wins", breaks: "WIN-001", "A deleted branch that is longer beats a live one.",
      boundary: .store {
        Crowning { leaves, _ in
          leaves.max { $0.rev.generation ?? 0 < $1.rev.generation ?? 0 }
        }
      }),
    ReplicationDefect(
      "recreated-document-not-sent", breaks: "REPL-011",
      "A document that the target has deleted is not sent, although it was created again.",
      link: "https://github.com/cloudant/CDTDatastore/blob/master/CHANGELOG.md",
      boundary: .store { KeepingDeleted() }),
    ReplicationDefect(
      "tombstone-resurrected", breaks: "REPL-010",
      "A stale replica makes a deleted document live again.",
      boundary: .store { Resurrecting() }),
    ReplicationDefect(
      "unsynced-write", "A write is acknowledged before it is safe from a loss of power.",
      boundary: .durability),
  ]
}

/// Puts another leaf in the place of the winner.
private struct Crowning: Misbehaviour {
  let winner: @Sendable (_ leaves: [Leaf], _ last: RevisionID?) -> Leaf?
  /// The revision of each document that came last.
  private var last: [DocumentID: RevisionID] = [:]

  init(_ winner: @escaping @Sendable ([Leaf], RevisionID?) -> Leaf?) { self.winner = winner }

  mutating func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    var outcome = try store.perform(operation, &environment)
    switch (operation.action, outcome) {
    case (_, .ok(.written(let id, let rev))): last[id] = rev
    case (.insertRevisions(let records), .ok(.inserted)):
      for record in records { last[record.id] = record.path.first }
    case (.leaves(let id), .ok(.leaves(let leaves))):
      outcome = .ok(.leaves(crowned(leaves, id)))
    case (.changes, .ok(.changes(var page))):
      for place in page.rows.indices {
        page.rows[place].leaves.array = crowned(
          page.rows[place].leaves.array, page.rows[place].id)
        page.rows[place].deleted = page.rows[place].leaves.first?.deleted ?? false
      }
      outcome = .ok(.changes(page))
    default: break
    }
    return outcome
  }

  private func crowned(_ leaves: [Leaf], _ id: DocumentID) -> [Leaf] {
    guard let winner = winner(leaves, last[id]) else { return leaves }
    return [winner] + leaves.filter { $0 != winner }
  }
}

/// Says that nothing is missing of a document that it holds deleted.
private struct KeepingDeleted: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, &environment)
    guard case .revsDiff = operation.action, case .ok(.revsDiff(let found)) = outcome else {
      return outcome
    }
    var kept: [Difference] = []
    for difference in found {
      let leaves = try store.leaves(operation.store, difference.id)
      if leaves.isEmpty || leaves.contains(where: { !$0.deleted }) { kept.append(difference) }
    }
    return .ok(.revsDiff(kept))
  }
}

/// Takes an old live revision of a deleted document for a new one.
private struct Resurrecting: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    switch operation.action {
    case .revsDiff(let queries):
      let outcome = try store.perform(operation, &environment)
      guard case .ok(.revsDiff(var found)) = outcome else { return outcome }
      for query in queries where !found.contains(where: { $0.id == query.id }) {
        let leaves = try store.leaves(operation.store, query.id)
        guard !leaves.isEmpty, leaves.allSatisfy({ $0.deleted }) else { continue }
        let old = query.revs.filter { rev in !leaves.contains { $0.rev == rev } }
        if !old.isEmpty {
          found.append(Difference(id: query.id, missing: old, possibleAncestors: []))
        }
      }
      return .ok(.revsDiff(found))
    case .insertRevisions(let records):
      let before = try records.map { record throws(HarnessError) in
        try store.leaves(operation.store, record.id)
      }
      let outcome = try store.perform(operation, &environment)
      for (record, leaves) in zip(records, before) where !record.deleted {
        let after = try store.leaves(operation.store, record.id)
        // Nothing came of it: the revision is an ancestor of what is here.
        if after == leaves, !after.isEmpty, !after.contains(where: { !$0.deleted }) {
          _ = try store.perform(
            StoreOperation(operation.store, .create(id: record.id, body: record.body)), &environment
          )
        }
      }
      return outcome
    default: return try store.perform(operation, &environment)
    }
  }
}

/// A replica that has not synced its last write when the power goes.
final class ForgetfulReplica: SimulatedStore, ImplementationUnderTest {
  private let honest: any SimulatedStore
  private var isBehind = false

  init(_ honest: any SimulatedStore) { self.honest = honest }

  var implementation: any ImplementationUnderTest { self }
  var isModel: Bool { honest.isModel }
  var description: ImplementationDescription { honest.implementation.description }

  func beginRun(_ label: JSONString) throws(HarnessError) { try honest.beginRun(label) }

  func reset() throws(HarnessError) { try honest.implementation.reset() }

  func perform(
    _ operation: StoreOperation, _ environment: inout RunEnvironment
  ) throws(HarnessError) -> Outcome {
    switch operation.action {
    case .create, .update, .delete, .attaching: isBehind = try honest.copy()
    default: break
    }
    return try honest.implementation.perform(operation, &environment)
  }

  func crash(_ kind: CrashKind) throws(HarnessError) {
    if kind == .powerLoss, isBehind, try honest.restore() { return }
    try honest.implementation.crash(kind)
  }

  func shutdown() throws(HarnessError) { try honest.implementation.shutdown() }
}
