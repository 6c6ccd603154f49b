internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants in the cache, in the offline queue, and in references.

extension Defect {
  static let collectionCaches: [Defect] = [
    takingCachePolicy(
      "none-remembers", "COLL-040", sentence: "Under the policy none results are cached.",
      policy: "none",
      for: "networkFirst"),
    takingCachePolicy(
      "local-only-asks", "COLL-041",
      sentence: "Under localOnly a missing result is requested from the backend.",
      policy: "localOnly",
      for: "localFirst"),
    takingCachePolicy(
      "renewals-call-back", "COLL-042", sentence: "A background refresh of the cache calls back.",
      policy: "localFirst",
      for: "both"),
    takingCachePolicy(
      "no-answer-is-an-error", "COLL-043",
      sentence: "Under networkFirst a missing response is an error despite a hit.",
      policy: "networkFirst", for: "none"),
    takingCachePolicy(
      "both-is-one", "COLL-044",
      sentence: "Under the policy both the result of the backend is not returned after a hit.",
      policy: "both",
      for: "localFirst"),
    withOption(
      "errors-evict", "COLL-045", sentence: "An error removes the result from the cache.",
      option: "evictsOnError",
      value: true),
    hearingClients(
      "limits-are-no-key", "COLL-046", sentence: "The cache ignores limits in its key."
    ) {
      call in
      guard case .collection(let name, .query(let steps, "localOnly"?, let depth)) = call else {
        return
      }
      let others = steps.filter { step in
        ["limit", "skip", "sort"].allSatisfy { step.objectValue?[$0] == nil }
      }
      call = .collection(name, .query(others, policy: "localOnly", depth: depth))
    },
    withOption(
      "everything-loaded-again", "COLL-047", sentence: "Unchanged entities are loaded again.",
      option: "loadsChangesOnly", value: false),
    mishearing(
      "others-seen-at-once", "COLL-048",
      sentence: "Changes by other clients are in the cache at once."
    ) {
      operation, store throws(HarnessError) in
      guard
        case .client(
          let client, .collection(let name, .query(let steps, "localOnly"?, let depth)))? =
          operation.action.collections
      else { return operation }
      let known = try store.ask(operation.store, operation.action)
      guard case .report(let report)? = known.collections,
        report.callbacks.first?.objectValue?["objects"]?.arrayValue?.isEmpty == false
      else { return operation }
      let query = CollectionRequest.query(steps, policy: "networkFirst", depth: depth)
      _ = try store.ask(
        operation.store, .collections(.client(client, .collection(name, query))))
      return operation
    },
  ]

  static let collectionQueues: [Defect] = [
    withOption(
      "everything-may-wait", "COLL-064",
      sentence: "The delegate is not called before operations are queued.",
      option: "declinesQueueing", value: [:]),
    withOption(
      "everything-is-sent", "COLL-065",
      sentence: "The delegate is not called before queued operations are sent.",
      option: "declinesSending", value: [:]
    ),
    hearingClients(
      "lost-connections-wait", "COLL-050",
      sentence: "A lost connection adds an operation to the offline queue."
    ) {
      call in
      guard case .setNetwork(var state, let next) = call else { return }
      if state == "connectionLost" { state = "notConnected" }
      call = .setNetwork(state: state, next: next)
    },
    hearingOpenings("everybody-waits", "COLL-051", sentence: "There is always an offline queue.") {
      $0.offline = true
    },
    tellingClients("lasting-ids-untold", "COLL-052", sentence: "Permanent ids are not reported.") {
      _, report in
      report.queue = report.queue.map { event in
        event.objectValue.map { .object($0.without("assigned")) } ?? event
      }
    },
    mishearing(
      "earlier-saves-stay", "COLL-053", sentence: "A later save does not replace a queued one."
    ) {
      operation, store throws(HarnessError) in
      guard
        case .client(let client, .collection(let name, .save(let objects)))? = operation.action
          .collections,
        case .client(let state)? = try store.ask(
          operation.store, .collections(.client(client, .inspect))
        ).collections
      else { return operation }
      let waiting = state.queue.compactMap { $0.objectValue?["id"] }
      let ids = objects.compactMap { $0.objectValue?["id"] }.filter { waiting.contains($0) }
        .compactMap { $0.textValue }
      guard !ids.isEmpty else { return operation }
      return StoreOperation(
        operation.store, .collections(.client(client, .collection(name, .load(ids)))))
    },
    tellingClients(
      "queue-backwards", "COLL-054", sentence: "A drain sends the last operation first."
    ) {
      call, report in
      if call == .drain { report.requests.reverse() }
    },
    tellingClients(
      "success-drains-nothing", "COLL-055",
      sentence: "A successful request does not send queued operations."
    ) {
      call, report in
      guard case .collection(_, .query) = call, !report.queue.isEmpty else { return }
      report.requests = Array(report.requests.prefix(1))
      report.queue = []
    },
    tellingErrors(
      "waiting-untold", "COLL-056",
      sentence: "An object that is queued after another is not reported."
    ) {
      _, error in error["reason"] == "mustWait" ? nil : error
    },
    tellingErrors("removals-do-not-wait", "COLL-057", sentence: "A failed removal is not queued.") {
      request, error in
      guard case .remove = request else { return error }
      var error = error
      error["queued"] = []
      return error
    },
    tellingClients("drops-untold", "COLL-058", sentence: "Dropped operations are not reported.") {
      _, report in
      report.queue = report.queue.filter { event in
        event.objectValue?["event"] != "dropped"
          || !(event.objectValue?["id"]?.textValue?.utf8.starts(with: "temp_".utf8) ?? false)
      }
    },
    mishearing(
      "waiting-saves-hide-the-cache", "COLL-059",
      sentence: "While a save is queued, no cached result is returned."
    ) { operation, store throws(HarnessError) in
      guard
        case .client(let client, .collection(let name, .query(let steps, _, let depth)))? =
          operation.action.collections,
        case .client(let state)? = try store.ask(
          operation.store, .collections(.client(client, .inspect))
        ).collections, !state.queue.isEmpty
      else { return operation }
      let query = CollectionRequest.query(steps, policy: "none", depth: depth)
      return StoreOperation(
        operation.store, .collections(.client(client, .collection(name, query))))
    },
  ]

  static let collectionRelations: [Defect] = [
    tellingClients(
      "fills-backwards", "COLL-060", sentence: "A relation is filled in reverse order."
    ) {
      _, report in
      report.fills = report.fills.map { fill in
        fill.changing("objects") { .array(($0.arrayValue ?? []).reversed()) }
      }
    },
    tellingClients(
      "failed-fills-untold", "COLL-061",
      sentence: "The failure to load a computed relation is not reported."
    ) {
      _, report in
      report.fills = report.fills.map { fill in
        fill.objectValue.map { .object($0.without("problem")) } ?? fill
      }
    },
    withOption(
      "stored-ids-forgotten", "COLL-062",
      sentence: "A relation is empty until it is filled, despite keepsStoredIDs.",
      option: "keepsStoredIDs", value: false),
    tellingClients(
      "one-query-each", "COLL-063", sentence: "Related objects are loaded by one query per object."
    ) {
      call, report in
      guard case .collection(_, .query(_, _, let depth?)) = call, depth > 0,
        let last = report.requests.last
      else { return }
      report.requests.append(last)
    },
    tellingObjects(
      "removed-objects-look-alive", "COLL-070", sentence: "Removed objects are not marked."
    ) {
      _, objects in objects.map { $0.without("deleted") }
    },
    takingRemovalRule(
      "cascades-stop", "COLL-071", sentence: "A cascading removal does not follow references.",
      rule: "cascading",
      for: "only"),
    answering(
      "cascades-go-on", "COLL-072",
      sentence: "The objects are removed although their cascade targets could not be."
    ) {
      operation, result, store throws(HarnessError) in
      guard
        case .client(let client, .collection(let name, let request))? = operation.action.collections,
        case .remove(let ids, let objects, let query, "cascading"?) = request,
        case .report(let report)? = result.collections,
        report.callbacks.last?.objectValue?["problem"] != nil
      else { return .ok(result) }
      let removal = CollectionRequest.remove(ids: ids, objects: objects, query: query)
      _ = try store.ask(
        operation.store, .collections(.client(client, .collection(name, removal))))
      return .ok(result)
    },
    takingRemovalRule(
      "owners-keep-ids", "COLL-073",
      sentence: "Entities that refer to removed objects keep the ids.",
      rule: "nilling",
      for: "only"),
  ]
}
