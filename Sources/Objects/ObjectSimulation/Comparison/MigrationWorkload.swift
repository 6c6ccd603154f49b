package import JSON
package import Simulation

/// Random migrations of objects of two stores to collections, with changes, faults and crashes
/// between their steps.
package struct MigrationWorkload: LayerWorkload {
  private let keepsIDs: Bool
  package private(set) var opening: [JSONValue] = []
  /// The objects of each store.
  private var saved: [JSONString: Set<JSONString>] = [:]
  private var last: JSONObject?

  private static let entities: [(name: JSONString, ids: [JSONString])] = [
    ("Recipe", ["ra", "rb", "rc"]), ("Ingredient", ["ia", "ib", "ic", "id"]),
  ]
  private static let states = CollectionLayerWorkload.states + CollectionLayerWorkload.losses
  private static let model: JSONValue = [
    "entities": [
      "Recipe": [
        "attributes": ["name": ["type": "utf8"], "n": ["type": "int32"]],
        "relationships": [
          "ingredients": ["destination": "Ingredient", "inverse": "recipe", "many": true],
          "next": ["destination": "Recipe", "inverse": "previous"],
          "previous": ["destination": "Recipe", "inverse": "next"],
        ],
      ],
      "Ingredient": [
        "attributes": ["name": ["type": "utf8"], "q": ["type": "double"]],
        "relationships": ["recipe": ["destination": "Recipe", "inverse": "ingredients"]],
      ],
    ]
  ]

  private static func place(_ entity: JSONString) -> CollectionLayerWorkload.Place {
    CollectionLayerWorkload.Place(client: "c", collection: entity)
  }

  package init(seed: UInt64) {
    var random = KeyedRandom(seed: seed, key: 0)
    keepsIDs = random.chance(3, in: 5)
    opening = [["op": "open", "store": "a"]]
    for store: JSONString in ["l", "m"] {
      opening.append(["op": "open", "store": .string(store)])
      opening.append(["op": "openObjects", "store": .string(store), "model": Self.model])
      opening.append(save(store, &random))
    }
    for (entity, _) in Self.entities { opening.append(open(entity, &random)) }
  }

  private func open(_ entity: JSONString, _ random: inout KeyedRandom) -> JSONValue {
    var arguments: JSONObject = ["mapping": ["objId": "_id", "name": "title", "q": "q"]]
    if entity == "Recipe" {
      arguments["mapping"] = ["objId": "_id", "name": "name", "parts": "ings", "next": "next"]
      var parts: JSONObject = [
        "collection": "Ingredient", "toMany": true, "relation": "ingredients",
      ]
      if random.chance(1, in: 3) { parts["form"] = "kinveyRef" }
      arguments["references"] = ["parts": .object(parts), "next": ["collection": "Recipe"]]
    } else if random.chance(1, in: 3) {
      arguments["mapping"] = ["objId": "_id", "name": "title", "q": "q", "recipe": "recipe"]
      arguments["references"] = ["recipe": ["collection": "Recipe"]]
    }
    if random.chance(1, in: 5) { arguments["offline"] = true }
    if random.chance(1, in: 3) { arguments["ids"] = "client" }
    if random.chance(1, in: 10) { arguments["options"] = ["tellsOneError": true] }
    return CollectionLayerWorkload.operation(
      "openCollection", Self.place(entity), arguments: arguments)
  }

  private mutating func save(_ store: JSONString, _ random: inout KeyedRandom) -> JSONValue {
    var inserted: [JSONValue] = []
    var updated: [JSONValue] = []
    for (entity, ids) in Self.entities {
      for id in ids {
        let object: JSONValue = [
          "id": .string(id), "entity": .string(entity), "values": values(entity, &random),
        ]
        if saved[store]?.contains(id) ?? false {
          if random.chance(1, in: 6) { updated.append(object) }
        } else if random.chance(1, in: 3) {
          inserted.append(object)
          saved[store, default: []].insert(id)
        }
      }
    }
    return [
      "op": "saveObjects", "store": .string(store), "inserted": .array(inserted),
      "updated": .array(updated),
    ]
  }

  private func values(_ entity: JSONString, _ random: inout KeyedRandom) -> JSONValue {
    var values: JSONObject = [:]
    if random.chance(4, in: 5) { values["name"] = random.pick(["a", "b", "c"] as [JSONValue]) }
    if entity == "Ingredient" {
      if random.chance(1, in: 2) { values["q"] = random.pick([1, 2.5, -1] as [JSONValue]) }
      return .object(values)
    }
    if random.chance(2, in: 5) { values["n"] = .integer(Int64(random.below(4))) }
    if random.chance(2, in: 3) {
      let ids = Self.entities[1].ids.filter { _ in random.chance(1, in: 2) }
      values["ingredients"] = .array(ids.map { .string($0) })
    }
    if random.chance(1, in: 3) { values["next"] = .string(random.pick(Self.entities[0].ids) ?? "") }
    return .object(values)
  }

  package mutating func step(_ random: inout KeyedRandom) -> [JSONValue] {
    let (entity, _) = random.pick(Self.entities) ?? Self.entities[0]
    let store: JSONString = random.chance(1, in: 4) ? "m" : "l"
    switch random.below(100) {
    case ..<20: return [network(&random)]
    case ..<35: return [save(store, &random)]
    case ..<80: return [migration(store, &random)]
    case ..<84: return [CollectionLayerWorkload.operation("crashClient", of: "c")]
    case ..<88:
      let settings: JSONValue =
        random.chance(1, in: 2) ? [:] : ["migrated.Ingredient+Recipe": true]
      return [
        CollectionLayerWorkload.operation("setSettings", of: "c", arguments: ["settings": settings])
      ]
    case ..<92: return [CollectionLayerWorkload.operation("inspectClient", of: "c")]
    case ..<94: return [CollectionLayerWorkload.operation("drainQueue", of: "c")]
    case ..<95: return [open(entity, &random)]
    case ..<97: return [["op": "listObjects", "store": .string(store), "entity": .string(entity)]]
    default:
      return [
        CollectionLayerWorkload.operation(
          "countInCollection", Self.place(entity), arguments: ["query": []])
      ]
    }
  }

  private func network(_ random: inout KeyedRandom) -> JSONValue {
    var arguments: JSONObject = ["state": "up"]
    if random.chance(1, in: 3) { arguments["state"] = random.pick(Self.states) }
    arguments["next"] = .array(
      (0..<random.below(5)).map { _ in random.pick(Self.states) ?? "up" })
    return CollectionLayerWorkload.operation("setNetwork", of: "c", arguments: arguments)
  }

  private mutating func migration(
    _ store: JSONString, _ random: inout KeyedRandom
  ) -> JSONValue {
    var arguments: JSONObject = ["from": .string(store)]
    if let last, random.chance(3, in: 5) {
      arguments = last
    } else {
      let collections: [JSONValue] = [
        ["Recipe", "Ingredient"], ["Ingredient", "Recipe"], ["Recipe"], ["Ingredient"],
      ]
      arguments["collections"] = random.pick(collections)
      if keepsIDs { arguments["ids"] = "local" }
      if random.chance(2, in: 5) { arguments["batch"] = .integer(Int64(1 + random.below(3))) }
      if random.chance(1, in: 2) {
        arguments["flag"] = random.pick(["settings", "store", "none"] as [JSONValue])
      }
      if random.chance(1, in: 3) { arguments["deletes"] = true }
      if random.chance(1, in: 3) { arguments["background"] = .bool(random.chance(1, in: 2)) }
      if random.chance(1, in: 3) { arguments["costs"] = ["reading": 7, "saving": 3] }
    }
    last = arguments
    if random.chance(3, in: 5) { arguments["steps"] = .integer(Int64(1 + random.below(6))) }
    return CollectionLayerWorkload.operation("migrateObjects", of: "c", arguments: arguments)
  }

  package var closing: [JSONValue] {
    var closing: [JSONValue] = [
      CollectionLayerWorkload.operation("setNetwork", of: "c", arguments: ["state": "up"])
    ]
    for (entity, ids) in Self.entities {
      closing.append(["op": "listObjects", "store": "l", "entity": .string(entity)])
      closing.append(
        CollectionLayerWorkload.operation(
          "countInCollection", Self.place(entity), arguments: ["query": []]))
      closing.append(
        CollectionLayerWorkload.operation(
          "loadFromCollection", Self.place(entity),
          arguments: ["ids": .array(ids.map { .string($0) }), "policy": "none"]))
    }
    return closing
  }
}
