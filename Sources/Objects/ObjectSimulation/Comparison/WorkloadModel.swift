internal import JSON
internal import Simulation

/// A small random model of a sequence, with the ids and the values of its objects.
struct WorkloadModel {
  /// A relationship of an entity.
  struct Relationship {
    var name: JSONString
    var destination: Int
    var isMany: Bool
  }

  /// An entity with the properties that the sequence sets.
  struct Entity {
    var name: JSONString
    var relationships: [Relationship] = []
  }

  private(set) var entities: [Entity] = []
  /// The model as JSON.
  private(set) var json: JSONValue = [:]
  /// The number of objects of each entity.
  let objectCount: Int

  /// The attributes that are stored as they are, and all attributes.
  private static let plain: [JSONString] = ["n", "t", "m"]
  private static let attributes: [JSONString] = plain + ["d", "y"]

  private static let deleteRules: [JSONString] = [
    "nullify", "nullify", "nullify", "cascade", "deny", "noAction",
  ]

  /// - Parameter isComplete: whether the model has relationships and constraints.
  init(_ random: inout KeyedRandom, isComplete: Bool) {
    objectCount = 2 + random.below(3)
    let entityCount = 1 + random.below(3)
    entities = (0..<entityCount).map { Entity(name: JSONString("E\($0)")) }
    var ends: [[(JSONString, JSONValue)]] = entities.map { _ in [] }
    if isComplete {
      for number in 0..<random.below(4) { addRelationship(number, &ends, random: &random) }
    }
    let hasLimits = random.chance(1, in: 4)
    let isUnique = isComplete && random.chance(1, in: 3)
    var members: [(JSONString, JSONValue)] = []
    for (place, entity) in entities.enumerated() {
      var attributes: JSONObject = [
        "n": ["type": "int64"], "t": ["type": "utf8"], "m": ["type": "int64", "default": 7],
        "d": ["type": "double"], "y": ["type": "binary"],
      ]
      if hasLimits, place == 0 {
        attributes["n"] = ["type": "int64", "optional": false, "max": 2]
        attributes["t"] = ["type": "utf8", "maxLength": 1]
      }
      var described: JSONObject = [
        "attributes": .object(attributes), "relationships": .object(JSONObject(ends[place])),
      ]
      if isUnique, place == entities.count - 1 {
        described["unique"] = random.chance(1, in: 3) ? [["n", "t"]] : [["n"]]
      }
      members.append((entity.name, .object(described)))
    }
    json = ["entities": .object(JSONObject(members))]
  }

  private mutating func addRelationship(
    _ number: Int, _ ends: inout [[(JSONString, JSONValue)]], random: inout KeyedRandom
  ) {
    let (from, to) = (random.below(entities.count), random.below(entities.count))
    let (name, inverse) = (JSONString("r\(number)"), JSONString("s\(number)"))
    let isOwnInverse = from == to && random.chance(1, in: 3)
    let hasInverse = isOwnInverse || random.chance(7, in: 8)
    func add(_ name: JSONString, _ inverse: JSONString?, at place: Int, to other: Int) {
      var described: JSONObject = ["destination": .string(entities[other].name)]
      if let inverse { described["inverse"] = .string(inverse) }
      let isMany = random.chance(1, in: 2)
      if isMany { described["many"] = true }
      let rule = random.pick(Self.deleteRules) ?? "nullify"
      // It is the default.
      if rule != "nullify" || random.chance(1, in: 2) { described["delete"] = .string(rule) }
      ends[place].append((name, .object(described)))
      entities[place].relationships.append(
        Relationship(name: name, destination: other, isMany: isMany))
    }
    add(name, hasInverse ? (isOwnInverse ? name : inverse) : nil, at: from, to: to)
    if hasInverse, !isOwnInverse { add(inverse, name, at: to, to: from) }
  }

  /// The ids of all objects of an entity; not all of them exist.
  func ids(of entity: Int) -> [JSONString] {
    (0..<objectCount).map { JSONString("\(entities[entity].name.string)-\($0)") }
  }

  /// An entity and the id of one of its objects.
  func object(_ random: inout KeyedRandom) -> (entity: Int, id: JSONString) {
    let entity = random.below(entities.count)
    return (entity, random.pick(ids(of: entity)) ?? "")
  }

  /// Values of some properties.
  ///
  /// - Parameters:
  ///   - hasNulls: whether null may remove a value.
  ///   - isPlain: whether all of them are stored as they are, without relationships and without
  ///     metadata.
  func values(
    of entity: Int, _ random: inout KeyedRandom, hasNulls: Bool = true, isPlain: Bool = false
  ) -> JSONObject {
    var values: JSONObject = [:]
    let count = Self.plain.count
    let all = Self.attributes.count + entities[entity].relationships.count
    for _ in 0...random.below(2) {
      let place = random.below(isPlain ? count : all)
      if hasNulls, random.chance(1, in: 8) {
        values[name(of: place, entity)] = .null
      } else {
        values[name(of: place, entity)] = value(of: place, entity, &random)
      }
    }
    return values
  }

  private func name(of place: Int, _ entity: Int) -> JSONString {
    let attributes = Self.attributes
    return place < attributes.count
      ? attributes[place] : entities[entity].relationships[place - attributes.count].name
  }

  private func value(
    of place: Int, _ entity: Int, _ random: inout KeyedRandom
  ) -> JSONValue {
    switch place {
    case 0, 2: return .integer(Int64(random.below(4)))
    case 1: return random.pick(["", "a", "b", "O\"B"]) ?? "a"
    case 3: return random.pick([0.1, 1.5, -2, 1e300]) ?? 0.1
    case 4: return random.pick(["", "AA==", "aGVsbG8="]) ?? ""
    default:
      let relationship = entities[entity].relationships[place - Self.attributes.count]
      let ends = ids(of: relationship.destination)
      guard relationship.isMany else { return .string(random.pick(ends) ?? "") }
      return .array(ends.filter { _ in random.chance(1, in: 2) }.map { .string($0) })
    }
  }

  /// The arguments of a search, without the entity.
  func search(_ entity: Int, _ random: inout KeyedRandom) -> JSONObject {
    var arguments: JSONObject = [:]
    let predicates: [JSONString] = [
      "n == 1", "n > 1", "t == 'a'", "m != 7 OR n == nil", "TRUEPREDICATE",
    ]
    if random.chance(2, in: 3) { arguments["predicate"] = .string(random.pick(predicates) ?? "") }
    if let relationship = random.pick(entities[entity].relationships), random.chance(1, in: 4) {
      let name = relationship.name.string
      arguments["predicate"] = .text(
        relationship.isMany ? "ANY \(name).n == 1" : "\(name).n == 1 OR \(name) == nil")
    }
    if random.chance(1, in: 3) {
      let name: JSONString = random.pick(["n", "t"]) ?? "n"
      arguments["sort"] = [[name: random.chance(1, in: 2) ? "asc" : "desc"]]
    }
    return arguments
  }
}
