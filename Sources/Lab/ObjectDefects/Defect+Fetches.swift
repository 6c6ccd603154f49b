internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mutants in fetching objects: what is answered, in which order, and how much of it.

extension Defect {
  static let fetches: [Defect] =
    fetchedObjects + sorted + sortRefusals + pages + fetchedGroups + groupRefusals + updates
    + warnings

  private static let fetchedObjects: [Defect] = [
    listing("objects-without-uris", "FETCH-001", sentence: "Fetched objects have no URIs.") {
      object, _ in
      object["identifier"] = nil
    },
    listing("empty-lists-missing", "FETCH-001", sentence: "Empty relationships are not fetched.") {
      object, _ in
      let values = object["values"]?.objectValue?.members.filter { $0.value != [] } ?? []
      object["values"] = .object(JSONObject(values.map { ($0.name, $0.value) }))
    },
    listing(
      "contents-not-fetched", "FETCH-001", sentence: "Content beside documents is not fetched."
    ) {
      object, body in
      let values = object["values"]?.objectValue?.members ?? []
      object["values"] = .object(
        JSONObject(
          values.filter { body[$0.name] != .string($0.name) }.map { ($0.name, $0.value) }))
    },
    identified("strangers-fetched", "FETCH-001", sentence: "Documents of nobody are fetched, too.")
    {
      ids, fetch, name, store throws(HarnessError) in
      guard fetch.predicate == nil else { return ids }
      var ids = ids
      for row in try store.feed(name) where !row.deleted && row.id != metadata {
        if try store.body(name, row.id)["CDTISEntityName"] == nil { ids.append(row.id) }
      }
      return ids
    },
    remembering(
      "fetches-remembered", "FETCH-002", sentence: "What was fetched once is fetched again.",
      answer: { operation, outcome, _, memory in
        guard operation.fetch != nil, case .ok = outcome else { return outcome }
        let answer = memory.answers[operation] ?? outcome
        memory.answers[operation] = answer
        return answer
      }),
    shrugging(
      "no-such-entity-no-objects", "FETCH-003", sentence: "An unknown entity has no objects.",
      what: "unknownEntity"),
  ]

  private static let sorted: [Defect] = [
    fetching("first-sort-key-only", "FETCH-004", sentence: "Of several keys the first one counts.")
    {
      $0.sort = Array($0.sort.prefix(1))
    },
    fetching("texts-upwards-only", "FETCH-004", sentence: "Keys are always sorted upwards.") {
      $0.sort = $0.sort.map { SortKey($0.path) }
    },
    identified("equals-downwards", "FETCH-004", sentence: "Among equals the last id comes first.") {
      ids, fetch, name, store throws(HarnessError) in
      guard let key = fetch.key else { return ids }
      var runs: [(value: JSONValue?, ids: [DocumentID])] = []
      for id in ids {
        let value = try store.body(name, id)[key]
        if let last = runs.last, last.value == value {
          runs[runs.count - 1].ids.append(id)
        } else {
          runs.append((value, [id]))
        }
      }
      return runs.flatMap { $0.ids.reversed() }
    },
    sorting("nil-comes-last", "FETCH-005", sentence: "Nil comes behind all values.") {
      !$0.isNil && $1.isNil
    },
    sorting("null-behind-nothing", "FETCH-005", sentence: "Null comes behind what is absent.") {
      $0.value == nil && $1.value == .null
    },
    sorting("nan-comes-last", "FETCH-005", sentence: "NaN comes behind all numbers.") {
      !$0.isNaN && $1.isNaN
    },
    sorting("decimals-sorted-as-texts", "FETCH-005", sentence: "Decimals are sorted as texts.") {
      ($0.value?.textValue ?? "").utf8.lexicographicallyPrecedes(($1.value?.textValue ?? "").utf8)
    },
    sorting("sorted-without-case", "FETCH-005", sentence: "Texts are sorted without case.") {
      guard let left = $0.value?.textValue, let right = $1.value?.textValue else { return false }
      return left.string.lowercased().isBelow(right.string.lowercased())
    },
    sorting("numbers-before-truths", "FETCH-005", sentence: "0 and 1 come before false and true.") {
      $0.value?.integerValue != nil && ($1.value == true || $1.value == false)
    },
  ]

  private static let sortRefusals: [Defect] = [
    excusing(
      "unknown-keys-sort-nothing", "FETCH-006", sentence: "A key that is unknown is left out."
    ) {
      operation, kind, store throws(HarnessError) in
      guard var fetch = operation.fetch, kind.what == "unknownKey", !fetch.sort.isEmpty else {
        return nil
      }
      fetch.sort = []
      return try store.ask(operation.store, .objects(.fetch(fetch)))
    },
    shrugging(
      "bytes-sorted", "FETCH-006", sentence: "What has no order is not found.", what: "wrongType"
    ) {
      fetch, _ in !fetch.sort.isEmpty
    },
  ]

  private static let pages: [Defect] = [
    fetching("cut-before-sorting", "FETCH-007", sentence: "A page is cut before it is sorted.") {
      if $0.limit != nil { $0.sort = [] }
    },
    fetching("no-limit-of-zero", "FETCH-007", sentence: "A limit of 0 means no limit.") {
      if $0.limit == 0 { $0.limit = nil }
    },
    fetching("offset-within-limit", "FETCH-007", sentence: "What is left out counts for the limit.")
    {
      if let offset = $0.offset, let limit = $0.limit { $0.limit = max(0, limit - offset) }
    },
    fetching("below-zero-is-none", "FETCH-008", sentence: "An offset or a limit below 0 is none.") {
      if let offset = $0.offset, offset < 0 { $0.offset = nil }
      if let limit = $0.limit, limit < 0 { $0.limit = nil }
    },
    fetching(
      "counts-beyond-pages", "FETCH-009", sentence: "Everything is counted, whatever the page."
    ) {
      guard $0.result == .count, $0.limit ?? 0 >= 0 else { return }
      ($0.offset, $0.limit) = (nil, nil)
    },
    fetching("counts-of-entities", "FETCH-009", sentence: "The objects of the entity are counted.")
    {
      if $0.result == .count { $0.predicate = nil }
    },
    fetching("ids-from-the-beginning", "FETCH-010", sentence: "Ids are told from the first one on.")
    {
      if $0.result == .ids { $0.offset = nil }
    },
  ]

  /// Changes objects that were fetched, each with the body of its document.
  private static func listing(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout JSONObject, JSONObject) -> Void
  ) -> Defect {
    answering(name, clause, sentence: sentence) { operation, result, store throws(HarnessError) in
      guard operation.fetch != nil, case .objects(let objects)? = result.objects else {
        return .ok(result)
      }
      var changed: [JSONValue] = []
      for object in objects {
        var object = object.objectValue ?? [:]
        let id = DocumentID(object["id"]?.textValue ?? "")
        change(&object, try store.body(operation.store, id))
        changed.append(.object(object))
      }
      return .ok(.objects(.objects(changed)))
    }
  }

  // MARK: Updates

  private static let updates: [Defect] = [
    updating("everything-updated", "FETCH-018", sentence: "An update is one of all objects.") {
      predicate, _ in predicate = "TRUEPREDICATE"
    },
    updating("null-sets-nothing", "FETCH-018", sentence: "null leaves a value as it is.") {
      _, values in
      let kept = values.objectValue?.members.filter { $0.value != .null } ?? []
      values = .object(JSONObject(kept.map { ($0.name, $0.value) }))
    },
    listing("updates-uncounted", "FETCH-018", sentence: "An update does not count.") { object, _ in
      object["version"] = 1
    },
    answering(
      "nothing-to-update", "FETCH-018", sentence: "There has to be something to be updated."
    ) {
      operation, result, _ in
      guard case .updateAll? = operation.action.objects, result.objects == .updated([]) else {
        return .ok(result)
      }
      return .error(DatastoreError(.notFound(.missing)))
    },
    refusing("updates-need-predicates", "FETCH-018", sentence: "An update says of what.") {
      operation, _ in
      guard case .updateAll(_, nil, _, _)? = operation.action.objects else { return nil }
      return .badRequest(path: "predicate")
    },
    excusing(
      "strange-values-left-out", "FETCH-019", sentence: "What the model has not is not updated."
    ) {
      operation, kind, _ in
      guard case .updateAll? = operation.action.objects, kind.what == "object" else { return nil }
      return .ok(.objects(.updated([])))
    },
    excusing(
      "large-values-left-out", "FETCH-019", sentence: "Values that are too large are left out."
    ) {
      operation, kind, store throws(HarnessError) in
      guard
        case .updateAll(let entity, let predicate, let arguments, let values)? = operation.action
          .objects, case .badObject("outOfRange", let name?) = kind,
        var kept = values.objectValue
      else { return nil }
      kept[name] = nil
      _ = try store.ask(
        operation.store,
        .objects(
          .updateAll(
            entity: entity, predicate: predicate, arguments: arguments, values: .object(kept))))
      return .error(DatastoreError(kind))
    },
    excusing(
      "nonsense-updates-nothing", "FETCH-019", sentence: "What makes no sense updates nothing."
    ) {
      operation, kind, _ in
      guard case .updateAll? = operation.action.objects,
        kind.what == "badFormat" || kind.what == "unknownKey"
      else { return nil }
      return .ok(.objects(.updated([])))
    },
  ]

  /// Updates other objects, or to other values.
  private static func updating(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout JSONString?, inout JSONValue) -> Void
  ) -> Defect {
    hearing(name, clause, sentence: sentence) { action in
      guard case .updateAll(let entity, var predicate, var arguments, var values) = action else {
        return action
      }
      change(&predicate, &values)
      if predicate == "TRUEPREDICATE" { arguments = [] }
      return .updateAll(
        entity: entity, predicate: predicate, arguments: arguments, values: values)
    }
  }

  // MARK: Warnings

  private static let warnings: [Defect] = [
    warning("warned-once", "FETCH-020", sentence: "Of each attribute is warned once.") { notes, _ in
      var seen: Set<JSONString> = []
      notes = notes.filter { seen.insert($0.path).inserted }
    }
  ]

  /// Changes what is warned of where predicates were asked for.
  private static func warning(
    _ name: String, _ clause: String, sentence: String,
    change: @escaping @Sendable (inout [PortabilityNote], [ObjectPredicate]) -> Void
  ) -> Defect {
    answering(name, clause, sentence: sentence) { operation, result, _ in
      guard case .describe(_, _, let predicates)? = operation.action.objects, !predicates.isEmpty,
        case .described(let model, var notes)? = result.objects
      else { return .ok(result) }
      change(&notes, predicates)
      return .ok(.objects(.described(objectModel: model, warnings: notes)))
    }
  }
}
