internal import JSON

/// JSON libraries that store every number as a double.
enum DoubleTransport: CaseIterable {
  /// Writes the double with all of its digits.
  case exactDigits
  /// Writes the shortest digits that identify the double, followed by zeros, as ECMAScript does.
  case shortestDigits
  /// Passes on the double itself, which is not an integer.
  case doubles

  /// The value after decoding and encoding by such a library.
  func carry(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      .object(JSONObject(object.members.map { ($0.name, carry($0.value)) }))
    case .array(let elements): .array(elements.map { carry($0) })
    case .integer(let value): carry(Double(value))
    case .unsigned(let value): carry(Double(value))
    case .double(let value): carry(value)
    default: value
    }
  }

  private func carry(_ value: Double) -> JSONValue {
    guard self != .doubles, value == value.rounded(), value.magnitude < 1e21 else {
      return .double(value)
    }
    // The digits of an integer have no negative zero.
    let text =
      switch self {
      case .exactDigits: "\(Int128(value))"
      default: Self.shortest(value)
      }
    return (try? JSONValue.parse(text)) ?? .double(value)
  }

  /// The digits of an integer below 10^21 in ECMAScript.
  static func shortest(_ value: Double) -> String {
    let text = "\(value)"
    let isNegative = text.hasPrefix("-")
    let parts = text.split(separator: "e")
    let digits = parts[0].filter { $0 != "." && $0 != "-" }
    let point = parts[0].split(separator: ".")[0].filter { $0 != "-" }.utf8.count
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let length = point + exponent
    let padded = digits + String(repeating: "0", count: max(0, length - digits.utf8.count))
    let whole = padded.prefix(length)
    return value == 0 ? "0" : (isNegative ? "-" : "") + whole
  }
}
