public import JSON

/// The bytes of an attachment and values derived from them, computed independently of the tested
/// code.
public struct Content: Hashable, Sendable {
  public let bytes: [UInt8]
  /// `sha256-` and the base64 of the digest, as in outcomes.
  public let digest: JSONString

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    digest = JSONString("sha256-" + Self.base64(SHA256.digest(of: bytes)[...]))
  }

  /// Returns a part of the bytes in base64.
  public func base64(_ range: Range<Int>) -> JSONString { JSONString(Self.base64(bytes[range])) }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func base64(_ bytes: ArraySlice<UInt8>) -> String {
    let alphabet = alphabet
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 6 {
        count -= 6
        text.append(alphabet[Int(bits >> count & 63)])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes of a base64 text; nil for an invalid text.
  public static func bytes(_ text: JSONString) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var (bits, count): (UInt32, UInt32) = (0, 0)
    let values = values
    let isValid = text.withBytes { characters in
      for character in characters {
        if character == UInt8(ascii: "=") { break }
        let value = values[Int(character)]
        if value > 63 { return false }
        (bits, count) = (bits << 6 | UInt32(value), count + 6)
        if count >= 8 {
          count -= 8
          bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
      }
      return true
    }
    return isValid ? bytes : nil
  }

  /// The values of the characters of the alphabet; 255 for others.
  private static let values = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()
}
