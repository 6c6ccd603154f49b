internal import JSON

/// What Jansson cannot hold, written with what it can.
///
/// Nearly every body is stored as the JSON that it is. Two things Jansson refuses: a member name
/// with NUL, and an integer above `Int64.max`. A body with one of them is stored in escaped form,
/// and its row says so:
///
/// * in names, NUL is `~0` and `~` is `~1`;
/// * an integer above `Int64.max` is the string `~` and its digits;
/// * a string that begins with `~` gets another `~` in front.
///
///     {"a\u0000b": 18446744073709551615, "t": "~x"}
///     {"a~0b":"~18446744073709551615","t":"~~x"}
enum BodyEscapes {
  private static let tilde = UInt8(ascii: "~")

  /// Whether a value has a part that must be escaped.
  static func areNeeded(for value: JSONValue) -> Bool {
    switch value {
    case .unsigned: true
    case .array(let elements): elements.contains { areNeeded(for: $0) }
    case .object(let object):
      object.members.contains { $0.name.utf8.contains(0) || areNeeded(for: $0.value) }
    default: false
    }
  }

  static func escapedName(_ name: Text) -> Text {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case 0: bytes += [tilde, UInt8(ascii: "0")]
      case tilde: bytes += [tilde, UInt8(ascii: "1")]
      default: bytes.append(byte)
      }
    }
    return Text(String(decoding: bytes, as: UTF8.self))
  }

  /// The name that was escaped, or nil when no name is written so.
  static func name(_ escaped: Text) -> Text? {
    var bytes: [UInt8] = []
    var follows = false
    for byte in escaped.utf8 {
      switch (follows, byte) {
      case (false, tilde): follows = true
      case (false, _): bytes.append(byte)
      case (true, UInt8(ascii: "0")):
        bytes.append(0)
        follows = false
      case (true, UInt8(ascii: "1")):
        bytes.append(tilde)
        follows = false
      case (true, _): return nil
      }
    }
    return follows ? nil : Text(validating: bytes)
  }

  static func escapedString(_ text: Text) -> Text {
    text.utf8.first == tilde ? Text("~" + text.string) : text
  }

  static func escapedInteger(_ value: UInt64) -> Text { Text("~\(value)") }

  /// The string or the integer that was escaped, or nil when nothing is written so.
  static func value(_ escaped: Text) -> JSONValue? {
    guard escaped.utf8.first == tilde else { return .string(escaped) }
    let rest = escaped.utf8.dropFirst()
    if rest.first == tilde { return Text(validating: rest).map { .string($0) } }
    var value: UInt64 = 0
    for byte in rest {
      guard let digit = decimalValue(byte) else { return nil }
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
      if overflow || carry { return nil }
      value = sum
    }
    return rest.isEmpty ? nil : JSONValue(value)
  }
}
