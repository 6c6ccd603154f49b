internal import CJansson
internal import JSON

/// A body as a row holds it.
struct StoredBody: Hashable {
  /// JSON text: compact, member order kept.
  var json: Text
  /// Whether the text is in the escaped form of `BodyEscapes`.
  var isEscaped: Bool
}

/// Bodies to JSON text and back, through Jansson.
///
/// The text is what the shell of SQLite and `jq` read. Numbers come back as they went in: integers
/// in full; doubles with 15 digits when these suffice for every double of the body, so that 0.1 is
/// written `0.1`, else with the 17 that always do. Jansson writes a double with a point or an
/// exponent and reads such a number as a double, so 1.0 stays one.
enum BodyCodec {
  /// The deepest value that is read back: a body, or one inside a filter that asks for it.
  static let depthMax = Limits.depthMax + 2

  /// The text of a value; nil when it has an infinity or a NaN.
  static func encode(_ value: JSONValue) -> StoredBody? {
    let isEscaped = BodyEscapes.areNeeded(for: value)
    var builder = JanssonBuilder(isEscaped: isEscaped)
    guard let root = builder.node(value) else { return nil }
    defer { json_decref(root) }
    let flags = Int(JSON_COMPACT | JSON_ENCODE_ANY) | builder.digitCount << precisionShift
    guard let characters = json_dumps(root, flags) else { return nil }
    defer { janssonFree(characters) }
    return StoredBody(json: Text(String(cString: characters)), isEscaped: isEscaped)
  }

  /// The value of a text.
  static func decode(_ stored: StoredBody) throws(BodyCodecError) -> JSONValue {
    try stored.json.withBytes { (bytes) throws(BodyCodecError) in
      try decode(UnsafeRawBufferPointer(bytes), isEscaped: stored.isEscaped)
    }
  }

  /// The value of a text that is read where it lies.
  static func decode(
    _ json: UnsafeRawBufferPointer, isEscaped: Bool
  ) throws(BodyCodecError) -> JSONValue {
    var error = json_error_t()
    let characters = json.assumingMemoryBound(to: CChar.self)
    guard let root = json_loadb(characters.baseAddress, characters.count, decodingFlags, &error)
    else { throw BodyCodecError(error) }
    defer { json_decref(root) }
    return try JanssonReader(isEscaped: isEscaped).value(root, depthAbove: 0)
  }

  /// `JSON_REAL_PRECISION`, a macro with a shift in it, which Swift does not import.
  private static let precisionShift = 11
  private static let decodingFlags = Int(
    JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL)

  private static func janssonFree(_ memory: UnsafeMutableRawPointer) {
    // What Jansson allocates goes back to the function that Jansson was told to free with.
    var free: json_free_t?
    json_get_alloc_funcs(nil, &free)
    free?(memory)
  }
}

/// Why a stored text is no body.
struct BodyCodecError: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  init(_ error: json_error_t) {
    let text = withUnsafeBytes(of: error.text) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    reason = "\(text), at byte \(error.position)"
  }
}

/// Jansson values made from ours.
private struct JanssonBuilder {
  let isEscaped: Bool
  /// The significant digits with which all doubles so far survive.
  var digitCount = 15

  init(isEscaped: Bool) { self.isEscaped = isEscaped }

  /// A new reference, or nil when memory is out or a number has no JSON.
  mutating func node(_ value: JSONValue) -> UnsafeMutablePointer<json_t>? {
    switch value {
    case .null: return json_null()
    case .bool(let value): return value ? json_true() : json_false()
    case .integer(let value): return json_integer(value)
    case .unsigned(let value): return string(BodyEscapes.escapedInteger(value))
    case .double(let value):
      if DecimalDigits(value).digits.count > 15 { digitCount = 17 }
      return json_real(value)
    case .string(let text): return string(isEscaped ? BodyEscapes.escapedString(text) : text)
    case .array(let elements):
      guard let array = json_array() else { return nil }
      for element in elements {
        // Appending takes the reference over, and nil as a failure.
        guard json_array_append_new(array, node(element)) == 0 else {
          json_decref(array)
          return nil
        }
      }
      return array
    case .object(let object):
      guard let members = json_object() else { return nil }
      for member in object.members {
        guard set(member, in: members) else {
          json_decref(members)
          return nil
        }
      }
      return members
    }
  }

  private mutating func set(
    _ member: JSONObject.Member, in members: UnsafeMutablePointer<json_t>
  ) -> Bool {
    let value = node(member.value)
    let name = isEscaped ? BodyEscapes.escapedName(member.name) : member.name
    return name.withBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // An empty name may have no memory behind it, and Jansson wants some.
        guard let start = characters.baseAddress else {
          return json_object_setn_new_nocheck(members, "", 0, value) == 0
        }
        return json_object_setn_new_nocheck(members, start, characters.count, value) == 0
      }
    }
  }

  private func string(_ text: Text) -> UnsafeMutablePointer<json_t>? {
    text.withBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return json_stringn_nocheck("", 0) }
        return json_stringn_nocheck(start, characters.count)
      }
    }
  }
}

/// Our values made from Jansson's.
private struct JanssonReader {
  let isEscaped: Bool

  func value(
    _ node: UnsafeMutablePointer<json_t>, depthAbove: Int
  ) throws(BodyCodecError) -> JSONValue {
    // Jansson reads far deeper values than are written here, and deeper than a stack may bear.
    guard depthAbove <= BodyCodec.depthMax else { throw BodyCodecError("nested too deeply") }
    switch node.pointee.type {
    case JSON_NULL: return .null
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    case JSON_INTEGER: return .integer(json_integer_value(node))
    case JSON_REAL: return .double(json_real_value(node))
    case JSON_STRING:
      let text = try text(json_string_value(node), json_string_length(node))
      guard isEscaped else { return .string(text) }
      guard let value = BodyEscapes.value(text) else {
        throw BodyCodecError("a string with an unknown escape")
      }
      return value
    case JSON_ARRAY:
      var elements: [JSONValue] = []
      elements.reserveCapacity(json_array_size(node))
      for index in 0..<json_array_size(node) {
        guard let element = json_array_get(node, index) else { break }
        elements.append(try value(element, depthAbove: depthAbove + 1))
      }
      return .array(elements)
    default: return .object(try object(node, depth: depthAbove + 1))
    }
  }

  private func object(
    _ node: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(BodyCodecError) -> JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(json_object_size(node))
    // Jansson walks the members in the order in which they were set.
    var place = json_object_iter(node)
    while let current = place {
      let written = try text(json_object_iter_key(current), json_object_iter_key_len(current))
      guard let name = isEscaped ? BodyEscapes.name(written) : written else {
        throw BodyCodecError("a name with an unknown escape")
      }
      guard let member = json_object_iter_value(current) else { break }
      members.append(JSONObject.Member(name, try value(member, depthAbove: depth)))
      place = json_object_iter_next(node, current)
    }
    // Jansson refuses a name that comes twice, and two names are never escaped alike.
    return JSONObject(distinct: members)
  }

  private func text(
    _ start: UnsafePointer<CChar>?, _ count: Int
  ) throws(BodyCodecError) -> Text {
    let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    guard let text = Text(validating: bytes.assumingMemoryBound(to: UInt8.self)) else {
      throw BodyCodecError("not UTF-8")
    }
    return text
  }
}
