internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants in merge policies and constraints.

extension Defect {
  static let contextPolicies: [Defect] = [
    inContexts(
      "one-conflict-of-many", "CTX-040",
      sentence: "A failing save reports only its first conflict."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .inspectedContext(var context)? = outcome.contexts,
        let conflicts = context.failure?.conflicts
      else { return outcome }
      context.failure?.conflicts = Array(conflicts.prefix(1))
      return .ok(.contexts(.inspectedContext(context)))
    },
    inContexts(
      "new-versions-are-old", "CTX-041", sentence: "The new version of a conflict is its old one."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .inspectedContext(var context)? = outcome.contexts else { return outcome }
      for place in context.failure?.conflicts.indices ?? 0..<0 {
        guard let version = context.failure?.conflicts[place].oldVersion else { continue }
        context.failure?.conflicts[place].newVersion = version
      }
      return .ok(.contexts(.inspectedContext(context)))
    },
    takingPolicy(
      "store-trump-is-rollback", "CTX-042",
      sentence: "storeTrump takes all properties of the store.",
      policy: "storeTrump", for: "rollback"),
    takingPolicy(
      "object-trump-is-overwrite", "CTX-043",
      sentence: "objectTrump takes all properties of the context.",
      policy: "objectTrump", for: "overwrite"),
    takingPolicy(
      "overwrite-is-object-trump", "CTX-044",
      sentence: "The policy overwrite decides property by property.",
      policy: "overwrite", for: "objectTrump"),
    takingPolicy(
      "rollback-is-store-trump", "CTX-045",
      sentence: "The policy rollback decides property by property.",
      policy: "rollback", for: "storeTrump"),
    takingOption(
      "nothing-is-made-anew", "CTX-046",
      sentence: "An object deleted in the store is never recreated.",
      option: "recreatesDeleted", value: false),
    takingOption(
      "pulled-leaf-kept", "CONFL-017",
      sentence: "The option keepsWinner has no effect.",
      option: "keepsWinner", value: false),
    inContexts(
      "deletions-always-win", "CTX-047",
      sentence: "An object deleted in a context stays deleted under every policy."
    ) { call, memory, perform throws(HarnessError) in
      guard case .save = call.action.call,
        ["storeTrump", "rollback"].contains(memory.policy(call.name, call.context))
      else { return try perform(call.operation) }
      let deleted = try call.inspect().changes.deleted
      let outcome = try perform(call.operation)
      if case .ok = outcome { for id in deleted { try call.deleteDocument(id) } }
      return outcome
    },
    inContexts(
      "twice-deleted-is-fine", "CTX-048",
      sentence: "A deletion on both sides is no conflict under the policy error."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .save = call.action.call, case .error(let error) = outcome,
        error.kind.what == "mergeConflicts"
      else { return outcome }
      let context = try call.inspect()
      let conflicts = context.failure?.conflicts ?? []
      let isTwice = conflicts.allSatisfy {
        $0.newVersion == 0 && context.changes.deleted.contains($0.id)
      }
      return isTwice ? .ok(.contexts(.saved(context.changes, events: []))) : outcome
    },
    inContexts(
      "resolutions-are-forgotten", "CTX-049",
      sentence: "Resolving the conflicts of a failed save has no effect."
    ) { call, _, perform throws(HarnessError) in
      guard case .resolve(let policy) = call.action.call, policy != "error" else {
        return try perform(call.operation)
      }
      return .ok(.contexts(.done))
    },
    inContexts(
      "lists-collide", "CTX-050",
      sentence: "Adding to a to-many relationship that changed meanwhile is a conflict."
    ) { call, memory, perform throws(HarnessError) in
      guard case .save = call.action.call, memory.policy(call.name, call.context) == "error" else {
        return try perform(call.operation)
      }
      for id in try call.inspect().changes.updated {
        guard let known = try call.inspect(id)?.committed?.objectValue,
          let stored = try call.stored(id)
        else { continue }
        for member in stored.members {
          guard case .array(let ids) = member.value else { continue }
          if known[member.name] ?? [] != .array(ids) { return .badObject("mergeConflicts") }
        }
      }
      return try perform(call.operation)
    },
    inContexts(
      "losers-join-their-lists", "CTX-051",
      sentence:
        "A policy that discards a to-one end does not update the to-many inverse."
    ) { call, _, perform throws(HarnessError) in
      guard case .save = call.action.call else { return try perform(call.operation) }
      var wanted: [(id: DocumentID, target: DocumentID, list: JSONString)] = []
      for id in try call.inspect().changes.updated {
        for member in try call.inspect(id)?.changed?.objectValue?.members ?? [] {
          guard let target = member.value.textValue.map({ DocumentID($0) }) else { continue }
          for list in try call.inspect(target)?.values?.objectValue?.members ?? []
          where list.value.arrayValue?.contains(id.json) == true {
            wanted.append((id, target, list.name))
          }
        }
      }
      let outcome = try perform(call.operation)
      guard case .ok = outcome else { return outcome }
      for (id, target, list) in wanted {
        guard let document = try call.store.document(call.name, target),
          var body = document.body.objectValue, case .array(let ids)? = body[list],
          !ids.contains(id.json)
        else { continue }
        body[list] = .array(ids + [id.json])
        _ = try call.store.ask(
          call.name, .update(id: target, rev: document.rev, body: .object(body)))
      }
      return outcome
    },
    inContexts(
      "forgotten-ends-stay-forgotten", "CTX-018",
      sentence: "A save does not restore inverses that a refresh discarded."
    ) { call, memory, perform throws(HarnessError) in
      if case .refresh(let id, false) = call.action.call { memory.ids.insert(id) }
      guard case .save = call.action.call else { return try perform(call.operation) }
      let before = try call.inspect()
      var bodies: [(DocumentID, JSONValue)] = []
      for id in before.registered
      where memory.ids.contains(id) && !before.changes.updated.contains(id) {
        if let document = try call.store.document(call.name, id) {
          bodies.append((id, document.body))
        }
      }
      let outcome = try perform(call.operation)
      guard case .saved(let saved, _)? = outcome.contexts else { return outcome }
      for (id, body) in bodies where saved.updated.contains(id) {
        guard let document = try call.store.document(call.name, id) else { continue }
        _ = try call.store.ask(call.name, .update(id: id, rev: document.rev, body: body))
      }
      return outcome
    },
    inContexts(
      "losers-are-written", "CTX-054",
      sentence: "A save reports objects to which a policy left the values of the store."
    ) { call, _, perform throws(HarnessError) in
      guard case .save = call.action.call else { return try perform(call.operation) }
      let changed = try call.inspect().changes.updated
      let outcome = try perform(call.operation)
      guard case .saved(var saved, let events)? = outcome.contexts else { return outcome }
      saved.updated = Set(saved.updated).union(changed)
        .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
      return .ok(.contexts(.saved(saved, events: events)))
    },
    inContexts(
      "constraints-are-merge-conflicts", "CTX-052",
      sentence: "A violated constraint is reported with the code of a merge conflict."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .inspectedContext(var context)? = outcome.contexts,
        context.failure?.constraints.isEmpty == false
      else { return outcome }
      context.failure?.code = 133020
      return .ok(.contexts(.inspectedContext(context)))
    },
    inContexts(
      "losers-of-constraints-stay", "CTX-053",
      sentence: "All objects that violate a constraint are stored under every policy."
    ) { call, memory, perform throws(HarnessError) in
      guard case .save = call.action.call, memory.isRoot(call.name, call.context) else {
        return try perform(call.operation)
      }
      var inserted: [(DocumentID, InspectedObject)] = []
      for id in try call.inspect().changes.inserted {
        if let object = try call.inspect(id) { inserted.append((id, object)) }
      }
      let outcome = try perform(call.operation)
      guard case .ok = outcome else { return outcome }
      for (id, object) in inserted where try call.stored(id) == nil {
        try call.insertDocument(id, object)
      }
      return outcome
    },
  ]
}
