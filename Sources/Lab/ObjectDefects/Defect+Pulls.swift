internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants with conflicts after a pull.

extension Defect {
  static let pulls: [Defect] = [
    handing(
      "one-conflict-at-a-time", "CONFL-001", sentence: "Only one conflict is reported at a time."
    ) {
      conflicts, _, _ in
      conflicts = Array(conflicts.prefix(1))
    },
    handing(
      "versions-of-the-other-side", "CONFL-002",
      sentence: "The versions of a conflict are exchanged."
    ) {
      conflicts, _, _ in
      for place in conflicts.indices where conflicts[place].newVersion != 0 {
        let old = conflicts[place].oldVersion
        conflicts[place].oldVersion = conflicts[place].newVersion
        conflicts[place].newVersion = old
      }
    },
    handing(
      "conflicts-handed-over-again", "CONFL-003",
      sentence: "A conflict is reported repeatedly until it is saved."
    ) { conflicts, memory, _ in
      if conflicts.isEmpty { conflicts = memory.conflicts }
    },
    inContexts(
      "dropped-decisions-count", "CONFL-004",
      sentence: "A conflict is not reported again after a rollback."
    ) { call, memory, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      switch call.action.call {
      case .rollback, .reset: memory.ids.formUnion(memory.conflicts.map { $0.id })
      default: break
      }
      guard case .conflicts(let conflicts)? = outcome.contexts else { return outcome }
      return .ok(.contexts(.conflicts(conflicts.filter { !memory.ids.contains($0.id) })))
    },
    inContexts(
      "losers-stay", "CONFL-005",
      sentence: "A losing leaf remains beside the one that a policy chose."
    ) {
      call, memory, perform throws(HarnessError) in
      guard case .save = call.action.call else { return try perform(call.operation) }
      var before: [DocumentID: Int] = [:]
      for conflict in memory.conflicts {
        before[conflict.id] = try call.store.leaves(call.name, conflict.id)
          .filter { !$0.deleted }.count
      }
      let outcome = try perform(call.operation)
      for conflict in memory.conflicts where before[conflict.id] ?? 0 > 1 {
        let record = RevisionRecord(id: conflict.id, path: ["1-stays"], body: [:])
        _ = try call.store.ask(call.name, .insertRevisions([record]))
      }
      return outcome
    },
    inContexts(
      "pulled-values-lose", "CONFL-006",
      sentence: "Under storeTrump the local value of a property in conflict remains."
    ) { call, memory, perform throws(HarnessError) in
      guard case .resolve("storeTrump") = call.action.call, !memory.conflicts.isEmpty,
        memory.conflicts.allSatisfy({ $0.newVersion != 0 })
      else { return try perform(call.operation) }
      return try call.ask(.resolve(policy: "objectTrump"))
    },
    resolving(
      "pulled-values-win-everything", "CONFL-016",
      sentence: "Under storeTrump local edits of a conflict after a pull are lost.",
      policy: "storeTrump", for: "rollback"),
    resolving(
      "careful-policy-decides", "CONFL-007", sentence: "The policy error takes the pulled values.",
      policy: "error",
      for: "storeTrump"),
    handing(
      "deletions-are-no-conflicts", "CONFL-008",
      sentence: "A deletion is not reported as a conflict."
    ) {
      conflicts, _, _ in
      conflicts.removeAll { $0.newVersion == 0 }
    },
    inContexts(
      "local-deletions-win", "CONFL-009",
      sentence: "A pulled edit beside a local deletion is lost."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .conflicts(let conflicts)? = outcome.contexts else { return outcome }
      for row in try call.store.feed(call.name) where row.leaves.contains(where: { $0.deleted }) {
        guard try call.stored(row.id) != nil else { continue }
        if !conflicts.contains(where: { $0.id == row.id }) { try call.deleteDocument(row.id) }
      }
      return outcome
    },
    inContexts(
      "returned-objects-half-related", "CONFL-015",
      sentence: "A restored object is not added to its to-many inverses."
    ) { call, _, perform throws(HarnessError) in
      guard case .processConflicts = call.action.call else { return try perform(call.operation) }
      let hadChanges = try call.inspect().hasChanges
      let outcome = try perform(call.operation)
      guard case .conflicts([])? = outcome.contexts, !hadChanges,
        try !call.inspect().changes.updated.isEmpty
      else { return outcome }
      _ = try call.ask(.rollback)
      return outcome
    },
    inContexts(
      "merges-undo-decisions", "CONFL-018",
      sentence: "A merge discards the decision of a conflict that is not saved."
    ) { call, memory, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .merge = call.action.call, !memory.conflicts.isEmpty else { return outcome }
      _ = try call.ask(.rollback)
      return outcome
    },
    inContexts(
      "overtaken-decisions-block", "CONFL-019",
      sentence:
        "A save fails as long as the context has a decision that another replica has overtaken."
    ) { call, memory, perform throws(HarnessError) in
      switch call.action.call {
      case .resolve:
        memory.ids.formUnion(memory.conflicts.filter { $0.newVersion != 0 }.map { $0.id })
      case .rollback, .reset: memory.ids = []
      case .save:
        for id in memory.ids {
          let live = try call.store.leaves(call.name, id).filter { !$0.deleted }
          if live.count == 1 { return .error(DatastoreError(.conflict)) }
        }
        memory.ids = []
      default: break
      }
      return try perform(call.operation)
    },
    handing(
      "third-leaves-forgotten", "CONFL-010", sentence: "A conflict has only 2 of its leaves."
    ) {
      conflicts, _, _ in
      for place in conflicts.indices { conflicts[place].others = [] }
    },
    inContexts(
      "metadata-in-conflict", "CONFL-011",
      sentence: "The metadata document is reported as a conflict."
    ) {
      call, _, perform throws(HarnessError) in
      let id: DocumentID = "CDTISMetaData"
      let leaves = try call.store.leaves(call.name, id).filter { !$0.deleted }
      let outcome = try perform(call.operation)
      guard case .conflicts(let conflicts)? = outcome.contexts, leaves.count > 1 else {
        return outcome
      }
      let conflict = ObjectConflict(id: id, entity: "", oldVersion: 1, newVersion: 1)
      return .ok(.contexts(.conflicts(conflicts + [conflict])))
    },
    inContexts(
      "strangers-settled", "CONFL-012",
      sentence: "Conflicts of documents that are not objects are resolved."
    ) {
      call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .processConflicts = call.action.call, case .ok = outcome else { return outcome }
      for row in try call.store.feed(call.name) where try call.stored(row.id) == nil {
        for leaf in row.leaves.filter({ !$0.deleted }).dropFirst() {
          _ = try call.store.ask(call.name, .delete(id: row.id, rev: leaf.rev))
        }
      }
      return outcome
    },
    inContexts(
      "unsaved-edits-win", "CONFL-013",
      sentence: "An unsaved edit overwrites a pulled one without a conflict."
    ) {
      call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .save = call.action.call, case .error(let error) = outcome,
        error.kind.what == "mergeConflicts"
      else { return outcome }
      for id in try call.inspect().changes.updated {
        _ = try call.ask(.refresh(id, merges: true))
      }
      return try perform(call.operation)
    },
    resolving(
      "pulled-edits-outlive-overwriting", "CONFL-014",
      sentence: "Under overwrite properties changed only by the other side are kept.",
      policy: "overwrite",
      for: "objectTrump"),
  ]

  /// Changes the reported conflicts.
  private static func handing(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout [ObjectConflict], ContextMemory, ContextCall) -> Void
  ) -> Defect {
    inContexts(name, clause, sentence: sentence) { call, memory, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      if case .save = call.action.call { memory.conflicts = [] }
      guard case .conflicts(var conflicts)? = outcome.contexts else { return outcome }
      change(&conflicts, memory, call)
      return .ok(.contexts(.conflicts(conflicts)))
    }
  }

  /// Replaces one policy by another in the resolution of conflicts.
  private static func resolving(
    _ name: String, _ clause: String, sentence: String, policy: JSONString,
    for other: JSONString
  ) -> Defect {
    hearingContexts(name, clause, sentence: sentence) { call in
      if case .resolve(policy) = call { call = .resolve(policy: other) }
    }
  }
}
