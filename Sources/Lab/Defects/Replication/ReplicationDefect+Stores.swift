internal import Datastore
internal import JSON
internal import Simulation

// Mutants of stores with effects in replication.

extension ReplicationDefect {
  static let stores: [ReplicationDefect] = [
    ReplicationDefect(
      "winner-by-arrival", breaks: "WIN-004", "The leaf that arrived last wins.",
      link: "https://github.com/pouchdb/pouchdb/issues/314",
      boundary: .store { Crowning { leaves, last in leaves.first { $0.rev == last } } }),
    ReplicationDefect(
      "deleted-branch-wins", breaks: "WIN-001", "A longer deleted branch wins over a live one.",
      boundary: .store {
        Crowning { leaves, _ in
          leaves.max { $0.rev.generation ?? 0 < $1.rev.generation ?? 0 }
        }
      }),
    ReplicationDefect(
      "recreated-document-not-sent", breaks: "REPL-011",
      "A document that was created again is not sent to a target that has it deleted.",
      link: "https://github.com/cloudant/CDTDatastore/blob/master/CHANGELOG.md",
      boundary: .store { KeepingDeleted() }),
    ReplicationDefect(
      "tombstone-resurrected", breaks: "REPL-010",
      "A session from a stale source makes a deleted document live again.",
      boundary: .store { Resurrecting() }),
    ReplicationDefect(
      "unsynced-write", "A write is acknowledged before it is safe from a power loss.",
      boundary: .durability),
  ]
}

/// Replaces the winner by another leaf.
private struct Crowning: Misbehaviour {
  let winner: @Sendable (_ leaves: [Leaf], _ last: RevisionID?) -> Leaf?
  /// The revision of each document that arrived last.
  private var last: [DocumentID: RevisionID] = [:]

  init(_ winner: @escaping @Sendable ([Leaf], RevisionID?) -> Leaf?) { self.winner = winner }

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    var outcome = try store.perform(operation, environment)
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

/// Reports nothing as missing for a document that is deleted in the store.
private struct KeepingDeleted: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    let outcome = try store.perform(operation, environment)
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

/// Treats an old live revision of a deleted document as a new one.
private struct Resurrecting: Misbehaviour {
  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    switch operation.action {
    case .revsDiff(let queries):
      let outcome = try store.perform(operation, environment)
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
      let outcome = try store.perform(operation, environment)
      for (record, leaves) in zip(records, before) where !record.deleted {
        let after = try store.leaves(operation.store, record.id)
        // It had no effect: the revision is an ancestor of a stored one.
        if after == leaves, !after.isEmpty, !after.contains(where: { !$0.deleted }) {
          _ = try store.perform(
            StoreOperation(operation.store, .create(id: record.id, body: record.body)), environment
          )
        }
      }
      return outcome
    default: return try store.perform(operation, environment)
    }
  }
}

/// A replica that has not synced its last write before a power loss.
final class ForgetfulReplica: SimulatedStore, ImplementationLayer {
  private let honest: any SimulatedStore
  private var isBehind = false

  init(_ honest: any SimulatedStore) { self.honest = honest }

  var implementation: any ImplementationUnderTest { self }
  var base: any ImplementationUnderTest { honest.implementation }
  var isModel: Bool { honest.isModel }

  func beginRun(_ label: JSONString) throws(HarnessError) { try honest.beginRun(label) }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    switch operation.action {
    case .create, .update, .delete, .attaching: isBehind = try honest.copy()
    default: break
    }
    return try base.perform(operation, environment)
  }

  func crash(_ kind: CrashKind) throws(HarnessError) {
    if kind == .powerLoss, isBehind, try honest.restore() { return }
    try base.crash(kind)
  }
}
