internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants of observed fetches.

extension Defect {
  static let results: [Defect] = [
    changingUpdates(
      "deletions-one-by-one", "CTX-080",
      sentence: "The index of a deletion does not count the results deleted before it."
    ) { changes, _ in
      for (count, place) in changes.indices(of: .deleted).enumerated() {
        changes[place].from = changes[place].from.map { $0 - Int64(count) }
      }
    },
    changingUpdates(
      "insertions-among-old-results", "CTX-081",
      sentence: "The index of an insertion does not count the results inserted before it."
    ) { changes, _ in
      for (count, place) in changes.indices(of: .inserted).enumerated() {
        changes[place].to = changes[place].to.map { $0 - Int64(count) }
      }
    },
    changingUpdates(
      "moves-update-too", "CTX-082",
      sentence: "A moved object is reported as updated as well."
    ) { changes, _ in
      for place in changes.indices(of: .moved) {
        changes.append(ObservedChange(.updated, changes[place].id, to: changes[place].to))
      }
    },
    changingUpdates(
      "other-indexes-are-moves", "CTX-083",
      sentence: "A changed object with another index is moved, whether its position changed or not."
    ) { changes, old in
      for place in changes.indices(of: .updated) {
        guard let from = old.firstIndex(of: changes[place].id), changes[place].to != Int64(from)
        else { continue }
        changes[place].kind = .moved
        changes[place].from = Int64(from)
      }
      let order = ObservedChange.Kind.allCases
      changes = order.flatMap { kind in
        changes.filter { $0.kind == kind }.sorted { ($0.to ?? 0) < ($1.to ?? 0) }
      }
    },
    inContexts(
      "relationships-do-not-update", "CTX-084",
      sentence: "An object of which only relationships changed is not reported."
    ) { call, _, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard case .changes(let changes, let ids)? = outcome.contexts else { return outcome }
      var reported: [ObservedChange] = []
      for change in changes {
        let changed = try call.inspect(change.id)?.changed?.objectValue?.members ?? []
        let isRelated = changed.allSatisfy { if case .array = $0.value { true } else { false } }
        if change.kind != .updated || changed.isEmpty || !isRelated { reported.append(change) }
      }
      return .ok(.contexts(.changes(reported, ids: ids)))
    },
    changingUpdates(
      "updates-by-old-index", "CTX-085",
      sentence: "The index of an update is the one in the old results."
    ) { changes, old in
      for place in changes.indices(of: .updated) {
        changes[place].to = old.firstIndex(of: changes[place].id).map { Int64($0) }
      }
    },
    inContexts(
      "results-wait-for-the-save", "CTX-086",
      sentence: "Changes are reported only when the context has no unsaved ones."
    ) { call, memory, perform throws(HarnessError) in
      guard let old = memory.results(call.action), try call.inspect().hasChanges
      else { return try perform(call.operation) }
      return .ok(.contexts(.changes([], ids: old)))
    },
    inContexts(
      "updates-refresh", "CTX-087",
      sentence: "An update of results reads the stored values of its objects."
    ) { call, memory, perform throws(HarnessError) in
      for id in memory.results(call.action) ?? []
      where try call.inspect(id)?.isUpdated == false {
        _ = try call.ask(.refresh(id, merges: true))
      }
      return try perform(call.operation)
    },
    inContexts(
      "pages-grow", "CTX-088",
      sentence: "Offset and limit apply only to the first results of an observer."
    ) { call, _, perform throws(HarnessError) in
      guard case .observeFetch(let observer, var fetch) = call.action.call,
        (fetch.offset ?? 0) >= 0, let limit = fetch.limit, limit >= 0
      else { return try perform(call.operation) }
      let first = Int(fetch.offset ?? 0)
      (fetch.offset, fetch.limit) = (nil, nil)
      let outcome = try perform(call.with(.observeFetch(observer: observer, fetch)))
      guard case .ids(let ids)? = outcome.contexts else { return outcome }
      return .ok(.contexts(.ids(Array(ids.dropFirst(first).prefix(Int(limit))))))
    },
    inContexts(
      "failed-updates-lose-changes", "CTX-089",
      sentence: "The update after a failed one reports no changes."
    ) { call, memory, perform throws(HarnessError) in
      let outcome = try perform(call.operation)
      guard memory.results(call.action) != nil else { return outcome }
      if case .error = outcome { memory.ids = ["failed"] }
      guard case .changes(_, let ids)? = outcome.contexts, !memory.ids.isEmpty
      else { return outcome }
      memory.ids = []
      return .ok(.contexts(.changes([], ids: ids)))
    },
    excusing(
      "observers-outlive-resets", "CTX-090",
      sentence: "An observer that has ended reports empty results without changes."
    ) { operation, kind, _ in
      guard operation.action.contexts != nil, kind.what == "unknownObserver" else { return nil }
      return .ok(.contexts(.changes([], ids: [])))
    },
  ]

  /// Changes the reports of observed fetches; `change` gets them with the ids of the old results.
  private static func changingUpdates(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout [ObservedChange], [DocumentID]) -> Void
  ) -> Defect {
    inContexts(name, clause, sentence: sentence) { call, memory, perform throws(HarnessError) in
      let old = memory.results(call.action) ?? []
      let outcome = try perform(call.operation)
      guard case .changes(var changes, let ids)? = outcome.contexts else { return outcome }
      change(&changes, old)
      return .ok(.contexts(.changes(changes, ids: ids)))
    }
  }
}

extension [ObservedChange] {
  fileprivate func indices(of kind: ObservedChange.Kind) -> [Int] {
    indices.filter { self[$0].kind == kind }
  }
}

extension ContextMemory {
  /// The last results of the observer that an update is for; nil for other operations.
  fileprivate func results(_ action: ContextAction) -> [DocumentID]? {
    guard case .updateFetch(let observer) = action.call else { return nil }
    return results[action.context]?[observer]
  }
}
