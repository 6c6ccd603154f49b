internal import JSON

/// Base64 with the alphabet of RFC 4648 §4 and padding; every byte sequence has exactly one
/// encoding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// The six bits of each character; invalid characters have the highest bit set.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0x80, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  static func encode(_ bytes: [UInt8]) -> JSONString { bytes.withUnsafeBytes { encode($0) } }

  static func encode(_ bytes: UnsafeRawBufferPointer) -> JSONString {
    let count = (bytes.count + 2) / 3 * 4
    let string = String(unsafeUninitializedCapacity: count) { target in
      alphabet.withUnsafeBufferPointer { alphabet in
        var (from, to) = (0, 0)
        while from < bytes.count {
          let left = bytes.count - from
          let bits =
            UInt32(bytes[from]) << 16 | (left > 1 ? UInt32(bytes[from + 1]) << 8 : 0)
            | (left > 2 ? UInt32(bytes[from + 2]) : 0)
          target[to] = alphabet[Int(bits >> 18)]
          target[to + 1] = alphabet[Int(bits >> 12 & 63)]
          target[to + 2] = left > 1 ? alphabet[Int(bits >> 6 & 63)] : padding
          target[to + 3] = left > 2 ? alphabet[Int(bits & 63)] : padding
          from += 3
          to += 4
        }
      }
      return count
    }
    return JSONString(string)
  }

  /// The bytes that a text encodes; nil if it is not the output of `encode`, for example with white
  /// space, missing padding or non-zero unused bits.
  static func decode(_ text: JSONString) -> [UInt8]? {
    text.withBytes { characters in
      guard characters.count % 4 == 0 else { return nil }
      guard !characters.isEmpty else { return [] }
      let paddings =
        characters[characters.count - 1] != padding
        ? 0 : characters[characters.count - 2] != padding ? 1 : 2
      let digits = UnsafeBufferPointer(rebasing: characters.dropLast(paddings))
      var isWrong = false
      let bytes = [UInt8](unsafeUninitializedCapacity: characters.count / 4 * 3) { target, count in
        values.withUnsafeBufferPointer { values in
          isWrong = !decode(digits, values, into: target, decoded: &count)
        }
      }
      return isWrong ? nil : bytes
    }
  }

  /// Decodes characters without padding; returns false for an invalid character or non-zero unused
  /// bits.
  private static func decode(
    _ digits: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>,
    into target: UnsafeMutableBufferPointer<UInt8>, decoded: inout Int
  ) -> Bool {
    var wrong: UInt8 = 0
    var (from, count) = (0, 0)
    defer { decoded = count }
    while digits.count - from >= 4 {
      let (a, b) = (values[Int(digits[from])], values[Int(digits[from + 1])])
      let (c, d) = (values[Int(digits[from + 2])], values[Int(digits[from + 3])])
      wrong |= a | b | c | d
      target[count] = a << 2 | b >> 4
      target[count + 1] = b << 4 | c >> 2
      target[count + 2] = c << 6 | d
      from += 4
      count += 3
    }
    if digits.count > from {
      // Two or three characters are left, and the unused bits of the last one must be 0.
      let (a, b) = (values[Int(digits[from])], values[Int(digits[from + 1])])
      let c = digits.count - from > 2 ? values[Int(digits[from + 2])] : 0
      wrong |= a | b | c
      target[count] = a << 2 | b >> 4
      count += 1
      if digits.count - from > 2 {
        target[count] = b << 4 | c >> 2
        count += 1
        if c & 0b11 != 0 { return false }
      } else if b & 0b1111 != 0 {
        return false
      }
    }
    return wrong & 0x80 == 0
  }
}
