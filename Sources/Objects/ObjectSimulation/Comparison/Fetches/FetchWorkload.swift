package import Datastore
package import JSON
internal import ObjectMapping
package import Simulation

/// Random fetches of objects, and updates of the objects that a predicate selects, between writes
/// through objects and through documents.
///
/// Objects have few values, and predicates, sorts and groups are about the same ones.
package struct FetchWorkload: LayerWorkload {
  private let model: FetchModel
  private let values: FetchValues
  private var documents: FetchDocuments
  package private(set) var opening: [JSONValue] = []
  /// The last fetch, which is repeated after a write.
  private var last: JSONValue?
  /// The URIs that the reference chose.
  private var uris: [JSONString] = []

  package init(seed: UInt64) {
    var random = KeyedRandom(seed: seed, key: 0)
    model = FetchModel(&random)
    values = FetchValues(&random)
    documents = FetchDocuments(model)
    var open: JSONObject = ["op": "openObjects", "store": "a", "model": model.json]
    if random.chance(1, in: 3) { open["form"] = "released" }
    var inserted: [JSONValue] = []
    for (place, entity) in model.entities.enumerated() {
      for id in entity.ids where random.chance(3, in: 4) {
        inserted.append(object(place, id: id, values: model.values(of: place, values, &random)))
      }
    }
    opening = [
      ["op": "open", "store": "a"], .object(open),
      ["op": "saveObjects", "store": "a", "inserted": .array(inserted)],
    ]
    for _ in 0..<(2 + random.below(5)) { opening.append(documents.arrival(values, &random)) }
  }

  private func object(_ entity: Int, id: JSONString, values: JSONObject) -> JSONValue {
    [
      "id": .string(id), "entity": .string(model.entities[entity].name), "values": .object(values),
    ]
  }

  package mutating func step(_ random: inout KeyedRandom) -> [JSONValue] {
    switch random.below(100) {
    case ..<72: return [fetch(&random)]
    case ..<78: return [description(&random)]
    case ..<85: return write(update(&random))
    case ..<91: return write(save(&random))
    case ..<95: return write(documents.arrival(values, &random))
    case ..<97: return [load(&random)]
    default:
      let entity = random.pick(model.entities)?.name ?? "E0"
      return [["op": "listObjects", "store": "a", "entity": .string(entity)]]
    }
  }

  package mutating func note(_ operation: StoreOperation, _ outcome: Outcome) {
    guard uris.count < 8, case .ok(let result) = outcome,
      let objects = result.json.objectValue?["objects"]?.arrayValue
    else { return }
    for object in objects {
      if let uri = object.objectValue?["identifier"]?.textValue { uris.append(uri) }
    }
  }

  /// A write, after which the last fetch has another result.
  private func write(_ operation: JSONValue) -> [JSONValue] {
    [operation] + (last.map { [$0] } ?? [])
  }

  private func operation(
    _ name: JSONString, _ members: [(JSONString, JSONValue)]
  ) -> JSONValue {
    .object(JSONObject([("op", .string(name)), ("store", "a")] + members))
  }

  /// The members of a random predicate.
  private func predicate(
    _ entity: Int, hasError: Bool = false, _ random: inout KeyedRandom
  ) -> [(JSONString, JSONValue)] {
    var draft = PredicateDraft(model, values, random: random)
    draft.write(entity, hasError: hasError)
    random = draft.random
    return draft.members
  }

  // MARK: Fetches

  private mutating func fetch(_ random: inout KeyedRandom) -> JSONValue {
    let entity = random.below(model.entities.count)
    // An operation has at most one error.
    let error = random.below(7)
    var members: [(JSONString, JSONValue)] = [
      (
        "entity",
        error == 0 && random.chance(1, in: 6) ? "None" : .string(model.entities[entity].name)
      )
    ]
    let isKnown = members[0].1 != "None"
    let isWrong = error == 0 && isKnown
    let place = isWrong ? random.below(8) : -1
    if place >= 0 && place < 5 {
      members += predicate(entity, hasError: true, &random)
    } else if random.chance(7, in: 8) {
      members += predicate(entity, &random)
    }
    members += order(entity, isWrong: place == 5, &random)
    switch place == 7 ? 19 : random.below(20) {
    case ..<11: members.append(("result", "ids"))
    case ..<14: break
    case ..<15: members.append(("result", "count"))
    default: members += groups(entity, canFail: error > 0, isWrong: place == 7, &random)
    }
    // Whether the sum of a group that is not on the page may fail is open.
    let hasSum = members.contains { $0.0 == "columns" && $0.1.serialized().contains("\"sum\"") }
    if !hasSum { members += page(isWrong: place == 6, &random) }
    let operation = operation("fetchObjects", members)
    last = operation
    return operation
  }

  private func order(
    _ entity: Int, isWrong: Bool, _ random: inout KeyedRandom
  ) -> [(JSONString, JSONValue)] {
    let attributes = model.entities[entity].attributes
    var left = attributes.filter { $0.type != .xform && $0.type != .binary }.map { $0.name }
    var keys: [JSONString] = []
    for _ in 0..<(random.pick([0, 0, 1, 1, 1, 2, 2]) ?? 0) where !left.isEmpty {
      keys.append(left.remove(at: random.below(left.count)))
    }
    if isWrong {
      let bytes = attributes.filter { $0.type == .xform || $0.type == .binary }.map { $0.name }
      let wrong = bytes + bytes + ["nope", "r0", FetchModel.transient.attribute]
      keys.insert(random.pick(wrong) ?? "nope", at: random.below(keys.count + 1))
    }
    guard !keys.isEmpty else { return [] }
    let sort = keys.map { key -> JSONValue in
      .object(JSONObject([(key, random.chance(3, in: 5) ? "asc" : "desc")]))
    }
    return [("sort", .array(sort))]
  }

  private func page(
    isWrong: Bool, _ random: inout KeyedRandom
  ) -> [(JSONString, JSONValue)] {
    var page: [(JSONString, JSONValue)] = []
    let negative = isWrong ? random.below(2) : -1
    if negative == 0 || random.chance(1, in: 5) {
      page.append(("offset", .integer(negative == 0 ? -1 : Int64(random.below(4)))))
    }
    if negative == 1 || random.chance(1, in: 4) {
      page.append(("limit", .integer(negative == 1 ? -1 : Int64(random.below(5)))))
    }
    return page
  }

  // MARK: Groups

  private func groups(
    _ entity: Int, canFail: Bool, isWrong: Bool, _ random: inout KeyedRandom
  ) -> [(JSONString, JSONValue)] {
    let attributes = model.entities[entity].attributes
    let names = attributes.map { $0.name }
    var keys: [JSONString] = []
    var columns: [JSONValue] = []
    switch random.below(6) {
    case 0: columns = [.string(random.pick(names) ?? "t")]
    case 1, 2: break
    default:
      keys = [random.pick(names) ?? "t"]
      if let other = random.pick(names), random.chance(1, in: 3), other != keys[0] {
        keys.append(other)
      }
      columns = keys.filter { _ in random.chance(4, in: 5) }.map { .string($0) }
    }
    let needsFunction = columns.isEmpty
    if needsFunction || !keys.isEmpty {
      for number in 0..<(needsFunction ? 1 + random.below(3) : random.below(3)) {
        // Two sums could both be too large. One sum is enough of an error.
        let canSum = canFail && number == 0
        columns.append(function(attributes, number: number, canSum: canSum, &random))
      }
    }
    if isWrong { spoil(&columns, &keys, of: attributes, random: &random) }
    var groups: [(JSONString, JSONValue)] = [("result", "groups"), ("columns", .array(columns))]
    if !keys.isEmpty { groups.append(("groupBy", .array(keys.map { .string($0) }))) }
    return groups
  }

  private func column(
    _ function: JSONString, of name: JSONString, as alias: JSONString
  ) -> JSONValue {
    ["function": .string(function), "of": .string(name), "as": .string(alias)]
  }

  private func function(
    _ attributes: [FetchModel.Attribute], number: Int, canSum: Bool, _ random: inout KeyedRandom
  ) -> JSONValue {
    let alias = JSONString("c\(number)")
    // The sum of doubles depends on the order in which they are added, and the rounding of an
    // average of large numbers or of decimals is open.
    let small: [AttributeType] = [.int16, .int32]
    let exact: [AttributeType] = small + [.int64, .decimal]
    let summed = attributes.filter { exact.contains($0.type) }
    if let attribute = random.pick(summed), canSum, random.chance(2, in: 3) {
      let isAverage = small.contains(attribute.type) && random.chance(1, in: 2)
      return column(isAverage ? "average" : "sum", of: attribute.name, as: alias)
    }
    let compared = attributes.filter { $0.type != .xform && $0.type != .binary }
    guard let attribute = random.pick(compared), random.chance(2, in: 3) else {
      return column("count", of: attributes[random.below(attributes.count)].name, as: alias)
    }
    return column(random.chance(1, in: 2) ? "min" : "max", of: attribute.name, as: alias)
  }

  /// Puts one error into the columns or the groups.
  private func spoil(
    _ columns: inout [JSONValue], _ keys: inout [JSONString],
    of attributes: [FetchModel.Attribute], random: inout KeyedRandom
  ) {
    switch random.below(5) {
    case 0: columns = ["nope"]
    case 1:
      keys.append(random.pick(["nope", "r0", FetchModel.transient.attribute]) ?? "nope")
    case 2:
      let malformed: [JSONValue] = [
        1, [:], ["function": "median", "of": "t", "as": "c"], ["function": "count", "of": "t"],
      ]
      columns.append(random.pick(malformed) ?? 1)
    case 3:
      let numbers: [AttributeType] = [.int16, .int32, .int64, .double, .float, .decimal]
      guard let attribute = random.pick(attributes.filter { !numbers.contains($0.type) }) else {
        columns = ["nope"]
        return
      }
      let isOfBytes = attribute.type == .xform || attribute.type == .binary
      let functions: [JSONString] = isOfBytes ? ["min", "max", "sum"] : ["sum", "average"]
      columns = [column(random.pick(functions) ?? "sum", of: attribute.name, as: "c")]
      keys = []
    default:
      keys = []
      columns = [
        .string(attributes[random.below(attributes.count)].name),
        column("count", of: attributes[0].name, as: "c"),
      ]
    }
  }

  // MARK: Other operations

  private func description(_ random: inout KeyedRandom) -> JSONValue {
    var predicates: [JSONValue] = []
    let wrong = random.chance(1, in: 4) ? random.below(4) : -1
    for place in 0..<4 {
      let entity = random.below(model.entities.count)
      predicates.append(
        .object(
          JSONObject(
            [("entity", .string(model.entities[entity].name))]
              + predicate(entity, hasError: place == wrong, &random))))
    }
    return operation("describeModel", [("model", model.json), ("predicates", .array(predicates))])
  }

  private func update(_ random: inout KeyedRandom) -> JSONValue {
    let entity = random.below(model.entities.count)
    let described = model.entities[entity]
    let error = random.below(5) == 0 ? random.below(3) : -1
    var members: [(JSONString, JSONValue)] = [("entity", .string(described.name))]
    if error == 0 || random.chance(7, in: 8) {
      members += predicate(entity, hasError: error == 0, &random)
    }
    var changes = model.values(of: entity, values, &random)
    var kept: JSONObject = [:]
    for _ in 0...random.below(2) {
      guard let member = random.pick(changes.members) else { break }
      changes[member.name] = nil
      // The store chooses the value of an attribute of the type `id` that is nil.
      kept[member.name] = member.name != "u" && random.chance(1, in: 4) ? .null : member.value
    }
    if error == 1 { kept[random.pick(["nope", "T"]) ?? "nope"] = 1 }
    let integers = described.attributes.filter { $0.type == .int16 || $0.type == .int32 }
    if error == 2, let integer = integers.first {
      kept[integer.name] = random.pick([2_147_483_648, -2_147_483_649])
    }
    members.append(("values", .object(kept)))
    return operation("updateObjects", members)
  }

  private func save(_ random: inout KeyedRandom) -> JSONValue {
    let (entity, id) = model.object(&random)
    let object = object(entity, id: id, values: model.values(of: entity, values, &random))
    switch random.below(4) {
    case 0: return operation("saveObjects", [("deleted", [.string(id)])])
    case 1: return operation("saveObjects", [("updated", [object])])
    default: return operation("saveObjects", [("inserted", [object])])
    }
  }

  private func load(_ random: inout KeyedRandom) -> JSONValue {
    if let uri = random.pick(uris), random.chance(1, in: 2) {
      return operation("loadObject", [("identifier", .string(uri))])
    }
    return operation("loadObject", [("id", .string(model.anyID(&random)))])
  }

  package var closing: [JSONValue] {
    model.entities.map { ["op": "listObjects", "store": "a", "entity": .string($0.name)] }
      + [["op": "checkObjects", "store": "a"]]
  }
}
