public import JSON

/// A regular expression of the one dialect of `$regex`, over Unicode scalars.
///
/// The dialect is in `Vectors/README.md`. It has neither back references nor look-around, so that
/// every expression can be matched in time proportional to the text.
public struct RegularExpression: Hashable, Sendable {
  /// As it was written.
  public let pattern: JSONString
  public let root: Node
  /// How many scalars, sets, anchors and empty alternatives there are when all counts are written out;
  /// 1 to 1,000.
  public let parts: Int

  public indirect enum Node: Hashable, Sendable {
    /// One scalar of a set.
    case scalar(ScalarSet)
    /// The beginning of the text, `^`.
    case start
    /// The end of the text, `$`.
    case end
    /// One after the other; without any, nothing.
    case sequence([Node])
    /// One of these, `|`.
    case choice([Node])
    /// The node at least, and if there is a bound at most, so many times.
    case repeated(Node, min: Int, max: Int?)
  }

  /// Scalars in some ranges, or all others.
  public struct ScalarSet: Hashable, Sendable {
    public var ranges: [ClosedRange<UInt32>]
    public var isNegated: Bool

    public init(_ ranges: [ClosedRange<UInt32>], isNegated: Bool = false) {
      self.ranges = ranges
      self.isNegated = isNegated
    }
  }

  /// How often at most a count in braces repeats.
  static let countMax = 255
  /// How many parts there may be.
  static let sizeMax = 1000
  /// How deeply groups may lie in each other.
  static let depthMax = 32

  /// Reads an expression; what is none of the dialect is `badSelector` at the path.
  public init(_ pattern: JSONString, path: String = "selector") throws(DatastoreError) {
    self.pattern = pattern
    var parser = RegularExpressionParser(pattern, path: path)
    (root, parts) = try parser.expression()
  }

  /// The most work that one selector, pattern or rule may make on one document: the sum of parts times
  /// bytes over its expressions and the texts that they are matched with (FIND-040).
  ///
  /// Every expression can be matched against a text of 65,536 bytes.
  public static let workMax: Int64 = 1 << 26

  /// Parts of the expression times bytes of a text.
  public func work(on text: JSONString) -> Int64 { Int64(parts) * Int64(text.utf8.count) }
}
