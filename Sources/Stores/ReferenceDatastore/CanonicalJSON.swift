internal import JSON

/// The canonical text of a body from which CDTDatastore computes revision ids.
///
/// No white space; members ordered by the UTF-16 code units of their names; in strings only `"`,
/// `\` and control characters escaped, CR and LF as `\r` and `\n`, the others as `\u00xx`; numbers
/// as ECMAScript prints them, so `1.0` and `1` are one body.
enum CanonicalJSON {
  static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): bytes.append(contentsOf: String(value).utf8)
    case .unsigned(let value): bytes.append(contentsOf: String(value).utf8)
    case .double(let value): bytes.append(contentsOf: ecmaScript(value).utf8)
    case .string(let text): append(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(element, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      let ordered = object.members.sorted {
        $0.name.string.utf16.lexicographicallyPrecedes($1.name.string.utf16)
      }
      for (index, member) in ordered.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(member.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func append(_ text: JSONString, to bytes: inout [UInt8]) {
    let hexadecimal = Array("0123456789abcdef".utf8)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [0x5c, byte])
      case 0x0d: bytes.append(contentsOf: "\\r".utf8)
      case 0x0a: bytes.append(contentsOf: "\\n".utf8)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(hexadecimal[Int(byte >> 4)])
        bytes.append(hexadecimal[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A finite number as ECMAScript's `Number::toString` prints it: the shortest digits that parse
  /// as the same number, with an exponent from 10²¹ up and below 10⁻⁶.
  static func ecmaScript(_ value: Double) -> String {
    if value == 0 { return "0" }
    let sign = value < 0 ? "-" : ""
    // Swift prints the same shortest digits; only the positions of the point and of the exponent
    // differ.
    let parts = value.magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var digits = mantissa.joined()
    let point = mantissa[0].utf8.count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
    let count = digits.utf8.count
    let zeros = { (count: Int) in String(repeating: "0", count: count) }
    switch point {
    case count...21: return sign + digits + zeros(point - count)
    case 1...21: return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    case -5...0: return sign + "0." + zeros(-point) + digits
    default:
      let exponent = point - 1
      let fraction = count > 1 ? "." + digits.dropFirst() : ""
      return sign + digits.prefix(1) + fraction + "e" + (exponent < 0 ? "-" : "+")
        + String(exponent.magnitude)
    }
  }
}
