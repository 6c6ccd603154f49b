internal import Datastore
internal import Defects
internal import JSON
internal import ObjectOperations

// Mutants in queries of collections, and in saving and loading.

extension Defect {
  static let collections: [Defect] =
    collectionQueries + collectionSaves + collectionCaches + collectionQueues
    + collectionRelations + migrations

  private static let collectionQueries: [Defect] = [
    hearingQueries(
      "queries-keep-one-field", "COLL-001",
      sentence: "Only the last of several fields of a query is used."
    ) {
      steps in
      let last = steps.lastIndex { $0["field"] != nil }
      return steps.enumerated().filter { $1["field"] == nil || $0 == last }.map { $1 }
    },
    withOption(
      "second-conditions-replace", "COLL-002",
      sentence: "A second condition on a field replaces the first.",
      option: "replacesConditions", value: true),
    hearingQueries("denials-forgotten", "COLL-003", sentence: "Negations are ignored.") { steps in
      steps.filter { $0["negate"] == nil }
    },
    hearingQueries(
      "lists-in-lists-stay", "COLL-004", sentence: "A list in a list is a value of its own."
    ) {
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
    hearingQueries("null-is-a-value", "COLL-005", sentence: "Null never matches a missing value.") {
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
    hearingQueries(
      "last-key-first", "COLL-007", sentence: "The last of several sort keys is compared first."
    ) { steps in
      steps.filter { $0["sort"] == nil } + steps.filter { $0["sort"] != nil }.reversed()
    },
    withOption(
      "meaningless-is-everything", "COLL-008",
      sentence: "An unsupported conditional selects all entities.",
      option: "forgetsArrayConditions", value: true),
    hearingQueries(
      "expressions-anywhere", "COLL-009",
      sentence: "A regular expression need not begin with a circumflex."
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
      "joins-are-left-out", "COLL-010",
      sentence: "Conditions on fields of related objects are ignored."
    ) {
      steps in
      steps.filter { !($0["field"]?.textValue?.utf8.contains(UInt8(ascii: ".")) ?? false) }
    },
    hearingQueries("or-is-and", "COLL-011", sentence: "Queries joined by or must all hold.") {
      steps in
      steps.map { step in step["any"].map { ["all": $0] } ?? step }
    },
    hearingQueries("places-unchecked", "COLL-012", sentence: "Invalid places are ignored.") {
      steps in
      let ofPlaces: [JSONValue] = ["$nearSphere", "$maxDistance", "$box", "$polygon"]
      return steps.filter { step in
        guard let name = step["meets"]?.arrayValue?.first?.arrayValue?.first else { return true }
        return !ofPlaces.contains(name)
      }
    },
    tellingClients(
      "no-group-of-nothing", "COLL-013", sentence: "Entities without the field are in no group."
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
    mishearing(
      "saves-merge", "COLL-021", sentence: "A save keeps the fields that it does not contain."
    ) {
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
      "children-left-behind", "COLL-022",
      sentence: "New objects that an object refers to are not saved."
    ) {
      end in end["id"] == nil && end["values"] != nil ? nil : end
    },
    hearingSaves(
      "unknown-fields-lost", "COLL-023",
      sentence: "Fields without a mapped property are lost at a save."
    ) {
      $0.without("unknown")
    },
    withOption(
      "one-error-for-all", "COLL-024", sentence: "The error does not name the objects that failed.",
      option: "tellsOneError", value: true
    ),
    hearingClients(
      "empty-calls-ask", "COLL-025", sentence: "A save without objects saves an empty object."
    ) {
      call in
      if case .collection(let name, .save([])) = call { call = .collection(name, .save([[:]])) }
    },
    hearingOpenings(
      "ids-from-there-only", "COLL-026", sentence: "The backend assigns all ids."
    ) {
      $0.ids = nil
    },
    hearingRelations(
      "circles-cut", "COLL-027", sentence: "The reference that closes a cycle is dropped."
    ) {
      end in
      end.count == 1 && end["tag"] != nil ? nil : end
    },
    hearingRelations(
      "children-saved-anew", "COLL-028",
      sentence: "A save also saves referenced objects that already have an id."
    ) {
      end in
      end.without("id")
    },
    tellingErrors(
      "failed-parents-untold", "COLL-029",
      sentence: "An object that failed because of a referenced object is not reported."
    ) {
      _, error in error["reason"] == "relatedFailed" ? nil : error
    },
    tellingObjects(
      "loads-in-byte-order", "COLL-030", sentence: "Objects are loaded in byte order of their ids."
    ) {
      request, objects in
      guard case .load = request else { return objects }
      return objects.sorted { left, right in
        (left["id"]?.textValue ?? "").utf8.lexicographicallyPrecedes(
          (right["id"]?.textValue ?? "").utf8)
      }
    },
    tellingErrors(
      "missing-is-nothing", "COLL-031",
      sentence: "Loading an object by an unknown id returns an empty result."
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
    mishearing("rules-ignored", "COLL-032", sentence: "The backend does not check its rules.") {
      operation, _ in
      guard case .setRules(let collection, _)? = operation.action.collections else {
        return operation
      }
      return StoreOperation(operation.store, .collections(.setRules(collection: collection, [])))
    },
  ]
}
