internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants with objects in one context.

extension Defect {
  static let contexts: [Defect] =
    contextObjects + contextSaves + contextFetches + contextPolicies + contextFamilies + pulls
    + results

  private static let contextObjects: [Defect] = [
    inContexts(
      "equal-values-are-no-change", "CTX-004",
      sentence: "Setting an equal value does not make an object updated."
    ) { call, _, perform throws(HarnessError) in
      if case .change(let id, let values) = call.action.call,
        let known = try call.inspect(id)?.values?.objectValue, let new = values.objectValue,
        new.members.allSatisfy({ known[$0.name] == $0.value })
      {
        return .ok(.contexts(.done))
      }
      return try perform(call.operation)
    },
    inContexts(
      "annihilated-objects-are-deleted", "CTX-005",
      sentence: "An object deleted before its first save is reported as deleted."
    ) { call, memory, perform throws(HarnessError) in
      if case .delete(let id) = call.action.call, try call.inspect(id)?.isInserted ?? false {
        memory.ids.insert(id)
      }
      let outcome = try perform(call.operation)
      guard case .inspectedContext(var context)? = outcome.contexts, !memory.ids.isEmpty
      else { return outcome }
      context.changes.deleted += memory.ids
      context.hasChanges = true
      return .ok(.contexts(.inspectedContext(context)))
    },
    inContexts(
      "reads-refresh", "CTX-006",
      sentence: "An unchanged object is read from the store each time."
    ) { call, memory, perform throws(HarnessError) in
      if case .read(let id) = call.action.call, memory.isRoot(call.name, call.context),
        try call.inspect(id)?.isUpdated == false
      {
        _ = try call.ask(.refresh(id, merges: true))
      }
      return try perform(call.operation)
    },
    inContexts(
      "refreshes-drop-changes", "CTX-007",
      sentence: "A refresh with merging discards the changes."
    ) { call, _, perform throws(HarnessError) in
      guard case .refresh(let id, true) = call.action.call,
        try call.inspect(id)?.isUpdated ?? false
      else { return try perform(call.operation) }
      return try perform(call.with(.refresh(id, merges: false)))
    },
    hearingContexts(
      "refreshes-always-merge", "CTX-008",
      sentence: "A refresh without merging keeps the changes."
    ) { call in
      if case .refresh(let id, false) = call { call = .refresh(id, merges: true) }
    },
    inContexts(
      "rollbacks-keep-insertions", "CTX-009", sentence: "A rollback keeps inserted objects."
    ) {
      call, _, perform throws(HarnessError) in
      guard case .rollback = call.action.call else { return try perform(call.operation) }
      var kept: [(DocumentID, InspectedObject)] = []
      for id in try call.inspect().changes.inserted {
        if let object = try call.inspect(id) { kept.append((id, object)) }
      }
      let outcome = try perform(call.operation)
      for (id, object) in kept {
        _ = try call.ask(.insert(id, entity: object.entity, values: object.values))
      }
      return outcome
    },
    hearingContexts(
      "resets-roll-back", "CTX-010", sentence: "resetContext only undoes unsaved changes."
    ) {
      call in
      if case .reset = call { call = .rollback }
    },
    excusing(
      "deleted-objects-change", "CTX-011",
      sentence: "A change of a deleted object is accepted without an error."
    ) { operation, kind, _ in
      guard let action = operation.action.contexts, case .change = action.call,
        kind == .notFound(.deleted)
      else { return nil }
      return .ok(.contexts(.done))
    },
    inContexts(
      "lists-follow-with-the-save", "CTX-012",
      sentence: "The to-many inverse of a relationship is updated only at the save."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .read(let id) = call.action.call, case .object(let json)? = outcome.contexts,
        var object = json.objectValue, let known = try call.inspect(id),
        var values = object["values"]?.objectValue
      else { return outcome }
      for member in known.changed?.objectValue?.members ?? [] {
        let old = known.committed?.objectValue?[member.name]
        let isList = [member.value, old].contains { if case .array? = $0 { true } else { false } }
        if isList { values[member.name] = old }
      }
      object["values"] = .object(values)
      return .ok(.contexts(.object(.object(object))))
    },
    excusing(
      "contexts-outlive-stores", "CTX-015",
      sentence: "A context can be used after its store was closed."
    ) {
      operation, kind, _ in
      guard let action = operation.action.contexts, case .inspect = action.call,
        kind.what == "unknownContext"
      else { return nil }
      return .ok(.contexts(.inspectedContext(InspectedContext())))
    },
  ]

  private static let contextSaves: [Defect] = [
    Defect("defaults-forgotten", "CTX-001", sentence: "A new object has no defaults.") {
      DefaultsForgotten()
    },
    inContexts(
      "saves-of-all-kinds-lose-one", "CTX-002",
      sentence: "A save that inserts, updates and deletes loses the first insertion."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      if case .saved(let changes, _)? = outcome.contexts, !changes.updated.isEmpty,
        !changes.deleted.isEmpty, changes.inserted.count > 1
      {
        try call.deleteDocument(changes.inserted[0])
      }
      return outcome
    },
    inContexts(
      "failing-saves-write-what-is-valid", "CTX-003",
      sentence: "A failing save writes the valid objects."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      if case .save = call.action.call, case .error(let error) = outcome,
        error.kind.what == "validation"
      {
        let context = try call.inspect()
        let invalid = context.failure?.invalid.map { $0.id } ?? []
        for id in context.changes.inserted where !invalid.contains(id) {
          if let object = try call.inspect(id) { try call.insertDocument(id, object) }
        }
      }
      return outcome
    },
    inContexts(
      "ids-before-validation", "CTX-013",
      sentence: "Objects get their permanent ids before the validation."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .saved(let changes, var events)? = outcome.contexts,
        let place = events.firstIndex(where: { $0.name == "permanentIDs" }), place > 0,
        events[place].objects?.isEmpty == false
      else { return outcome }
      events.swapAt(place, place - 1)
      return .ok(.contexts(.saved(changes, events: events)))
    },
    inContexts(
      "empty-saves-are-silent", "CTX-014", sentence: "A save without changes posts no notification."
    ) {
      call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .saved(SavedChanges(), _)? = outcome.contexts else { return outcome }
      return .ok(.contexts(.saved(SavedChanges(), events: [])))
    },
    meddling(
      "versions-stand-still", "CTX-016",
      sentence: "An update in a context does not increment the version."
    ) {
      operation, result, store throws(HarnessError) in
      guard case .saved(let changes, _)? = result.contexts else { return [] }
      var actions: [StoreAction] = []
      for id in changes.updated {
        guard let document = try store.document(operation.store, id),
          var body = document.body.objectValue
        else { continue }
        body["CDTISObjectVersion"] = "1"
        actions.append(.update(id: id, rev: document.rev, body: .object(body)))
      }
      return actions
    },
    takingRule(
      "nullify-is-no-action", "CTX-030", sentence: "The rule nullify does nothing.",
      rule: "nullify",
      for: "noAction"),
    takingRule(
      "cascade-is-nullify", "CTX-031", sentence: "The rule cascade only nullifies.",
      rule: "cascade",
      for: "nullify"),
    takingRule(
      "deny-is-nullify", "CTX-032", sentence: "The rule deny only nullifies.", rule: "deny",
      for: "nullify"),
    takingRule(
      "no-action-is-nullify", "CTX-033", sentence: "The rule noAction nullifies.",
      rule: "noAction",
      for: "nullify"),
    inContexts(
      "one-failure-is-several", "CTX-034",
      sentence: "A single validation failure is reported as 1560."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .inspectedContext(var context)? = outcome.contexts,
        let codes = context.failure?.invalid.flatMap({ $0.codes }), codes.count == 1,
        codes != [1600]
      else { return outcome }
      context.failure?.code = 1560
      return .ok(.contexts(.inspectedContext(context)))
    },
  ]

  private static let contextFetches: [Defect] = [
    hearingContexts(
      "predicates-ask-the-store", "CTX-020",
      sentence: "Predicates are not evaluated for values changed in a context."
    ) { call in
      guard case .fetch(let fetch, nil) = call, fetch.predicate != nil else { return }
      call = .fetch(fetch, includesPendingChanges: false)
    },
    hearingContexts(
      "fetches-always-see-changes", "CTX-021",
      sentence: "A fetch without pending changes includes them."
    ) { call in
      if case .fetch(let fetch, false) = call { call = .fetch(fetch) }
    },
    hearingContexts(
      "order-of-the-store", "CTX-022",
      sentence: "A fetch is ordered by the stored values."
    ) { call in
      guard case .fetch(let fetch, nil) = call, !fetch.sort.isEmpty else { return }
      call = .fetch(fetch, includesPendingChanges: false)
    },
    inContexts(
      "cascades-wait-for-the-save", "CTX-023",
      sentence: "Objects that a cascade deletes are found until the save."
    ) { call, _, perform throws(HarnessError) in
      guard case .fetch = call.action.call else { return try perform(call.operation) }
      let before = try call.inspect().changes.deleted
      let outcome = try perform(call.operation)
      guard case .ids(let ids)? = outcome.contexts else { return outcome }
      let taken = try call.inspect().changes.deleted.filter { !before.contains($0) }
      return .ok(.contexts(.ids(ids + taken)))
    },
    inContexts(
      "counted-objects-are-read", "CTX-024",
      sentence: "A fetch of ids or of a count registers objects."
    ) { call, _, perform throws(HarnessError) in
      if case .fetch(var fetch, let includesPendingChanges) = call.action.call {
        fetch.result = .objects
        _ = try call.ask(.fetch(fetch, includesPendingChanges: includesPendingChanges))
      }
      return try perform(call.operation)
    },
  ]
}

/// Sets attributes with a default to nil unless they have a value.
private struct DefaultsForgotten: Misbehaviour {
  private var models: [StoreName: JSONValue] = [:]

  mutating func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment, store: Honest
  ) throws(HarnessError) -> Outcome {
    var operation = operation
    if case .open(let model, _, _)? = operation.action.objects {
      models[operation.store] = model
    } else if var action = operation.action.contexts,
      case .insert(let id, let entity, let values) = action.call
    {
      var given = values?.objectValue ?? [:]
      for (name, description) in models[operation.store]?.properties("attributes", of: entity) ?? []
      where description["default"] != nil && given[name] == nil {
        given[name] = .null
      }
      action.call = .insert(id, entity: entity, values: .object(given))
      operation = StoreOperation(operation.store, .contexts(action))
    }
    return try store.perform(operation, environment)
  }
}
