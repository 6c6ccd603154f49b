internal import JSON
internal import ObjectMapping
internal import Simulation

/// A random model with limits, defaults and transformers, and values of its properties.
struct StoredModel {
  /// The model of a sequence.
  let json: JSONValue
  /// The same model; nil never, for it is valid.
  let model: ManagedObjectModel?

  static let transformers: [JSONString] = ["K", "L"]
  private static let names: [JSONString] = [
    "t", "b", "w", "i", "n", "m", "x", "y", "d", "z", "f", "u", "é", "e\u{301}", "a_b", "A",
  ]
  static let ids: [JSONString] = ["1", "01", "a", "CDTIS-E0-1", "é", "x/y"]

  init(_ random: inout KeyedRandom) {
    var members: [(JSONString, JSONValue)] = []
    for place in 0..<2 {
      var attributes: [(JSONString, JSONValue)] = []
      for name in Self.names where random.chance(1, in: 2) {
        let type = random.pick(AttributeType.allCases) ?? .utf8
        attributes.append((name, Self.attribute(type, &random)))
      }
      attributes.append(("h", ["type": "int32", "transient": true]))
      members.append(
        (
          JSONString("E\(place)"),
          [
            "attributes": .object(JSONObject(attributes)),
            "relationships": Self.ends(place, &random),
          ]
        ))
    }
    json = ["entities": .object(JSONObject(members))]
    model = try? ManagedObjectModel(json)
  }

  /// A to-one and a to-many relationship to the other entity, and one without an inverse.
  private static func ends(_ place: Int, _ random: inout KeyedRandom) -> JSONValue {
    let other = JSONValue.text("E\(1 - place)")
    var one: JSONObject = ["destination": other, "inverse": "many"]
    if random.chance(1, in: 3) { one["optional"] = false }
    var many: JSONObject = [
      "destination": other, "inverse": place == 0 ? "back" : "one", "many": true,
    ]
    if random.chance(1, in: 2) { many["minCount"] = .integer(Int64(1 + random.below(2))) }
    if random.chance(1, in: 2) { many["maxCount"] = .integer(Int64(2 + random.below(2))) }
    if random.chance(1, in: 4) { many["optional"] = false }
    var ends: JSONObject = [:]
    ends[place == 0 ? "one" : "back"] = .object(one)
    ends["many"] = .object(many)
    if random.chance(1, in: 2) {
      ends["self"] = ["destination": .text("E\(place)"), "many": .bool(random.chance(1, in: 2))]
    }
    return .object(ends)
  }

  private static func attribute(_ type: AttributeType, _ random: inout KeyedRandom) -> JSONValue {
    var described: JSONObject = ["type": .text(type.rawValue)]
    if random.chance(1, in: 4) { described["optional"] = false }
    if random.chance(1, in: 5) { described["default"] = StoredValues.value(type, &random) }
    switch type {
    case .int16, .int32, .int64, .double, .float, .date1970:
      if random.chance(2, in: 5) { described["min"] = .integer(Int64(random.below(2)) - 1) }
      if random.chance(2, in: 5) { described["max"] = .integer(Int64(1 + random.below(2))) }
    case .decimal:
      if random.chance(1, in: 3) { described["min"] = random.chance(1, in: 2) ? "0" : "-1.5" }
      if random.chance(1, in: 3) { described["max"] = random.chance(1, in: 2) ? "1" : "1.5" }
    case .utf8:
      if random.chance(2, in: 5) { described["minLength"] = .integer(Int64(random.below(3))) }
      if random.chance(2, in: 5) { described["maxLength"] = .integer(Int64(2 + random.below(2))) }
      if random.chance(1, in: 4) { described["pattern"] = random.pick(["a*", "[ab]+", "a|b"]) }
    case .xform:
      if random.chance(1, in: 2) {
        described["transformer"] = .string(random.pick(transformers) ?? "K")
      }
    case .binary:
      if random.chance(1, in: 3) { described["mimeType"] = "image/png" }
    case .bool, .id: break
    }
    return .object(described)
  }

  /// An object of an entity with random values.
  ///
  /// - Parameter isSaved: whether the object has a URI and a version.
  func object(
    _ random: inout KeyedRandom, id: JSONString? = nil, isSaved: Bool = true
  ) -> JSONObject {
    let entity = random.pick(model?.entities ?? []) ?? EntityDescription("E0")
    var values: JSONObject = [:]
    for attribute in entity.attributes where random.chance(4, in: 5) {
      values[attribute.name] = StoredValues.value(attribute, &random)
    }
    for relationship in entity.relationships where random.chance(4, in: 5) {
      var ids = Self.ids.filter { _ in random.chance(2, in: 5) }
      if random.chance(1, in: 3) { ids.reverse() }
      if random.chance(1, in: 6), let first = ids.first { ids.append(first) }
      values[relationship.name] =
        relationship.isToMany
        ? .array(ids.map { .string($0) }) : ids.first.map { .string($0) } ?? .null
    }
    var object: JSONObject = [
      "id": .string(id ?? random.pick(Self.ids) ?? "a"), "entity": .string(entity.name),
      "values": .object(values),
    ]
    if isSaved, random.chance(1, in: 2) {
      object["identifier"] = random.pick(["x-o://s/E/p1", "X-o://S/e/P1", "u"])
    }
    if isSaved, random.chance(1, in: 2) {
      object["version"] = .integer(Int64(1 + random.below(12)))
    }
    return object
  }
}

/// Values of attributes, many of them at the ends of their types, in the form of calls.
enum StoredValues {
  private static let texts: [JSONValue] = [
    "", "a", "ab", "abc", "aa", "b", "\0", "a\0b", "é", "e\u{301}", "😀", "😀a", "1", "\n",
  ]
  private static let doubles: [JSONValue] = [
    0, 1, -1, 1.5, 2.0, 2.5, 0.1, 0.3333333333333333, 1e-7, 9_007_199_254_740_993.0, 1.5e300,
    ["image": "0000000000000001"], ["image": "8000000000000000"], ["image": "7ff0000000000000"],
    ["image": "fff0000000000000"], ["image": "7ff8000000000000"], ["image": "7ff8000000000001"],
    ["image": "fff8000000000000"], ["image": "7fefffffffffffff"],
  ]
  private static let floats: [JSONValue] = [
    0, 1, -1, 1.5, 2, 2.5, 0.1, 16_777_217.0, 1e-7, ["image": "80000000"], ["image": "7f800000"],
    ["image": "ff800000"], ["image": "7fc00000"], ["image": "00000001"], ["image": "7f7fffff"],
  ]
  private static let decimals: [JSONValue] = [
    "0", "1", "-1", "1.5", "1.50", "2", "1e2", "0.001", "1e127", "1E-100", "-1.5", "NaN", "1e120",
    "12345678901234567890123456789012345678", "340282366920938463463374607431768211455",
  ]
  private static let dates: [JSONValue] = [0, 1, 2, -1, 1.25, -0.5, 978_307_200, 1_700_000_000.125]
  private static let bytes: [JSONValue] = ["", "AA==", "YQ==", "YWI=", "YWJj"]

  static func value(_ type: AttributeType, _ random: inout KeyedRandom) -> JSONValue {
    let small = JSONValue.integer(Int64(random.below(6)) - 2)
    let values: [JSONValue] =
      switch type {
      case .utf8: texts
      case .bool: [true, false]
      case .date1970: dates
      case .int16: [small, small, 32767, -32768]
      case .int32: [small, small, 2_147_483_647, -2_147_483_648]
      case .int64:
        [
          small, small, .integer(.max), .integer(.min), 9_007_199_254_740_993,
          9_007_199_254_740_992, 9_007_199_254_740_994,
        ]
      case .double: doubles
      case .float: floats
      case .decimal: decimals
      case .xform, .binary: bytes
      case .id: ["x-o://s/E/p1", "X-O://s/E/p1", "u"]
      }
    return random.pick(values) ?? .null
  }

  /// A value of an attribute, often one at its limits.
  static func value(_ attribute: AttributeDescription, _ random: inout KeyedRandom) -> JSONValue {
    let limits = [attribute.validation.minimum, attribute.validation.maximum].compactMap {
      $0?.json
    }
    guard let limit = random.pick(limits), random.chance(1, in: 2) else {
      return value(attribute.type, &random)
    }
    switch limit {
    case .integer(let number): return .integer(number + Int64(random.below(3)) - 1)
    case .double(let number): return .double(number + Double(random.below(3) - 1) / 8)
    default: return limit
    }
  }
}
