public import JSON

/// What a JSON value in a response must be.
///
/// A value is a pattern that only an equal value matches; `Vectors/http/README.md` describes the
/// matchers, which are objects with a name that begins with `$`.
public indirect enum WirePattern: Hashable, Sendable {
  /// A value that has no members and elements; `{name}` in a text is the value of the name.
  case scalar(JSONValue)
  /// An array of these elements in this order.
  case elements([WirePattern])
  /// An object with these members; an open one may have others.
  case members([Member], isOpen: Bool)
  /// Any value.
  case any
  /// No value: the member does not exist.
  case absent
  /// Any value of a type.
  case type(ValueType)
  /// A text with properties.
  case text(TextRule)
  /// An integer in a range.
  case integer(min: Int64?, max: Int64?)
  /// An array of these elements in any order.
  case unordered([WirePattern])
  /// An array that has at least these elements, in any order.
  case contains([WirePattern])
  /// Any value that does not match.
  case not(WirePattern)
  /// A value that matches at least one of them.
  case oneOf([WirePattern])
  /// The value that an earlier pattern captured.
  case value(JSONString)
  /// A value that matches, and gets a name.
  case capture(JSONString, WirePattern)

  /// A member of an object.
  public struct Member: Hashable, Sendable {
    let name: JSONString
    let pattern: WirePattern
  }

  /// A type of JSON.
  public enum ValueType: String, CaseIterable, Sendable {
    case null, boolean, integer, number, string, array, object
  }

  /// The properties of a text; all that are present are required.
  public struct TextRule: Hashable, Sendable {
    var prefix: JSONString?
    var suffix: JSONString?
    var contains: [JSONString] = []
    /// The number of bytes.
    var length: Int64?
    /// Whether all bytes are lower-case hexadecimal digits.
    var isHexadecimal = false
  }

  /// The names that the pattern captures.
  var captured: [JSONString] {
    switch self {
    case .scalar, .any, .absent, .type, .text, .integer, .value: []
    case .elements(let patterns), .unordered(let patterns), .contains(let patterns),
      .oneOf(let patterns):
      patterns.flatMap(\.captured)
    case .members(let members, _): members.flatMap(\.pattern.captured)
    // A value that must not match gets no name.
    case .not: []
    case .capture(let name, let pattern): [name] + pattern.captured
    }
  }

  /// The names that the pattern refers to, in its texts and as `$value`.
  var used: [JSONString] {
    switch self {
    case .scalar(let value): WireTemplate.names(in: value)
    case .any, .absent, .type, .integer: []
    case .text(let rule):
      ([rule.prefix, rule.suffix].compactMap { $0 } + rule.contains).flatMap {
        WireTemplate.names(in: $0)
      }
    case .elements(let patterns), .unordered(let patterns), .contains(let patterns),
      .oneOf(let patterns):
      patterns.flatMap(\.used)
    case .members(let members, _): members.flatMap(\.pattern.used)
    case .not(let pattern), .capture(_, let pattern): pattern.used
    case .value(let name): [name]
    }
  }
}
