package import JSON
internal import Rendering

/// JSON on one line for readers that know more line ends, or fewer characters, than JSON.
///
/// JSON permits all characters above U+001F unescaped. For YAML and Python's `splitlines`, U+0085,
/// U+2028 and U+2029 end a line; YAML rejects the other controls and noncharacters. A terminal
/// changes its direction after U+202E, and a build server runs text such as `##[add-path]`. All of
/// these are escaped, and every JSON parser reads the same text.
package struct SafeJSON {
  private let value: JSONValue

  package init(_ value: JSONValue) { self.value = value }

  /// For readers of JSON: a scalar above U+FFFF is two escapes.
  package var line: String {
    text { $0.utf16.map { "\\u\(Self.hexadecimal(UInt32($0), 4))" }.joined() }
  }

  /// For readers of YAML, to which two escapes would be two characters.
  var yamlLine: String {
    text { scalar in
      scalar.value > 0xFFFF
        ? "\\U\(Self.hexadecimal(scalar.value, 8))" : "\\u\(Self.hexadecimal(scalar.value, 4))"
    }
  }

  /// The value with such scalars escaped; they occur only in strings, the rest is ASCII.
  private func text(_ escape: (Unicode.Scalar) -> String) -> String {
    let text = value.serialized()
    guard text.unicodeScalars.contains(where: { Self.needsEscape($0) || $0 == "#" }) else {
      return text
    }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated() {
      if Self.needsEscape(scalar) || scalar == "#" && scalars.beginsCommand(at: place) {
        result.append(contentsOf: escape(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isUnprintable || scalar.properties.isNoncharacterCodePoint
  }

  private static func hexadecimal(_ value: UInt32, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
