package import Datastore
package import JSON
internal import ObjectMapping
package import Simulation

/// Random objects between calls and documents: encoded, decoded from documents that were changed a
/// little, validated, described, saved, migrated, and read as objects and as documents.
package struct StoredObjectWorkload: LayerWorkload {
  let stored: StoredModel
  package private(set) var opening: [JSONValue] = []
  /// The model of the open store, and whether it has its first form.
  var model: JSONValue
  /// The number of stores beside the store `a`.
  var storeCount = 0
  private var pullCount = 0
  /// The URIs that the reference chose.
  private var uris: [JSONString] = []

  package init(seed: UInt64) {
    var random = KeyedRandom(seed: seed, key: 0)
    stored = StoredModel(&random)
    model = stored.json
    var open: JSONObject = ["op": "openObjects", "store": "a", "model": stored.json]
    if random.chance(1, in: 3) { open["form"] = "released" }
    opening = [
      ["op": "open", "store": "a"],
      // Objects need an open store for objects.
      ["op": "loadObject", "store": "a", "id": "a"],
      ["op": "describeModel", "store": "a", "model": stored.json],
      .object(open),
    ]
  }

  package mutating func step(_ random: inout KeyedRandom) -> [JSONValue] {
    switch random.below(100) {
    case ..<14: [encoding(&random)]
    case ..<44: [decoding(&random)]
    case ..<52: [validation(&random)]
    case ..<58: [description(&random)]
    case ..<64: [coordination(&random)]
    case ..<72: metadata(&random)
    case ..<82: saving(&random)
    case ..<87: [arrival(&random)]
    case ..<91: opening(&random)
    default: reading(&random)
    }
  }

  package mutating func note(_ operation: StoreOperation, _ outcome: Outcome) {
    let json = operation.json.objectValue ?? [:]
    if json["op"] == "openObjects", json["store"] == "a", case .ok = outcome {
      model = json["model"] ?? model
    }
    guard uris.count < 8, case .ok(let result) = outcome, json["op"] == "loadObject",
      let uri = result.json.objectValue?["object"]?.objectValue?["identifier"]?.textValue
    else { return }
    uris.append(uri)
  }

  func operation(_ name: JSONString, _ members: [(JSONString, JSONValue)]) -> JSONValue {
    .object(JSONObject([("op", .string(name)), ("store", "a")] + members))
  }

  private func transformers(_ random: inout KeyedRandom) -> JSONValue {
    let types: [JSONValue] = ["text/x-k", "image/jpeg", .null]
    let known = StoredModel.transformers.filter { _ in random.chance(1, in: 2) }
    return .object(JSONObject(known.map { ($0, random.pick(types) ?? .null) }))
  }

  // MARK: Conversion

  private func encoding(_ random: inout KeyedRandom) -> JSONValue {
    var object = stored.object(&random)
    var form: JSONValue? = random.chance(1, in: 4) ? "released" : nil
    switch random.below(24) {
    case 0: form = "another"
    case 1...3: object["values"] = strange(object, &random)
    default: break
    }
    var members: [(JSONString, JSONValue)] = [("model", stored.json), ("object", .object(object))]
    if let form { members.append(("form", form)) }
    if random.chance(1, in: 2) { members.append(("transformers", transformers(&random))) }
    return operation("encodeObject", members)
  }

  /// The values of an object with one that the model does not accept.
  private func strange(_ object: JSONObject, _ random: inout KeyedRandom) -> JSONValue {
    var values = object["values"]?.objectValue ?? [:]
    let entity = object["entity"]?.textValue.flatMap { stored.model?[$0] }
    let attribute = random.pick(entity?.attributes.filter { !$0.isTransient } ?? [])
    guard let attribute, random.chance(4, in: 5) else {
      values["nope"] = 1
      return .object(values)
    }
    switch attribute.type {
    case .int16: values[attribute.name] = random.pick([32768, -32769, "1", 1.5])
    case .int32: values[attribute.name] = random.pick([2_147_483_648, -2_147_483_649, "1"])
    case .utf8, .id, .xform, .binary: values[attribute.name] = 1
    case .decimal: values[attribute.name] = random.pick([1, "x", "1e400"])
    default: values[attribute.name] = "1"
    }
    return .object(values)
  }

  private func decoding(_ random: inout KeyedRandom) -> JSONValue {
    let object = stored.object(&random)
    guard let model = stored.model,
      var document = StoredDocument(object, model, isReleased: random.chance(1, in: 4))
    else { return encoding(&random) }
    let isChanged = random.chance(9, in: 10)
    if isChanged { document.change(&random) }
    var members: [(JSONString, JSONValue)] = [
      ("model", stored.json), ("id", object["id"] ?? "a"), ("body", .object(document.body)),
    ]
    if let attachments = document.attachments { members.append(("attachments", attachments)) }
    if random.chance(1, in: 3) {
      members.append(("trustsNumbers", .bool(random.chance(3, in: 4))))
    }
    if random.chance(1, in: 3) { members.append(("transformers", transformers(&random))) }
    // The value of a document that cannot be decoded would be a second error.
    let attribute = random.pick(document.entity.attributes.filter { $0.type == .xform })
    if let attribute, document.isReadable {
      members.append(("value", .string(attribute.name)))
    }
    return operation("decodeObject", members)
  }

  private func validation(_ random: inout KeyedRandom) -> JSONValue {
    operation(
      "validateObject",
      [("model", stored.json), ("object", .object(stored.object(&random, isSaved: false)))])
  }

  private func description(_ random: inout KeyedRandom) -> JSONValue {
    let json = random.chance(1, in: 3) ? stored.changed(&random) : stored.spoiled(&random)
    return operation(
      "describeModel", [("model", json), ("transformers", transformers(&random))])
  }

  // MARK: The store

  private func saving(_ random: inout KeyedRandom) -> [JSONValue] {
    let ids = StoredModel.ids
    switch random.below(10) {
    case 0: return [operation("saveObjects", [("deleted", [.string(random.pick(ids) ?? "a")])])]
    case 1: return [operation("saveObjects", [("deleted", ["CDTISMetaData"])])]
    case ..<5:
      var object = stored.object(&random, isSaved: false)
      if random.chance(1, in: 4) { object["identifier"] = "x-o://s/E/p7" }
      if let values = object["values"]?.objectValue {
        object["values"] = .object(
          JSONObject(
            values.members.filter { _ in random.chance(1, in: 2) }
              .map { ($0.name, random.chance(1, in: 3) ? .null : $0.value) }))
      }
      let id = object["id"] ?? "a"
      return [
        operation("saveObjects", [("updated", [.object(object)])]),
        operation("read", [("id", id)]),
      ]
    default:
      // One error at most: an object that exists, or one that cannot be encoded.
      var inserted: [JSONValue] = []
      let fresh = ids.map { JSONString("\($0)-\(random.below(4))") }
      let wrong = random.chance(1, in: 3) ? random.below(3) : -1
      for (place, id) in fresh.prefix(1 + random.below(4)).enumerated() {
        var object = stored.object(&random, id: id, isSaved: false)
        if place == wrong { object["values"] = strange(object, &random) }
        inserted.append(.object(object))
      }
      return [
        operation("saveObjects", [("inserted", .array(inserted))]), operation("list", []),
        operation("read", [("id", .string(fresh[0]))]),
        operation(
          "readAttachment", [("id", .string(fresh[0])), ("name", .string(contentName(&random)))]),
      ]
    }
  }

  /// The name of an attribute whose value may be in an attachment.
  private func contentName(_ random: inout KeyedRandom) -> JSONString {
    let attributes = (stored.model?.entities ?? []).flatMap { $0.attributes }
    return random.pick(attributes.filter { $0.type == .binary || $0.type == .xform })?.name ?? "z"
  }

  /// The arrival of a document of an object, of one that is wrong, or of another document.
  private mutating func arrival(_ random: inout KeyedRandom) -> JSONValue {
    pullCount += 1
    let object = stored.object(&random, isSaved: random.chance(1, in: 2))
    var body: JSONObject = ["own": 1]
    if random.chance(7, in: 8), let model = stored.model,
      var document = StoredDocument(object, model, isReleased: false)
    {
      if random.chance(1, in: 3) { document.change(&random) }
      body = document.body
      if random.chance(1, in: 3) { body["own"] = ["a": 1] }
    }
    // A generation between those of two arrivals is one that the implementation made.
    let path: JSONValue = [.text("\((pullCount + 1) * 64)-p")]
    let record: JSONValue = ["id": object["id"] ?? "a", "path": path, "body": .object(body)]
    return operation("insertRevisions", [("records", [record])])
  }

  private mutating func opening(_ random: inout KeyedRandom) -> [JSONValue] {
    var steps: [JSONValue] = []
    if random.chance(1, in: 2) {
      steps = [operation("close", []), operation("open", [])]
      if random.chance(1, in: 3) { steps.append(operation("loadObject", [("id", "a")])) }
    }
    var members: [(JSONString, JSONValue)] = []
    let json = random.chance(1, in: 2) ? stored.json : stored.changed(&random)
    members.append(("model", json))
    if random.chance(1, in: 2) { members.append(("migrates", .bool(random.chance(4, in: 5)))) }
    if random.chance(1, in: 4) { members.append(("form", "released")) }
    steps.append(operation("describeModel", [("model", json)]))
    steps.append(operation("openObjects", members))
    steps.append(operation("read", [("id", "CDTISMetaData")]))
    return steps + objects
  }

  private func reading(_ random: inout KeyedRandom) -> [JSONValue] {
    let id = JSONValue.string(random.pick(StoredModel.ids) ?? "a")
    switch random.below(8) {
    case 0:
      let entity: JSONValue = random.pick(["E0", "E1", "None"]) ?? "E0"
      return [operation("listObjects", [("entity", entity)])]
    case 1: return [operation("checkObjects", [])]
    case 2: return [operation("changes", [])]
    case 5:
      // In the form of the released versions, bytes are in attachments.
      let name = JSONValue.string(contentName(&random))
      return [operation("readAttachment", [("id", id), ("name", name)])]
    case 3, 4:
      if let uri = random.pick(uris), random.chance(3, in: 4) {
        return [operation("loadObject", [("identifier", .string(uri))])]
      }
      let uris: [JSONValue] = ["x-o://s/E/p1", "x-o://other/E/p9", "u", "", "nothing"]
      return [operation("loadObject", [("identifier", random.pick(uris) ?? "u")])]
    default:
      // An object without a URI has the same one at each reading, and its document has none.
      return [
        operation("loadObject", [("id", id)]), operation("loadObject", [("id", id)]),
        operation("read", [("id", id)]),
      ]
    }
  }

  private var objects: [JSONValue] {
    ["E0", "E1"].map { operation("listObjects", [("entity", $0)]) } + [
      operation("checkObjects", [])
    ]
  }

  package var closing: [JSONValue] {
    StoredModel.ids.map { operation("loadObject", [("id", .string($0))]) } + objects
      + [operation("list", [])]
  }
}
