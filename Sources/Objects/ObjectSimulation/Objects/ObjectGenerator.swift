internal import Datastore
internal import JSON
internal import ObjectMapping
internal import Simulation

/// Random objects of random models, or of a given one.
struct ObjectGenerator {
  private var random: KeyedRandom
  let model: ManagedObjectModel

  /// - Parameter model: a model with an entity or more; nil for a random one.
  init(seed: UInt64, model: ManagedObjectModel? = nil) {
    random = KeyedRandom(seed: seed, key: 0)
    self.model = model ?? Self.model(&random)
  }

  // MARK: Models

  private static let names: [JSONString] = [
    "a", "title", "naïve_π", "e\u{301}", "é", "x1", "A", "meta", "🍋", "a.b", "$c", "mime-type",
  ]

  private static func model(_ random: inout KeyedRandom) -> ManagedObjectModel {
    var entities: [EntityDescription] = []
    for place in 0..<1 + random.below(3) {
      var attributes: [AttributeDescription] = []
      for name in names where random.chance(2, in: 3) {
        let type = random.pick(AttributeType.allCases) ?? .utf8
        attributes.append(
          AttributeDescription(
            name, type, transformer: type == .xform ? random.pick(["Coder", nil]) ?? nil : nil,
            mimeType: type == .binary ? random.pick(["image/png", nil]) ?? nil : nil))
      }
      entities.append(EntityDescription(JSONString("E\(place)"), attributes: attributes))
    }
    for place in entities.indices {
      let other = random.below(entities.count)
      let (name, inverse): (JSONString, JSONString) = (
        JSONString("to\(place)"), JSONString("from\(place)")
      )
      entities[place].relationships.append(
        RelationshipDescription(
          name, to: entities[other].name, inverse: inverse, isToMany: random.chance(1, in: 2)))
      entities[other].relationships.append(
        RelationshipDescription(
          inverse, to: entities[place].name, inverse: name, isToMany: random.chance(1, in: 2)))
    }
    do throws(ModelError) {
      return try ManagedObjectModel(entities)
    } catch {
      preconditionFailure("the generator made an invalid model: \(error)")
    }
  }

  // MARK: Objects

  /// Objects with relationships to each other.
  mutating func objects(_ count: Int) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    for place in 0..<count {
      let entity = model.entities[random.below(model.entities.count)]
      let id = random.pick([
        "\(place)", "00\(place)", "CDTIS-\(entity.name)-\(place)", "ü/\(place)",
      ])
      objects.append(ManagedObject(ObjectID(JSONString(id ?? "")), of: entity.name))
    }
    let others = objects
    for place in objects.indices {
      guard let entity = model[objects[place].entity] else { continue }
      for attribute in entity.attributes where !attribute.isTransient {
        objects[place].properties[attribute.name] = attributeValue(attribute.type)
      }
      for relationship in entity.relationships where !relationship.isTransient {
        objects[place].properties[relationship.name] = targets(relationship, others)
      }
    }
    return objects
  }

  /// The object with some of its properties changed, and their names.
  mutating func changed(
    _ object: ManagedObject, among objects: [ManagedObject]
  ) -> SaveRequest.Update {
    var update = SaveRequest.Update(object, changed: [])
    guard let entity = model[object.entity] else { return update }
    for attribute in entity.attributes where !attribute.isTransient && random.chance(1, in: 3) {
      update.changed.insert(attribute.name)
      update.object.properties[attribute.name] = attributeValue(attribute.type)
    }
    for relationship in entity.relationships
    where !relationship.isTransient && random.chance(1, in: 3) {
      update.changed.insert(relationship.name)
      update.object.properties[relationship.name] = targets(relationship, objects)
    }
    return update
  }

  private mutating func targets(
    _ relationship: RelationshipDescription, _ objects: [ManagedObject]
  ) -> PropertyValue {
    let ids = objects.filter { $0.entity == relationship.destination }.map { $0.id }
    guard relationship.isToMany else {
      return random.chance(1, in: 3) ? .none : random.pick(ids).map { .toOne($0) } ?? .none
    }
    var targets: [ObjectID] = []
    for id in ids where random.chance(1, in: 4) { targets.append(id) }
    return .toMany(targets)
  }

  /// A value of a type, or nil in one of six cases; a nil value of type `id` is assigned in the
  /// save.
  private mutating func attributeValue(_ type: AttributeType) -> PropertyValue {
    type != .id && random.chance(1, in: 6) ? .none : .attribute(value(type))
  }

  mutating func value(_ type: AttributeType) -> AttributeValue {
    switch type {
    case .utf8: .text(text())
    case .bool: .bool(random.chance(1, in: 2))
    case .date1970: .date(finite(double()) ?? 0)
    case .int16: .integer(integer(16))
    case .int32: .integer(integer(32))
    case .int64: .integer(integer(64))
    case .double: .double(double())
    case .float: .float(float())
    case .decimal: .decimal(decimal())
    case .xform, .binary: .bytes((0..<random.below(40)).map { _ in UInt8(random.below(256)) })
    case .id: .identifier(text())
    }
  }

  private mutating func text() -> JSONString {
    let pieces: [JSONString] = [
      "a", "\0", "e\u{301}", "é", "😀", "00123", "\u{fffe}", "\"\\", "\u{7f}\n", "ﬃ", "Infinity", "",
    ]
    var text = ""
    for _ in 0..<random.below(4) { text += (random.pick(pieces) ?? "").string }
    return JSONString(text)
  }

  private mutating func integer(_ width: Int64) -> Int64 {
    let largest = Int64.max >> (64 - width)
    switch random.below(6) {
    case 0: return largest
    case 1: return -largest - 1
    case 2: return Int64(random.below(5)) - 2
    default: return Int64(bitPattern: random.next()) >> (64 - width)
    }
  }

  private func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

  private mutating func double() -> Double {
    switch random.below(8) {
    case 0:
      random.pick([
        0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, -.leastNormalMagnitude,
        .greatestFiniteMagnitude, 0x1p53, 0x1p63, 1e21, 0.1,
      ]) ?? 0
    case 1: Double(random.below(100_000)) / 100
    case 2: Double(random.below(2_000_000_000))
    default: Double(bitPattern: random.next())
    }
  }

  private mutating func float() -> Float {
    switch random.below(8) {
    case 0:
      random.pick([
        0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
      ]) ?? 0
    case 1: Float(random.below(10_000)) / 100
    default: Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    }
  }

  private mutating func decimal() -> DecimalNumber {
    let mantissa: UInt128 =
      switch random.below(5) {
      case 0: .max
      case 1: UInt128(random.next()) << 64 | UInt128(random.next())
      case 2: (UInt128(random.next()) << 64 | UInt128(random.next())) >> random.below(128)
      default: UInt128(random.below(100_000))
      }
    let exponent = random.chance(1, in: 2) ? -random.below(5) : random.below(256) - 128
    guard !random.chance(1, in: 20) else { return .nan }
    return DecimalNumber(
      mantissa: mantissa, exponent: exponent, isNegative: random.chance(1, in: 2)) ?? .nan
  }

  mutating func below(_ bound: Int) -> Int { random.below(bound) }

  mutating func pick<Element>(_ elements: [Element]) -> Element? { random.pick(elements) }
}
