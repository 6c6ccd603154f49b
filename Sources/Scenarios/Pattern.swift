public import JSON

/// What a part of an answer must look like.
///
/// Objects match on the members given and lists as a whole, element by element; behind the winner,
/// the leaves of a document match in any order. Attachments match on
/// all of their names, each as an object. Bodies are literal: the same JSON value, no member more or
/// less, and nothing in them is a matcher.
public indirect enum Pattern: Hashable, Sendable {
  /// The same JSON value.
  case literal(JSONValue)
  /// Any value, which gets a name; for revision ids also of which generation it must be.
  case bind(Text, generation: Int64? = nil)
  /// The value that the name was bound to.
  case ref(Text)
  /// A list of the same elements in any order.
  case unordered([Pattern])
  /// A list that begins with the first element, the others in any order.
  case winnerFirst([Pattern])
  /// No value at all.
  case absent
  /// Any value.
  case any
  /// An object with at least these members.
  case object([Member])
  /// An object with exactly these members; where it has none, the object itself may be missing.
  case names([Member])
  /// A list of exactly these elements.
  case list([Pattern])

  public struct Member: Hashable, Sendable {
    public let name: Text
    public let pattern: Pattern

    public init(_ name: Text, _ pattern: Pattern) {
      self.name = name
      self.pattern = pattern
    }
  }
}

extension Pattern {
  /// The pattern as it stands in a file.
  public var json: JSONValue {
    switch self {
    case .literal(let value): return value
    case .bind(let name, let generation):
      guard let generation else { return ["$bind": .string(name)] }
      return ["$bind": .string(name), "generation": .integer(generation)]
    case .ref(let name): return ["$ref": .string(name)]
    case .unordered(let patterns): return ["$unordered": .array(patterns.map { $0.json })]
    case .absent: return ["$absent": true]
    case .any: return ["$any": true]
    case .object(let members), .names(let members):
      return .object(JSONObject(members.map { ($0.name, $0.pattern.json) }))
    case .list(let patterns), .winnerFirst(let patterns): return .array(patterns.map { $0.json })
    }
  }

  /// Whether it matches the same values whatever is bound, and binds nothing.
  var isClosed: Bool {
    switch self {
    case .literal, .absent: true
    case .bind, .ref, .any: false
    case .unordered(let patterns), .list(let patterns), .winnerFirst(let patterns):
      patterns.allSatisfy { $0.isClosed }
    case .object(let members), .names(let members): members.allSatisfy { $0.pattern.isClosed }
    }
  }

  /// Calls `body` with each part of the pattern in the order in which it stands in the file.
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
    default: break
    }
  }
}
