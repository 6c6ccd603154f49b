public import JSON

/// A pattern for names: `*` matches any bytes, `?` any one byte, other bytes themselves.
public struct Glob: Hashable, Sendable, CustomStringConvertible {
  /// The pattern.
  public let pattern: JSONString

  /// Creates a pattern; every text is valid.
  public init(_ pattern: JSONString) { self.pattern = pattern }

  public var description: String { pattern.string }

  /// Whether the pattern matches the whole name; takes time linear in the name per `*`.
  public func matches(_ name: JSONString) -> Bool {
    let (pattern, name) = (Array(pattern.utf8), Array(name.utf8))
    var (at, position) = (0, 0)
    // The last star, and the number of bytes it matches so far: only the last star is ever
    // reconsidered.
    var star: (at: Int, position: Int)?
    while position < name.count {
      if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
        star = (at, position)
        at += 1
      } else if at < pattern.count,
        pattern[at] == UInt8(ascii: "?") || pattern[at] == name[position]
      {
        at += 1
        position += 1
      } else if let last = star {
        star = (last.at, last.position + 1)
        (at, position) = (last.at + 1, last.position + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

extension Glob: ExpressibleByStringLiteral {
  /// Creates a pattern.
  public init(stringLiteral pattern: String) { self.init(JSONString(pattern)) }
}
