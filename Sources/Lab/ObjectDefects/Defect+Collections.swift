internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants with queries of collections, and with saving and loading.

extension Defect {
  static let collections: [Defect] =
    collectionQueries + collectionSaves + collectionCaches + collectionQueues
    + collectionRelations + migrations

  private static let collectionQueries: [Defect] = [
    hearingQueries(
      "queries-keep-one-field", "COLL-001", sentence: "Of several fields only the last counts."
    ) {
      steps in
      let last = steps.lastIndex { $0["field"] != nil }
      return steps.enumerated().filter { $1["field"] == nil || $0 == last }.map { $1 }
    },
    withOption(
      "second-conditions-replace", "COLL-002",
      sentence: "A second condition on a field replaces the first.",
      option: "replacesConditions", value: true),
    hearingQueries("denials-forgotten", "COLL-003", sentence: "Nothing is denied.") { steps in
      steps.filter { $0["negate"] == nil }
    },
    hearingQueries("lists-in-lists-stay", "COLL-004", sentence: "A list in a list is a value.") {
      steps in
      steps.map { step in
        guard let pair = step["meets"]?.arrayValue?.first?.arrayValue, pair.count == 2,
          let outer = pair[1].arrayValue, outer.count == 1, case .array = outer[0]
        else { return step }
        var step = step
        step["meets"] = [[pair[0], .array(outer + [[]])]]
        return step
      }
    },
    hearingQueries("null-is-a-value", "COLL-005", sentence: "Null never stands for no value.") {
      steps in
      steps.map { step in
        guard let field = step["withoutOrNull"] else { return step }
        return ["field": field, "is": .null]
      }
    },
    hearingQueries("kinds-in-one-order", "COLL-006", sentence: "Numbers are less than texts.") {
      steps in
      steps.map { step in
        guard let field = step["field"], let pair = step["meets"]?.arrayValue?.first?.arrayValue,
          pair.first == "$lt", case .string? = pair.last
        else { return step }
        return ["any": [[.object(step)], [["field": field, "meets": [["$lt", 1e300]]]]]]
      }
    },
    hearingQueries("last-key-first", "COLL-007", sentence: "Of several keys the last counts most.")
    { steps in
      steps.filter { $0["sort"] == nil } + steps.filter { $0["sort"] != nil }.reversed()
    },
    withOption(
      "meaningless-is-everything", "COLL-008",
      sentence: "A conditional without meaning asks for everything.",
      option: "forgetsArrayConditions", value: true),
    hearingQueries(
      "expressions-anywhere", "COLL-009", sentence: "An expression may begin with anything."
    ) {
      steps in
      steps.map { step in
        guard let pair = step["meets"]?.arrayValue?.first?.arrayValue, pair.first == "$regex",
          let pattern = pair.last?.textValue, pattern.utf8.first != UInt8(ascii: "^")
        else { return step }
        var step = step
        step["meets"] = [["$regex", .text("^.*\(pattern)")]]
        return step
      }
    },
    hearingQueries(
      "joins-are-left-out", "COLL-010", sentence: "Fields of related objects do not count."
    ) {
      steps in
      steps.filter { !($0["field"]?.textValue?.utf8.contains(UInt8(ascii: ".")) ?? false) }
    },
    hearingQueries("or-is-and", "COLL-011", sentence: "Joined queries all have to hold.") { steps in
      steps.map { step in step["any"].map { ["all": $0] } ?? step }
    },
    hearingQueries("places-unchecked", "COLL-012", sentence: "A place that is none does not count.")
    {
      steps in
      let ofPlaces: [JSONValue] = ["$nearSphere", "$maxDistance", "$box", "$polygon"]
      return steps.filter { step in
        guard let name = step["meets"]?.arrayValue?.first?.arrayValue?.first else { return true }
        return !ofPlaces.contains(name)
      }
    },
    tellingClients(
      "no-group-of-nothing", "COLL-013", sentence: "What misses a field is in no group."
    ) {
      _, report in
      report.callbacks = report.callbacks.map { callback in
        callback.changing("groups") { groups in
          .array(
            groups.arrayValue?.filter { group in
              group.objectValue?.members.allSatisfy { $0.value != .null } ?? true
            } ?? [])
        }
      }
    },
  ]

  private static let collectionSaves: [Defect] = [
    tellingObjects("ids-stay-there", "COLL-020", sentence: "A saved object does not get its id.") {
      request, objects in
      if case .save = request { objects.map { $0.without("id") } } else { objects }
    },
    mishearing("saves-merge", "COLL-021", sentence: "A save leaves alone what it does not bring.") {
      operation, store throws(HarnessError) in
      guard
        case .client(let client, .collection(let name, .save(let objects)))? = operation.action
          .collections
      else { return operation }
      var merged: [JSONValue] = []
      for json in objects {
        guard var object = json.objectValue, let id = object["id"]?.textValue,
          case .ok(.document(let document)) = try store.ask(
            operation.store, .read(id: DocumentID(JSONString("\(name)/\(id)")))),
          let entity = document.body.objectValue?["entity"]?.objectValue
        else {
          merged.append(json)
          continue
        }
        object["unknown"] = .object(entity.without("_id"))
        merged.append(.object(object))
      }
      return StoreOperation(
        operation.store, .collections(.client(client, .collection(name, .save(merged)))))
    },
    hearingRelations(
      "children-left-behind", "COLL-022", sentence: "New objects behind an object are left."
    ) {
      end in end["id"] == nil && end["values"] != nil ? nil : end
    },
    hearingSaves(
      "unknown-fields-lost", "COLL-023", sentence: "Fields that are not known are not saved."
    ) {
      $0.without("unknown")
    },
    withOption(
      "one-error-for-all", "COLL-024", sentence: "Nobody is told which objects failed.",
      option: "tellsOneError", value: true
    ),
    hearingClients(
      "empty-calls-ask", "COLL-025", sentence: "A save of nothing saves an empty object."
    ) {
      call in
      if case .collection(let name, .save([])) = call { call = .collection(name, .save([[:]])) }
    },
    hearingOpenings(
      "ids-from-there-only", "COLL-026", sentence: "Ids always come from the backend."
    ) {
      $0.ids = nil
    },
    hearingRelations("circles-cut", "COLL-027", sentence: "What closes a circle is left out.") {
      end in
      end.count == 1 && end["tag"] != nil ? nil : end
    },
    hearingRelations(
      "children-saved-anew", "COLL-028", sentence: "Known objects are saved by the way."
    ) {
      end in
      end.without("id")
    },
    tellingErrors(
      "failed-parents-untold", "COLL-029", sentence: "A parent that failed is not told of."
    ) {
      _, error in error["reason"] == "relatedFailed" ? nil : error
    },
    tellingObjects(
      "loads-in-byte-order", "COLL-030", sentence: "Objects are loaded in the order of ids."
    ) {
      request, objects in
      guard case .load = request else { return objects }
      return objects.sorted { left, right in
        (left["id"]?.textValue ?? "").utf8.lexicographicallyPrecedes(
          (right["id"]?.textValue ?? "").utf8)
      }
    },
    tellingErrors(
      "missing-is-nothing", "COLL-031", sentence: "An object that is not there is no object."
    ) {
      request, error in
      if case .load = request, error["code"] == 404 { nil } else { error }
    },
    hearingOpenings("references-are-ids", "COLL-033", sentence: "All references are stored as ids.")
    {
      opening in
      guard let references = opening.references?.objectValue else { return }
      opening.references = .object(
        JSONObject(
          references.members.map { member in
            (member.name, member.value.objectValue.map { .object($0.without("form")) } ?? .null)
          }))
    },
    mishearing("rules-ignored", "COLL-032", sentence: "The backend has no rules.") { operation, _ in
      guard case .setRules(let collection, _)? = operation.action.collections else {
        return operation
      }
      return StoreOperation(operation.store, .collections(.setRules(collection: collection, [])))
    },
  ]
}
