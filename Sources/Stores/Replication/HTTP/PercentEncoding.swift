package import JSON

extension JSONString {
  /// The text with every byte except the unreserved ones (RFC 3986, 2.3) as `%` and two digits.
  package var percentEncoded: JSONString {
    var bytes: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes.append(UInt8(ascii: "%"))
        bytes.append(Self.digits[Int(byte >> 4)])
        bytes.append(Self.digits[Int(byte & 15)])
      }
    }
    return JSONString(String(decoding: bytes, as: UTF8.self))
  }

  private static let digits = [UInt8]("0123456789ABCDEF".utf8)

  /// The decoded text; nil for an invalid escape, or bytes that are not UTF-8.
  package var percentDecoded: JSONString? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalValue,
        let low = rest.popFirst()?.hexadecimalValue
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return JSONString(validating: bytes)
  }

  /// The bytes after a prefix, or nil if they do not start with it.
  package func dropping(prefix: JSONString) -> JSONString? {
    guard utf8.starts(with: prefix.utf8) else { return nil }
    return JSONString(validating: utf8.dropFirst(prefix.utf8.count))
  }
}

extension UInt8 {
  fileprivate var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
