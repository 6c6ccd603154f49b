internal import JSON

/// The canonical text of a JSON value in the digests of the CDT family.
///
/// No white space; member names in the order of their UTF-16 code units at every level; of the
/// control characters only CR and LF have a short escape; `/` and everything above 0x7e is
/// unescaped; a double is printed as in ECMAScript, so 1.0 is `1`.
///
///     {"é": 1.0, "Z": "a\tb"}   ->   {"Z":"a\u0009b","é":1}
struct CanonicalJSON {
  private(set) var bytes: [UInt8] = []

  /// The bytes of a value.
  static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = CanonicalJSON()
    writer.write(value)
    return writer.bytes
  }

  private mutating func write(_ value: JSONValue) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += value.description.utf8
    case .unsigned(let value): bytes += value.description.utf8
    case .double(let value): bytes += DecimalDigits(value).ecmaScript
    case .string(let text): write(text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      let members = object.members.sorted {
        $0.name.string.utf16.lexicographicallyPrecedes($1.name.string.utf16)
      }
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(member.name)
        bytes.append(UInt8(ascii: ":"))
        write(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func write(_ text: JSONString) {
    bytes.append(UInt8(ascii: "\""))
    text.withBytes { characters in
      for byte in characters {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x0a: bytes += "\\n".utf8
        case 0x0d: bytes += "\\r".utf8
        case 0..<0x20:
          bytes += "\\u00".utf8
          bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
          bytes += String(byte & 0xf, radix: 16).utf8
        default: bytes.append(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
