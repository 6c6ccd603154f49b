internal import JSON
internal import ObjectMapping
internal import Simulation

/// A random model of a sequence of fetches, with the ids of its objects.
struct FetchModel {
  /// An attribute of an entity.
  struct Attribute {
    var name: JSONString
    var type: AttributeType
  }

  typealias Relationship = WorkloadModel.Relationship

  /// An entity with its stored properties.
  struct Entity {
    var name: JSONString
    var attributes: [Attribute]
    var relationships: [Relationship]
    var ids: [JSONString]
  }

  let entities: [Entity]
  let json: JSONValue

  /// The transient attribute and the transient relationship of each entity.
  static let transient: (attribute: JSONString, relationship: JSONString) = ("h", "g")

  private static let candidates: [Attribute] = [
    Attribute(name: "t", type: .utf8), Attribute(name: "s", type: .utf8),
    Attribute(name: "b", type: .bool), Attribute(name: "w", type: .date1970),
    Attribute(name: "i", type: .int16), Attribute(name: "n", type: .int32),
    Attribute(name: "m", type: .int64), Attribute(name: "x", type: .double),
    Attribute(name: "y", type: .float), Attribute(name: "d", type: .decimal),
    Attribute(name: "f", type: .xform), Attribute(name: "z", type: .binary),
    Attribute(name: "u", type: .id),
  ]
  /// Ids that are equal as numbers, without case, or in their beginnings.
  private static let ids: [JSONString] = [
    "1", "01", "a", "A", "aa", "b", "1.0", "10", "9", "é", "e\u{301}", "x y", "c", "d", "e", "f",
    "g", "h",
  ]

  init(_ random: inout KeyedRandom) {
    let count = random.chance(3, in: 4) ? 2 : 3
    let names = (0..<count).map { JSONString("E\($0)") }
    var entities: [Entity] = []
    for place in 0..<count {
      // Most of the operators are those of texts.
      let attributes = Self.candidates.filter {
        $0.name == "t" || random.chance(Self.hasOrder($0.type) ? 2 : 1, in: 4)
      }
      entities.append(
        Entity(
          name: names[place],
          attributes: attributes, relationships: [],
          ids: Self.ids.indices.filter { $0 % count == place }.map { Self.ids[$0] }))
    }
    var ends: [[(JSONString, JSONValue)]] = names.map { _ in [] }
    func add(_ name: JSONString, at place: Int, to other: Int, inverse: JSONString?) {
      let isMany = random.chance(1, in: 2)
      entities[place].relationships.append(
        Relationship(name: name, destination: other, isMany: isMany))
      var described: JSONObject = ["destination": .string(names[other])]
      described["inverse"] = inverse.map { .string($0) }
      if isMany { described["many"] = true }
      ends[place].append((name, .object(described)))
    }
    for number in 0..<(2 + random.below(2)) {
      // The first two relationships lead around, so that there are long key paths.
      let from = number % count
      let to = number < 2 ? (from + 1) % count : random.below(count)
      let (name, inverse) = (JSONString("r\(number)"), JSONString("q\(number)"))
      let hasInverse = random.chance(2, in: 3)
      add(name, at: from, to: to, inverse: hasInverse ? inverse : nil)
      if hasInverse { add(inverse, at: to, to: from, inverse: name) }
    }
    var members: [(JSONString, JSONValue)] = []
    for (place, entity) in entities.enumerated() {
      var attributes = entity.attributes.map { attribute in
        (attribute.name, JSONValue.object(["type": .text(attribute.type.rawValue)]))
      }
      attributes.append((Self.transient.attribute, ["type": "int32", "transient": true]))
      let end: (JSONString, JSONValue) = (
        Self.transient.relationship, ["destination": .string(names[0]), "transient": true]
      )
      members.append(
        (
          entity.name,
          [
            "attributes": .object(JSONObject(attributes)),
            "relationships": .object(JSONObject(ends[place] + [end])),
          ]
        ))
    }
    self.entities = entities
    json = ["entities": .object(JSONObject(members))]
  }

  private static func hasOrder(_ type: AttributeType) -> Bool {
    ![.bool, .xform, .binary, .id].contains(type)
  }

  /// An entity, by its place, and the id of one of its objects, which may not exist.
  func object(_ random: inout KeyedRandom) -> (entity: Int, id: JSONString) {
    let entity = random.below(entities.count)
    return (entity, random.pick(entities[entity].ids) ?? "a")
  }

  /// The id of an object of any entity.
  func anyID(_ random: inout KeyedRandom) -> JSONString { random.pick(Self.ids) ?? "a" }

  /// Values of the stored properties of an object; some are nil.
  func values(
    of place: Int, _ values: FetchValues, _ random: inout KeyedRandom
  ) -> JSONObject {
    var object: JSONObject = [:]
    for attribute in entities[place].attributes {
      // The store chooses the value of an attribute of the type `id` that is nil.
      guard attribute.type == .id || random.chance(4, in: 5) else { continue }
      object[attribute.name] = values.value(attribute.type, &random)
    }
    for relationship in entities[place].relationships {
      object[relationship.name] = target(of: relationship, &random)
    }
    return object
  }

  /// A random end of a relationship, which may not exist; nil for none.
  func target(of relationship: Relationship, _ random: inout KeyedRandom) -> JSONValue? {
    let ids = entities[relationship.destination].ids
    guard relationship.isMany else {
      return random.chance(1, in: 3) ? nil : .string(random.pick(ids) ?? "a")
    }
    return .array(ids.filter { _ in random.chance(2, in: 5) }.map { .string($0) })
  }
}
