internal import JSON

/// The bytes under which values are indexed and sorted.
///
/// Compared byte by byte they have the order of sorting: nothing, null, false, true, numbers, strings,
/// arrays, objects. Arrays are all the same, and so are objects. No key is the beginning of another
/// one, so that several can stand in a row, and every byte 0xff comes behind all that goes on.
enum ValueKey {
  /// The first byte says what kind of value there is.
  static let missing: UInt8 = 0x05
  static let null: UInt8 = 0x10
  static let `false`: UInt8 = 0x20
  static let `true`: UInt8 = 0x21
  static let number: UInt8 = 0x30
  static let string: UInt8 = 0x40
  static let array: UInt8 = 0x50
  static let object: UInt8 = 0x60

  /// Appends the key of a value, or of there being none.
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
      // Only what no body holds has no key of its own.
      guard let numberKey = NumberKey(value) else { return }
      key.append(UInt8(truncatingIfNeeded: numberKey.power >> 8))
      key.append(UInt8(truncatingIfNeeded: numberKey.power))
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        key.append(UInt8(truncatingIfNeeded: numberKey.digits >> shift))
      }
    }
  }

  /// A NUL and 1 end the text; a NUL in it is followed by 0xff.
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
