internal import JSON

/// Base64 with the alphabet of RFC 4648 §4 and padding; every byte sequence has exactly one
/// encoding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  /// The value of each byte; 64 and above mark invalid bytes.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xff, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  static func encode(_ bytes: some RandomAccessCollection<UInt8>) -> JSONString {
    let alphabet = alphabet
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 6 {
        count -= 6
        characters.append(alphabet[Int(bits >> count & 63)])
      }
    }
    if count > 0 { characters.append(alphabet[Int(bits << (6 - count) & 63)]) }
    while !characters.count.isMultiple(of: 4) { characters.append(padding) }
    return JSONString(String(decoding: characters, as: UTF8.self))
  }

  /// The bytes that the text encodes, or nil if the text is not the output of `encode`. White
  /// space, a missing `=` or non-zero unused bits are errors, because a second encoding of equal
  /// bytes could hide a difference.
  static func decode(_ text: JSONString) -> [UInt8]? {
    var characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    let paddings = characters.suffix(2).count { $0 == padding }
    // Padding before the last position is detected as a character without a value.
    for place in 0..<paddings { characters[characters.count - 1 - place] = alphabet[0] }
    let values = values
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var seen: UInt8 = 0
    for start in stride(from: 0, to: characters.count, by: 4) {
      var bits: UInt32 = 0
      for place in start..<start + 4 {
        let value = values[Int(characters[place])]
        seen |= value
        bits = bits << 6 | UInt32(value & 63)
      }
      for place in 0..<3 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * place))) }
    }
    guard seen < 64 else { return nil }
    // The bits under the padding, and the unused bits of the last character, are 0.
    guard bytes.suffix(paddings).allSatisfy({ $0 == 0 }) else { return nil }
    bytes.removeLast(paddings)
    return bytes
  }
}
