internal import JSON

/// The keys under which values are indexed and sorted.
///
/// Their byte order is the sort order: missing, null, false, true, numbers, strings, arrays,
/// objects. All arrays are equal, and so are all objects. No key is a prefix of another one, so
/// keys can be concatenated, and 0xff sorts after every continuation.
enum ValueKey {
  /// The first byte is the kind of the value.
  static let missing: UInt8 = 0x05
  static let null: UInt8 = 0x10
  static let `false`: UInt8 = 0x20
  static let `true`: UInt8 = 0x21
  static let number: UInt8 = 0x30
  static let string: UInt8 = 0x40
  static let array: UInt8 = 0x50
  static let object: UInt8 = 0x60

  /// Appends the key of a value, or of a missing one.
  static func append(_ value: JSONValue?, to key: inout [UInt8]) {
    switch value {
    case nil: key.append(missing)
    case .null: key.append(null)
    case .bool(let value): key.append(value ? `true` : `false`)
    case .string(let text): append(text, to: &key)
    case .array: key.append(array)
    case .object: key.append(object)
    case .some(let value):
      key.append(number)
      // Only values that no body contains have no key.
      guard let numberKey = NumberKey(value) else { return }
      key.append(UInt8(truncatingIfNeeded: numberKey.power >> 8))
      key.append(UInt8(truncatingIfNeeded: numberKey.power))
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        key.append(UInt8(truncatingIfNeeded: numberKey.digits >> shift))
      }
    }
  }

  /// NUL and 1 end the text; a NUL inside it is followed by 0xff.
  static func append(_ text: JSONString, to key: inout [UInt8]) {
    key.append(string)
    text.withBytes { bytes in
      for byte in bytes {
        key.append(byte)
        if byte == 0 { key.append(0xff) }
      }
    }
    key.append(0)
    key.append(1)
  }

  /// The key of one value.
  static func of(_ value: JSONValue?) -> [UInt8] {
    var key: [UInt8] = []
    append(value, to: &key)
    return key
  }
}
