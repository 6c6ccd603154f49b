public import JSON

/// A regular expression of the dialect of `$regex`, over Unicode scalars.
///
/// The dialect is defined in `Vectors/README.md`. It has neither back references nor look-around,
/// so every expression can be matched in time linear in the length of the text.
public struct RegularExpression: Hashable, Sendable {
  /// The source text of the expression.
  public let pattern: JSONString
  /// The parsed expression.
  public let root: Node
  /// The number of scalars, sets, anchors and empty alternatives after expansion of all counts, 1
  /// to 1,000.
  public let parts: Int

  /// A part of a parsed expression.
  public indirect enum Node: Hashable, Sendable {
    /// One scalar of a set.
    case scalar(ScalarSet)
    /// The beginning of the text, `^`.
    case start
    /// The end of the text, `$`.
    case end
    /// A concatenation; an empty one matches the empty string.
    case sequence([Node])
    /// An alternative, `|`.
    case choice([Node])
    /// The repetition of a node, at least `min` and at most `max` times; nil for no upper bound.
    case repeated(Node, min: Int, max: Int?)
  }

  /// A set of scalar ranges, or its complement.
  public struct ScalarSet: Hashable, Sendable {
    /// The ranges of scalar values, inclusive.
    public var ranges: [ClosedRange<UInt32>]
    /// True if the set is the complement of the ranges.
    public var isNegated: Bool

    /// Creates a set of ranges, or its complement.
    public init(_ ranges: [ClosedRange<UInt32>], isNegated: Bool = false) {
      self.ranges = ranges
      self.isNegated = isNegated
    }
  }

  /// The maximum count in braces.
  static let countMax = 255
  /// The maximum number of parts.
  static let sizeMax = 1000
  /// The maximum nesting depth of groups.
  static let depthMax = 32

  /// Parses an expression; throws `badSelector` at the path if it does not belong to the dialect.
  public init(_ pattern: JSONString, path: String = "selector") throws(DatastoreError) {
    self.pattern = pattern
    var parser = RegularExpressionParser(pattern, path: path)
    (root, parts) = try parser.expression()
  }

  /// The maximum work of one selector, pattern or rule on one document: the sum of parts × bytes
  /// over its expressions and the strings that they are matched with (FIND-040).
  ///
  /// Every expression can be matched against a string of 65,536 bytes.
  public static let workMax: Int64 = 1 << 26

  /// The product of the parts of the expression and the bytes of a text.
  public func work(on text: JSONString) -> Int64 { Int64(parts) * Int64(text.utf8.count) }
}
