internal import Datastore
internal import Defects
internal import JSON
internal import ObjectMapping
internal import ObjectOperations

// Mutants in fetching objects: results, order and pages.

extension Defect {
  static let fetches: [Defect] =
    fetchedObjects + sorted + sortRefusals + pages + fetchedGroups + groupRefusals + updates
    + warnings

  private static let fetchedObjects: [Defect] = [
    listing("objects-without-uris", "FETCH-001", sentence: "Fetched objects have no URIs.") {
      object, _ in
      object["identifier"] = nil
    },
    listing(
      "empty-lists-missing", "FETCH-001", sentence: "Fetched objects lack empty relationships."
    ) {
      object, _ in
      let values = object["values"]?.objectValue?.members.filter { $0.value != [] } ?? []
      object["values"] = .object(JSONObject(values.map { ($0.name, $0.value) }))
    },
    listing(
      "contents-not-fetched", "FETCH-001", sentence: "Content stored in attachments is not fetched."
    ) {
      object, body in
      let values = object["values"]?.objectValue?.members ?? []
      object["values"] = .object(
        JSONObject(
          values.filter { body[$0.name] != .string($0.name) }.map { ($0.name, $0.value) }))
    },
    identified(
      "strangers-fetched", "FETCH-001", sentence: "A fetch returns documents that are not objects."
    ) {
      ids, fetch, name, store throws(HarnessError) in
      guard fetch.predicate == nil else { return ids }
      var ids = ids
      for row in try store.feed(name) where !row.deleted && row.id != metadata {
        if try store.body(name, row.id)["CDTISEntityName"] == nil { ids.append(row.id) }
      }
      return ids
    },
    remembering(
      "fetches-remembered", "FETCH-002", sentence: "A fetch returns an outdated cached result.",
      answer: { operation, outcome, _, memory in
        guard operation.fetch != nil, case .ok = outcome else { return outcome }
        let answer = memory.answers[operation] ?? outcome
        memory.answers[operation] = answer
        return answer
      }),
    shrugging(
      "no-such-entity-no-objects", "FETCH-003",
      sentence: "A fetch of an unknown entity returns an empty result.",
      what: "unknownEntity"),
  ]

  private static let sorted: [Defect] = [
    fetching(
      "first-sort-key-only", "FETCH-004",
      sentence: "Only the first of several sort keys is used for objects."
    ) {
      $0.sort = Array($0.sort.prefix(1))
    },
    fetching("texts-upwards-only", "FETCH-004", sentence: "Sort keys are always ascending.") {
      $0.sort = $0.sort.map { SortKey($0.path) }
    },
    identified(
      "equals-downwards", "FETCH-004",
      sentence: "Objects with equal keys are ordered by descending id."
    ) {
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
    sorting("nil-comes-last", "FETCH-005", sentence: "Nil is sorted last.") {
      !$0.isNil && $1.isNil
    },
    sorting("null-behind-nothing", "FETCH-005", sentence: "Null is sorted after a missing value.") {
      $0.value == nil && $1.value == .null
    },
    sorting("nan-comes-last", "FETCH-005", sentence: "NaN is sorted after all numbers.") {
      !$0.isNaN && $1.isNaN
    },
    sorting("decimals-sorted-as-texts", "FETCH-005", sentence: "Decimals are sorted as texts.") {
      ($0.value?.textValue ?? "").utf8.lexicographicallyPrecedes(($1.value?.textValue ?? "").utf8)
    },
    sorting("sorted-without-case", "FETCH-005", sentence: "Texts are sorted without case.") {
      guard let left = $0.value?.textValue, let right = $1.value?.textValue else { return false }
      return left.string.lowercased().isBelow(right.string.lowercased())
    },
    sorting(
      "numbers-before-truths", "FETCH-005", sentence: "0 and 1 are sorted before false and true."
    ) {
      $0.value?.integerValue != nil && ($1.value == true || $1.value == false)
    },
  ]

  private static let sortRefusals: [Defect] = [
    excusing(
      "unknown-keys-sort-nothing", "FETCH-006", sentence: "Unknown sort keys are ignored."
    ) {
      operation, kind, store throws(HarnessError) in
      guard var fetch = operation.fetch, kind.what == "unknownKey", !fetch.sort.isEmpty else {
        return nil
      }
      fetch.sort = []
      return try store.ask(operation.store, .objects(.fetch(fetch)))
    },
    shrugging(
      "bytes-sorted", "FETCH-006", sentence: "Sorting by bytes returns an empty result.",
      what: "wrongType"
    ) {
      fetch, _ in !fetch.sort.isEmpty
    },
  ]

  private static let pages: [Defect] = [
    fetching(
      "cut-before-sorting", "FETCH-007", sentence: "Offset and limit are applied before the sort."
    ) {
      if $0.limit != nil { $0.sort = [] }
    },
    fetching("no-limit-of-zero", "FETCH-007", sentence: "A limit of 0 in a fetch means no limit.") {
      if $0.limit == 0 { $0.limit = nil }
    },
    fetching(
      "offset-within-limit", "FETCH-007",
      sentence: "Objects skipped by the offset count towards the limit."
    ) {
      if let offset = $0.offset, let limit = $0.limit { $0.limit = max(0, limit - offset) }
    },
    fetching("below-zero-is-none", "FETCH-008", sentence: "A negative offset or limit is ignored.")
    {
      if let offset = $0.offset, offset < 0 { $0.offset = nil }
      if let limit = $0.limit, limit < 0 { $0.limit = nil }
    },
    fetching(
      "counts-beyond-pages", "FETCH-009", sentence: "`count` ignores offset and limit."
    ) {
      guard $0.result == .count, $0.limit ?? 0 >= 0 else { return }
      ($0.offset, $0.limit) = (nil, nil)
    },
    fetching(
      "counts-of-entities", "FETCH-009", sentence: "`count` counts all objects of the entity."
    ) {
      if $0.result == .count { $0.predicate = nil }
    },
    fetching("ids-from-the-beginning", "FETCH-010", sentence: "A fetch of ids ignores the offset.")
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
    updating(
      "everything-updated", "FETCH-018", sentence: "An update changes all objects of the entity."
    ) {
      predicate, _ in predicate = "TRUEPREDICATE"
    },
    updating(
      "null-sets-nothing", "FETCH-018", sentence: "An update to null leaves the value unchanged."
    ) {
      _, values in
      let kept = values.objectValue?.members.filter { $0.value != .null } ?? []
      values = .object(JSONObject(kept.map { ($0.name, $0.value) }))
    },
    listing(
      "updates-uncounted", "FETCH-018", sentence: "An update does not increment the versions."
    ) { object, _ in
      object["version"] = 1
    },
    answering(
      "nothing-to-update", "FETCH-018", sentence: "An update without matching objects is an error."
    ) {
      operation, result, _ in
      guard case .updateAll? = operation.action.objects, result.objects == .updated([]) else {
        return .ok(result)
      }
      return .error(DatastoreError(.notFound(.missing)))
    },
    refusing(
      "updates-need-predicates", "FETCH-018", sentence: "An update without a predicate is refused."
    ) {
      operation, _ in
      guard case .updateAll(_, nil, _, _)? = operation.action.objects else { return nil }
      return .badRequest(path: "predicate")
    },
    excusing(
      "strange-values-left-out", "FETCH-019",
      sentence: "An update ignores properties that the model does not have."
    ) {
      operation, kind, _ in
      guard case .updateAll? = operation.action.objects, kind.what == "object" else { return nil }
      return .ok(.objects(.updated([])))
    },
    excusing(
      "large-values-left-out", "FETCH-019",
      sentence: "An update ignores values that are out of range."
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
      "nonsense-updates-nothing", "FETCH-019",
      sentence: "An update with an invalid predicate changes nothing and is ok."
    ) {
      operation, kind, _ in
      guard case .updateAll? = operation.action.objects,
        kind.what == "badFormat" || kind.what == "unknownKey"
      else { return nil }
      return .ok(.objects(.updated([])))
    },
  ]

  /// Updates other objects, or sets other values.
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
    warning("warned-once", "FETCH-020", sentence: "There is only one warning for each attribute.") {
      notes, _ in
      var seen: Set<JSONString> = []
      notes = notes.filter { seen.insert($0.path).inserted }
    }
  ]

  /// Changes the warnings about predicates.
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
