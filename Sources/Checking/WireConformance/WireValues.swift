internal import JSON

/// The values that a vector has captured, and its databases, by their names.
struct WireValues: Sendable {
  private var values: [JSONString: JSONValue] = [:]

  subscript(name: JSONString) -> JSONValue? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The text with the values in place of `{name}`; a value that is no text is written as JSON.
  ///
  /// - Parameter encode: applied to each value.
  func expanded(_ text: JSONString, encode: (String) -> String = { $0 }) -> JSONString {
    var result = ""
    for part in WireTemplate.parts(text) {
      switch part {
      case .literal(let literal): result += literal
      case .name(let name):
        switch values[name] {
        case .string(let value)?: result += encode(value.string)
        case let value?: result += encode(value.serialized())
        case nil: result += "{\(name)}"
        }
      }
    }
    return JSONString(result)
  }

  /// A JSON value with the values in place of `{"$value": name}`, and of `{name}` in texts.
  func expanded(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return .string(expanded(text))
    case .array(let elements): return .array(elements.map { expanded($0) })
    case .object(let object):
      if object.count == 1, let name = object["$value"]?.textValue, let value = values[name] {
        return value
      }
      return .object(JSONObject(object.members.map { ($0.name, expanded($0.value)) }))
    default: return value
    }
  }
}

/// The syntax of texts with names of values: `{` a letter, letters and digits, `}`.
enum WireTemplate {
  enum Part: Hashable {
    case literal(String)
    case name(JSONString)
  }

  static func parts(_ text: JSONString) -> [Part] {
    let bytes = Array(text.utf8)
    var parts: [Part] = []
    var literal: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "{"),
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "}")), end > place + 1,
        isName(bytes[(place + 1)..<end])
      {
        if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
        literal = []
        let name = String(decoding: bytes[(place + 1)..<end], as: UTF8.self)
        parts.append(.name(JSONString(name)))
        place = end + 1
      } else {
        literal.append(bytes[place])
        place += 1
      }
    }
    if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
    return parts
  }

  /// The names in a text.
  static func names(in text: JSONString) -> [JSONString] {
    parts(text).compactMap { if case .name(let name) = $0 { name } else { nil } }
  }

  /// The names in all texts of a value, and those of `$value`.
  static func names(in value: JSONValue) -> [JSONString] {
    switch value {
    case .string(let text): return names(in: text)
    case .array(let elements): return elements.flatMap { names(in: $0) }
    case .object(let object):
      if object.count == 1, let name = object["$value"]?.textValue { return [name] }
      return object.members.flatMap { names(in: $0.value) }
    default: return []
    }
  }

  static func isName(_ bytes: some Collection<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.lowercased)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// Percent-encoding.
enum PercentEncoding {
  /// The text with every byte encoded that is not a letter, a digit, or one of `-._~`.
  static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      let isPlain =
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.lowercased)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~".utf8.contains(byte)
      if isPlain {
        bytes.append(byte)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
