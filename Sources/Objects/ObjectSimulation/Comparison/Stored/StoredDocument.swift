internal import Datastore
internal import Digest
internal import JSON
internal import ObjectMapping
internal import Simulation

/// The document of a random object with one random change.
///
/// Some changes are what other clients and JSON libraries do, and the document can still be read.
/// Others make it invalid. A document has one change, for with two errors either may be reported.
struct StoredDocument {
  let entity: EntityDescription
  private(set) var body: JSONObject
  /// The attachments of the document; nil without any.
  private(set) var attachments: JSONValue?

  /// - Parameter isReleased: whether the document is in the form of the released versions.
  init?(_ object: JSONObject, _ model: ManagedObjectModel, isReleased: Bool) {
    let mapping = DocumentMapping(model, form: isReleased ? .released : .documented)
    guard let decoded = try? ManagedObject(.object(object), model),
      let document = try? mapping.encode(decoded), let entity = model[decoded.entity]
    else { return nil }
    self.entity = entity
    body = document.body
    attachments = document.contents.isEmpty ? nil : document.attachments.json
  }

  /// Whether the document can be decoded.
  private(set) var isReadable = true

  mutating func change(_ random: inout KeyedRandom) {
    isReadable = false
    switch random.below(12) {
    case 0: envelope(&random)
    case 1: relationship(&random)
    case 2: attachments = nil
    default: attribute(&random)
    }
  }

  // MARK: Envelope

  private mutating func envelope(_ random: inout KeyedRandom) {
    let names: [JSONValue?] = [nil, .null, "", 1, "E 0", "None", ["E0"]]
    let versions: [JSONValue?] = [
      nil, 1, 3.0, "1", "9", "10", "0", "-1", "1.5", "a", "", .null, 0, 2.5, "9007199254740992",
      "9007199254740993", true,
    ]
    let identifiers: [JSONValue?] = [nil, 1, "x-o://other/E/p9", ["u"], true]
    switch random.below(4) {
    case 0: body[EnvelopeMember.entityName] = random.pick(names) ?? nil
    case 1: body[EnvelopeMember.identifier] = random.pick(identifiers) ?? nil
    case 2: body["own"] = random.pick([1, "x", [:], ["a": 1], .null])
    default: body[EnvelopeMember.version] = random.pick(versions) ?? nil
    }
  }

  private mutating func relationship(_ random: inout KeyedRandom) {
    guard let relationship = random.pick(entity.relationships) else { return }
    let values: [JSONValue?] = [
      nil, .null, "", "a", 1, [], ["a", "1", "a"], [""], [1], ["a", .null], [:], ["b", "a", ""],
    ]
    body[relationship.name] = random.pick(values) ?? nil
  }

  // MARK: Attributes

  private mutating func attribute(_ random: inout KeyedRandom) {
    let stored = entity.attributes.filter { body[$0.name] != nil }
    let images = stored.filter { [.double, .float, .decimal].contains($0.type) }
    let preferred = random.chance(1, in: 2) && !images.isEmpty ? images : stored
    guard let attribute = random.pick(preferred) else { return envelope(&random) }
    let meta = EnvelopeMember.meta(of: attribute.name)
    switch random.below(12) {
    case 0: body[attribute.name] = nil
    case 1: body[attribute.name] = .null
    case 2, 3: body[meta] = nil
    case 4: body[meta] = random.pick([1, "x", [], true, .null, [:]])
    case 5, 6, 7: number(attribute, meta, random: &random)
    default: image(attribute, meta, random: &random)
    }
  }

  /// Replaces the value.
  private mutating func number(
    _ attribute: AttributeDescription, _ meta: JSONString, random: inout KeyedRandom
  ) {
    let any: [JSONValue] = [true, 1, "x", [], [:], 1.5, "1", .unsigned(.max)]
    let values: [JSONValue]
    switch attribute.type {
    case .bool: values = [0, 1, 2, -1, 0.5, true, false, 1.0]
    case .int16: values = [1.0, 1.5, 32768, -32769, 32767.0, 1e300]
    case .int32: values = [1.0, 1.5, 2_147_483_648, -2_147_483_649]
    case .int64: values = [1.0, 1.5, .unsigned(1 << 63), 1e19, 9_007_199_254_740_992.0, 1e18]
    case .double:
      // Without an image the digits are all that there is.
      if random.chance(1, in: 2) { body[meta] = nil }
      values = [1, 1.25, "1.25", "1e999", "0x10", "-0.5", "inf", 0.1234567890123456, "1.", 1e-5]
    case .float:
      if random.chance(1, in: 2) { body[meta] = nil }
      values = [1, 0.1, 1.25, "1.25", 1e300, 0.1234567890123456, 1e-5]
    case .decimal:
      if random.chance(1, in: 2) { body[meta] = nil }
      values = [1, 1.5, "01.50", "1e3", "1e400", "x", "NaN", "-0", "+1", 2.5e-3]
    case .xform, .binary:
      values = ["!!!!", "YQ", "YQ=", "YQ==", "YR==", "Y Q=", "", .string(attribute.name)]
    case .date1970: values = [0, 1, 0.5, 1e300, "0"]
    case .utf8, .id: values = ["", "X", "\0", 1]
    }
    body[attribute.name] = random.pick(random.chance(1, in: 5) ? any : values)
  }

  /// Changes the metadata of the value.
  private mutating func image(
    _ attribute: AttributeDescription, _ name: JSONString, random: inout KeyedRandom
  ) {
    var meta = body[name]?.objectValue ?? [:]
    defer { body[name] = .object(meta) }
    let tokens: [JSONValue?] = [
      nil, "nan", "infinity", "-infinity", "NaN", "Infinity", "inf", 1, .null,
    ]
    switch attribute.type {
    case .double, .float:
      let member: JSONString = attribute.type == .double ? "ieee754_double" : "ieee754_single"
      if random.chance(1, in: 3) {
        meta["nonFinite"] = random.pick(tokens) ?? nil
      } else {
        meta[member] = StoredImage.changed(
          meta[member], isDouble: attribute.type == .double, &random)
      }
    case .decimal:
      if random.chance(1, in: 3) {
        meta["nonFinite"] = random.pick(["nan", "infinity", "-infinity", "NaN", 1])
      } else {
        meta["nsdecimal"] = StoredImage.changed(meta["nsdecimal"], &random)
      }
    case .xform, .binary:
      switch random.below(3) {
      case 0: meta["mime-type"] = random.pick(["text/plain", 1, .null])
      case 1:
        meta["xform"] = .string(random.pick(StoredModel.transformers) ?? "K")
        isReadable = true
      default: meta["own"] = 1
      }
    default: meta["own"] = 1
    }
  }
}

/// Images of numbers as other clients and JSON libraries write them, and wrong ones.
enum StoredImage {
  /// Another image of a double or a float.
  static func changed(
    _ image: JSONValue?, isDouble: Bool, _ random: inout KeyedRandom
  ) -> JSONValue? {
    let bits: UInt64
    switch image {
    case .integer(let value)?: bits = UInt64(bitPattern: value)
    case .unsigned(let value)?: bits = value
    default: bits = 0
    }
    let signed = isDouble ? Int64(bitPattern: bits) : Int64(Int32(truncatingIfNeeded: bits))
    switch random.below(12) {
    case 0: return nil
    case 1: return .integer(signed)
    case 2, 3, 4: return .double(Double(bits))
    case 5: return UInt64(exactly: Double(bits)).map { JSONValue($0) }
    case 6: return JSONValue(bits ^ 1)
    case 7: return .text("\(bits)")
    case 8: return isDouble ? 1e20 : 4_294_967_296
    case 9: return isDouble ? -1e19 : -2_147_483_649
    case 10: return random.pick([0.5, .null, true, [], 0])
    // The sign bit, or the lowest bit of the exponent.
    default: return JSONValue(bits ^ (isDouble ? 1 << 52 : 1 << 23))
    }
  }

  /// Another image of a decimal.
  static func changed(_ image: JSONValue?, _ random: inout KeyedRandom) -> JSONValue? {
    guard let text = image?.textValue, var bytes = Base64.decode(text.utf8), bytes.count == 20
    else {
      return random.pick(["AAAA", "", 1, "!!"])
    }
    switch random.below(10) {
    case 0: return nil
    case 1: return random.pick(["!!!!", "", 1, .null])
    case 2: bytes.removeLast()
    case 3: bytes.append(0)
    // The exponent, the number of words, the sign and "compact".
    case 4: bytes[0] &+= 1
    case 5: bytes[1] = bytes[1] & 0xf0 | (bytes[1] & 0x0f) &+ 1
    case 6: bytes[1] ^= 0x10
    case 7: bytes[1] ^= 0x20
    case 8: bytes[2 + random.below(2)] = 1
    default: bytes[4 + random.below(16)] ^= 1
    }
    return .text(Base64.encode(bytes))
  }
}
