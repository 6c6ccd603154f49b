public import Datastore
public import JSON

/// A revision id that has been understood: its generation and its suffix.
public struct Revision: Hashable, Sendable {
  /// How many edits lie between the first revision of the document and this one, both counted.
  public let generation: Int64
  /// Everything after the first dash: any bytes, at least one.
  public let suffix: JSONString

  public init(generation: Int64, suffix: JSONString) {
    self.generation = generation
    self.suffix = suffix
  }

  /// The highest generation there is, 2⁵³ − 1: the last integer that every JSON reader keeps.
  public static let generationMax: Int64 = 1 << 53 - 1

  /// The revision that an id spells, or nil when it spells none.
  ///
  /// An id is a decimal generation of 1 to 2⁵³ − 1 in ASCII digits without a leading zero, a dash,
  /// and a suffix that is not empty and may hold further dashes.
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
    let suffix = id.text.string[bytes.index(after: dash)...]
    guard generation <= Self.generationMax, !suffix.utf8.isEmpty else { return nil }
    self.init(generation: generation, suffix: JSONString(String(suffix)))
  }

  /// The id that spells this revision.
  public var id: RevisionID { RevisionID(JSONString(String(generation) + "-" + suffix.string)) }
}

extension Revision: CustomStringConvertible {
  public var description: String { id.description }
}
