public import Datastore
public import JSON

/// A parsed revision id: its generation and its suffix.
public struct Revision: Hashable, Sendable {
  /// The number of edits from the first revision of the document to this one, both included.
  public let generation: Int64
  /// The id that encodes this revision. It determines the generation, so that a revision needs only
  /// one text.
  public let id: RevisionID

  public init(generation: Int64, suffix: JSONString) {
    self.generation = generation
    id = RevisionID(JSONString(String(generation) + "-" + suffix.string))
  }

  /// The maximum generation, 2⁵³ − 1: the largest integer that every JSON reader preserves.
  public static let generationMax: Int64 = 1 << 53 - 1

  /// The revision that an id encodes, or nil if the id is not valid.
  ///
  /// An id is a decimal generation of 1 to 2⁵³ − 1 in ASCII digits without a leading zero, a dash,
  /// and a non-empty suffix that may contain further dashes.
  public init?(_ id: RevisionID) {
    let bytes = id.text.utf8
    guard let dash = bytes.firstIndex(of: UInt8(ascii: "-")) else { return nil }
    let digits = bytes[..<dash]
    guard (1...16).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
    var generation: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      generation = generation * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    guard generation <= Self.generationMax, bytes.index(after: dash) < bytes.endIndex else {
      return nil
    }
    self.generation = generation
    self.id = id
  }

  /// The revision of an id whose generation is any integer from 0 to 2⁶³ − 1, with or without a plus
  /// sign, and whose suffix may be empty; nil for any other text.
  public init?(anyInteger id: RevisionID) {
    let parts = id.text.string.split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let generation = Int64(parts[0]), generation >= 0 else { return nil }
    self.init(generation: generation, suffix: JSONString(String(parts[1])))
  }

  /// The bytes after the first dash: any bytes, at least one.
  public var suffix: JSONString {
    let text = id.text.string
    guard let dash = text.utf8.firstIndex(of: UInt8(ascii: "-")) else { return "" }
    return JSONString(String(text[text.utf8.index(after: dash)...]))
  }

  public static func == (left: Revision, right: Revision) -> Bool {
    left.generation == right.generation && left.id == right.id
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Revision: CustomStringConvertible {
  public var description: String { id.description }
}
