package import Datastore
package import JSON
package import Simulation

/// Random operations of one or two clients on two collections of a backend.
///
/// Ids that an implementation makes have no defined order. So a sequence either gives all ids, or
/// its objects have unique names and all its queries are sorted by them.
package struct CollectionLayerWorkload: LayerWorkload {
  let clients: [JSONString]
  /// Whether implementations make ids.
  let makesIDs: Bool
  package private(set) var opening: [JSONValue] = []
  /// The ids that the reference made, by client and collection.
  private var made: [Place: [JSONString]] = [:]
  private var nameCount = 0

  /// A collection of a client.
  struct Place: Hashable {
    var client: JSONString
    var collection: JSONString

    /// Another collection of the client.
    func with(_ collection: JSONString) -> Place { Place(client: client, collection: collection) }
  }

  static let collections: [JSONString] = ["I", "R"]
  static let ids: [JSONString] = ["p", "q", "r", "s", "t"]
  static let values: [JSONValue] = [
    "salt", "beef", 1, 2, 3, 1.5, true, false, .null, "cup", ["x", 7], ["a": 1], "9", [], -1, [:],
  ]
  static let states: [JSONValue] = [
    "up", "up", "up", "down", "unknown", "timedOut", "cannotFindHost", "cannotConnect",
    "connectionLost", "cannotResolveHost", "notConnected", ["status": 500],
    ["status": 503, "error": "Down"], ["status": 404], ["status": 400, "error": "E"],
  ]
  /// States in which a request of the client may be performed twice.
  static let losses: [JSONValue] = [["lost": "timedOut"], ["lost": "connectionLost"]]
  static let policies: [JSONValue] = ["none", "localOnly", "localFirst", "networkFirst", "both"]

  package init(seed: UInt64) {
    var random = KeyedRandom(seed: seed, key: 0)
    clients = random.chance(1, in: 3) ? ["c", "d"] : ["c"]
    makesIDs = random.chance(1, in: 3)
    opening = [["op": "open", "store": "a"]]
    for client in clients {
      for collection in Self.collections {
        opening.append(open(Place(client: client, collection: collection), &random))
      }
    }
    for _ in 0..<random.below(6) {
      let collection = random.pick(Self.collections) ?? "I"
      guard let id = random.pick(Self.ids) else { continue }
      opening.append(
        Self.document(
          JSONString("\(collection)/\(id)"),
          ["collection": .string(collection), "entity": entity(id: id, in: collection, &random)]))
    }
  }

  /// The arrival of a document, whose revision no implementation chooses.
  static func document(_ id: JSONString, _ body: JSONValue) -> JSONValue {
    [
      "op": "insertRevisions", "store": "a",
      "records": [["id": .string(id), "path": ["1-a"], "body": body]],
    ]
  }

  /// The reading of the document of an entity.
  static func reading(of id: JSONString, in collection: JSONString) -> JSONValue {
    ["op": "read", "store": "a", "id": .string(JSONString("\(collection)/\(id)"))]
  }

  private mutating func entity(
    id: JSONString, in collection: JSONString, _ random: inout KeyedRandom
  ) -> JSONValue {
    var entity: JSONObject = ["_id": .string(id)]
    for field: JSONString in ["name", "q"] where random.chance(2, in: 3) {
      entity[field] = value(&random)
    }
    if collection == "R", random.chance(4, in: 5) {
      entity["ing"] = .array(
        (0..<random.below(4)).map { _ in .string(random.pick(Self.ids) ?? "p") })
    }
    if makesIDs { entity["name"] = newName() }
    return .object(entity)
  }

  mutating func newName() -> JSONValue {
    nameCount += 1
    return .string(JSONString("n\(1000 + nameCount)"))
  }

  func value(_ random: inout KeyedRandom) -> JSONValue { random.pick(Self.values) ?? .null }

  /// The id of an object that may exist.
  func id(
    _ place: Place, _ random: inout KeyedRandom
  ) -> JSONValue {
    let known = made[place] ?? []
    if random.chance(1, in: 3), let id = random.pick(Array(known.suffix(6))) {
      return .string(id)
    }
    return .string(random.pick(Self.ids) ?? "p")
  }

  /// An operation of a client on a collection.
  static func operation(
    _ name: JSONString, _ place: Place, arguments: JSONObject = [:]
  ) -> JSONValue {
    var arguments = arguments
    arguments["collection"] = .string(place.collection)
    return operation(name, of: place.client, arguments: arguments)
  }

  /// An operation of a client on none of its collections.
  static func operation(
    _ name: JSONString, of client: JSONString, arguments: JSONObject = [:]
  ) -> JSONValue {
    var operation: JSONObject = ["op": .string(name), "store": "a", "client": .string(client)]
    for member in arguments.members { operation[member.name] = member.value }
    return .object(operation)
  }

  // MARK: Opening

  private func open(
    _ place: Place, _ random: inout KeyedRandom
  ) -> JSONValue {
    var arguments: JSONObject = [
      "mapping": ["objId": "_id", "name": "name", "q": "q"]
    ]
    if place.collection == "R" {
      arguments["mapping"] = ["objId": "_id", "name": "name", "parts": "ing", "base": "base"]
      let base = random.pick(Self.collections) ?? "I"
      arguments["references"] = [
        "parts": reference("I", isToMany: true, &random),
        "base": reference(base, isToMany: false, &random),
      ]
    }
    if random.chance(1, in: 3) { arguments["defaults"] = ["name": value(&random)] }
    if random.chance(2, in: 3) { arguments["policy"] = random.pick(Self.policies) }
    if random.chance(3, in: 5) { arguments["offline"] = true }
    if !makesIDs || random.chance(1, in: 2) { arguments["ids"] = "client" }
    let options = options(&random)
    if !options.isEmpty { arguments["options"] = .object(options) }
    return Self.operation("openCollection", place, arguments: arguments)
  }

  private func reference(
    _ collection: JSONString, isToMany: Bool, _ random: inout KeyedRandom
  ) -> JSONValue {
    var reference: JSONObject = ["collection": .string(collection)]
    if isToMany {
      reference["toMany"] = true
      reference["relation"] = "ingredients"
    }
    if random.chance(1, in: 3) { reference["computed"] = true }
    if random.chance(1, in: 3) { reference["cascades"] = true }
    if random.chance(1, in: 4) { reference["form"] = "kinveyRef" }
    return .object(reference)
  }

  private func options(_ random: inout KeyedRandom) -> JSONObject {
    var options: JSONObject = [:]
    let flags: [JSONString] = [
      "keepsStoredIDs", "loadsChangesOnly", "tellsOneError", "evictsOnError",
    ]
    for flag in flags where random.chance(1, in: 8) { options[flag] = true }
    if random.chance(1, in: 5) { options["removalBatch"] = .integer(Int64(1 + random.below(2))) }
    let decisions: [JSONValue] = [
      ["operations": ["save"]], ["operations": ["remove"]], ["ids": ["p", "q"]],
      ["operations": ["save"], "ids": ["p"]],
    ]
    for name: JSONString in ["declinesQueueing", "declinesSending"] where random.chance(1, in: 10) {
      options[name] = random.pick(decisions)
    }
    return options
  }

  // MARK: Steps

  package mutating func step(_ random: inout KeyedRandom) -> [JSONValue] {
    let client = random.pick(clients) ?? "c"
    let place = Place(client: client, collection: random.pick(Self.collections) ?? "I")
    switch random.below(100) {
    case ..<16: return [network(client, &random)]
    case ..<40: return [save(place, &random)]
    case ..<50: return [load(place, &random)]
    case ..<70: return [query(place, &random)]
    case ..<73:
      let steps = querySteps(place, &random)
      return [Self.operation("countInCollection", place, arguments: ["query": .array(steps)])]
    case ..<78 where !makesIDs: return [group(place, &random)]
    case ..<90: return [remove(place, &random)]
    case ..<94: return [Self.operation("drainQueue", of: client)]
    case ..<97: return [Self.operation("inspectClient", of: client)]
    case ..<98: return [open(place, &random)]
    case ..<99: return [rules(place.collection, &random)]
    default: return [Self.operation("crashClient", of: client)]
    }
  }

  private func network(_ client: JSONString, _ random: inout KeyedRandom) -> JSONValue {
    // Two objects with one name would have no order.
    let states = makesIDs ? Self.states : Self.states + Self.losses
    var arguments: JSONObject = ["state": random.pick(states) ?? "up"]
    if random.chance(1, in: 2) {
      arguments["next"] = .array((0...random.below(3)).map { _ in random.pick(states) ?? "up" })
    }
    return Self.operation("setNetwork", of: client, arguments: arguments)
  }

  private func rules(_ collection: JSONString, _ random: inout KeyedRandom) -> JSONValue {
    let rules: [JSONValue] = [
      [], [["field": "name", "required": true]],
      [["field": "q", "type": "integer", "minimum": 1]],
      [["field": "name", "type": "string", "pattern": "[a-z]+"]],
    ]
    return [
      "op": "setBackendRules", "store": "a", "collection": .string(collection),
      "rules": random.pick(rules) ?? [],
    ]
  }

  // MARK: Made ids

  package mutating func note(_ operation: StoreOperation, _ outcome: Outcome) {
    guard case .ok = outcome, let result = outcome.json.objectValue?["ok"]?.objectValue,
      let client = operation.json.objectValue?["client"]?.textValue
    else { return }
    for event in result["queue"]?.arrayValue ?? [] {
      note(event.objectValue?["id"], of: client, in: event.objectValue?["collection"])
      note(event.objectValue?["assigned"], of: client, in: event.objectValue?["collection"])
    }
    let collection = operation.json.objectValue?["collection"]
    for callback in result["callbacks"]?.arrayValue ?? [] {
      for object in callback.objectValue?["objects"]?.arrayValue ?? [] {
        note(object.objectValue?["id"], of: client, in: collection)
      }
    }
  }

  private mutating func note(_ id: JSONValue?, of client: JSONString, in collection: JSONValue?) {
    guard let id = id?.textValue, id.isMadeByCollections, let collection = collection?.textValue
    else { return }
    let place = Place(client: client, collection: collection)
    if !made[place, default: []].contains(id) { made[place, default: []].append(id) }
  }

  package var closing: [JSONValue] {
    var closing: [JSONValue] = []
    for client in clients {
      closing.append(Self.operation("setNetwork", of: client, arguments: ["state": "up"]))
      closing.append(Self.operation("drainQueue", of: client))
      closing.append(Self.operation("inspectClient", of: client))
      for collection in Self.collections {
        let place = Place(client: client, collection: collection)
        closing.append(
          Self.operation("countInCollection", place, arguments: ["query": []]))
        closing.append(
          Self.operation(
            "loadFromCollection", place,
            arguments: ["ids": .array(Self.ids.map { .string($0) }), "policy": "none"]))
      }
    }
    for collection in Self.collections {
      closing += Self.ids.map { Self.reading(of: $0, in: collection) }
    }
    return closing
  }
}

extension JSONString {
  /// Whether it has the form of an id that clients and backends of collections make.
  var isMadeByCollections: Bool {
    let digits =
      string.utf8.starts(with: "temp_".utf8) ? string.utf8.dropFirst(5) : string.utf8[...]
    return digits.count == 24
      && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
