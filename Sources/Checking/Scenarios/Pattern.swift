public import JSON

/// The expectation of a part of a result.
///
/// Objects match by the given members, lists completely, element by element. After the winner, the
/// leaves of a document match in any order. Attachments match by all of their names, each as an
/// object. A body is literal: it matches the same JSON value, with exactly its members and without
/// matchers. An expectation with `bodyMatches` matches a body like other values.
public indirect enum Pattern: Hashable, Sendable {
  /// The same JSON value.
  case literal(JSONValue)
  /// A value that is bound to a name.
  case bind(JSONString, Form = .any)
  /// The value that the name was bound to.
  case ref(JSONString)
  /// A list of the same elements in any order.
  case unordered([Pattern])
  /// A list that begins with the first element, the others in any order.
  case winnerFirst([Pattern])
  /// No value.
  case absent
  /// Any value.
  case any
  /// An object with at least these members.
  case object([Member])
  /// An object with exactly these members; without members, the object itself may be missing.
  case names([Member])
  /// An object with exactly these members, written as a matcher.
  case only([Member])
  /// A list of exactly these elements.
  case list([Pattern])

  /// The required form of a bound value.
  public enum Form: Hashable, Sendable {
    /// Any value.
    case any
    /// A revision id of this generation.
    case generation(Int64)
    /// A text of this many hexadecimal digits, 1 or more, of either case.
    case hexDigits(Int64)
  }

  /// A member of an object with its pattern.
  public struct Member: Hashable, Sendable {
    /// The name of the member in the expectation.
    public let name: JSONString
    /// The compared member of the result; it differs from `name` only for `bodyMatches`.
    public let answerName: JSONString
    /// The pattern of the value.
    public let pattern: Pattern

    /// Creates a member; by default it is compared with the member of the same name.
    public init(_ name: JSONString, _ pattern: Pattern, in answerName: JSONString? = nil) {
      self.name = name
      self.answerName = answerName ?? name
      self.pattern = pattern
    }
  }
}

extension Pattern.Form {
  /// Whether a value may be bound.
  func fits(_ value: JSONValue) -> Bool {
    switch self {
    case .any: true
    case .generation(let generation): value.generation == generation
    case .hexDigits(let count):
      value.textValue.map { $0.utf8.count == count && $0.utf8.allSatisfy(\.isHexDigit) } ?? false
    }
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII hexadecimal digit of either case.
  fileprivate var isHexDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}

extension Pattern {
  /// The pattern as its file contains it.
  public var json: JSONValue {
    switch self {
    case .literal(let value): return value
    case .bind(let name, .any): return ["$bind": .string(name)]
    case .bind(let name, .generation(let generation)):
      return ["$bind": .string(name), "generation": .integer(generation)]
    case .bind(let name, .hexDigits(let count)):
      return ["$bind": .string(name), "hexDigits": .integer(count)]
    case .ref(let name): return ["$ref": .string(name)]
    case .unordered(let patterns): return ["$unordered": .array(patterns.map { $0.json })]
    case .absent: return ["$absent": true]
    case .any: return ["$any": true]
    case .object(let members), .names(let members):
      return .object(JSONObject(members.map { ($0.name, $0.pattern.json) }))
    case .only(let members):
      return ["$only": .object(JSONObject(members.map { ($0.name, $0.pattern.json) }))]
    case .list(let patterns), .winnerFirst(let patterns): return .array(patterns.map { $0.json })
    }
  }

  /// Whether it neither binds names nor depends on bindings.
  var isClosed: Bool {
    switch self {
    case .literal, .absent: true
    case .bind, .ref, .any: false
    case .unordered(let patterns), .list(let patterns), .winnerFirst(let patterns):
      patterns.allSatisfy { $0.isClosed }
    case .object(let members), .names(let members), .only(let members):
      members.allSatisfy { $0.pattern.isClosed }
    }
  }

  /// Calls `body` with each part of the pattern in the order of the file.
  func visit(path: String, _ body: (Pattern, _ path: String) -> Void) {
    body(self, path)
    switch self {
    case .list(let patterns), .winnerFirst(let patterns):
      for (index, pattern) in patterns.enumerated() {
        pattern.visit(path: DecodingPath.element(index, of: path), body)
      }
    case .unordered(let patterns):
      let path = DecodingPath.member("$unordered", of: path)
      for (index, pattern) in patterns.enumerated() {
        pattern.visit(path: DecodingPath.element(index, of: path), body)
      }
    case .object(let members), .names(let members):
      for member in members {
        member.pattern.visit(path: DecodingPath.member(member.name, of: path), body)
      }
    case .only(let members):
      let path = DecodingPath.member("$only", of: path)
      for member in members {
        member.pattern.visit(path: DecodingPath.member(member.name, of: path), body)
      }
    default: break
    }
  }
}
