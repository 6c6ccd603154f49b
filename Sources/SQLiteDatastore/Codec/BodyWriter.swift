internal import JSON

/// Writes values as compact JSON text.
struct BodyWriter {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(256) }

  /// Appends a value; false when it has an infinity or a NaN.
  mutating func write(_ value: JSONValue) -> Bool {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += value.description.utf8
    case .unsigned(let value): bytes += value.description.utf8
    case .double(let value):
      guard value.isFinite else { return false }
      bytes += value.description.utf8
    case .string(let text): write(text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        guard write(element) else { return false }
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for member in object.members {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        write(member.name)
        bytes.append(UInt8(ascii: ":"))
        guard write(member.value) else { return false }
      }
      bytes.append(UInt8(ascii: "}"))
    }
    return true
  }

  private mutating func write(_ text: Text) {
    bytes.append(UInt8(ascii: "\""))
    text.withBytes { characters in
      if characters.allSatisfy({ !Self.isEscaped($0) }) {
        bytes.append(contentsOf: characters)
      } else {
        for character in characters { write(character) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func write(_ character: UInt8) {
    guard Self.isEscaped(character) else { return bytes.append(character) }
    bytes.append(UInt8(ascii: "\\"))
    switch character {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0a: bytes.append(UInt8(ascii: "n"))
    case 0x0c: bytes.append(UInt8(ascii: "f"))
    case 0x0d: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      bytes += "u00".utf8
      bytes.append(UInt8(ascii: "0") + character >> 4)
      let low = character & 0xf
      bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    default: bytes.append(character)
    }
  }
}
