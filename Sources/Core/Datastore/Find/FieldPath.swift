public import JSON

/// The path from a document to one of its values, through objects only: `a.b`, or `a\.b` for one
/// name.
public struct FieldPath: Hashable, Sendable {
  /// The names of the path, at least one.
  public let names: [JSONString]

  /// A path of these names, at least one.
  public init(names: [JSONString]) { self.names = names }

  /// Parses names joined by points; nil if a backslash precedes anything but `.`, `\` or `$`.
  public init?(_ text: JSONString) {
    // Most names need no unescaping.
    guard text.utf8.contains(where: { $0 == Self.point || $0 == Self.backslash }) else {
      names = [text]
      return
    }
    var names: [JSONString] = []
    var name: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      switch byte {
      case _ where isEscaped:
        guard Self.escapable.contains(byte) else { return nil }
        name.append(byte)
        isEscaped = false
      case Self.backslash: isEscaped = true
      case Self.point:
        names.append(Self.text(name))
        name = []
      default: name.append(byte)
      }
    }
    if isEscaped { return nil }
    self.names = names + [Self.text(name)]
  }

  /// The text of the path, with escapes only where required.
  public var text: JSONString {
    var bytes: [UInt8] = []
    for (place, name) in names.enumerated() {
      if place > 0 { bytes.append(Self.point) }
      for (index, byte) in name.utf8.enumerated() {
        let isOperator = place == 0 && index == 0 && byte == UInt8(ascii: "$")
        if byte == Self.point || byte == Self.backslash || isOperator {
          bytes.append(Self.backslash)
        }
        bytes.append(byte)
      }
    }
    return Self.text(bytes)
  }

  /// The path to a value below this one.
  public func appending(_ other: FieldPath) -> FieldPath { FieldPath(names: names + other.names) }

  /// The text of bytes. Removing ASCII bytes from UTF-8 or inserting them yields valid UTF-8.
  private static func text(_ bytes: [UInt8]) -> JSONString {
    JSONString(String(decoding: bytes, as: UTF8.self))
  }

  private static let point = UInt8(ascii: ".")
  private static let backslash = UInt8(ascii: "\\")
  private static let escapable: [UInt8] = [point, backslash, UInt8(ascii: "$")]
}

extension FieldPath: CustomStringConvertible {
  public var description: String { text.string }
}
