public import Datastore
internal import JSON

/// One of the three orders that products define on the revisions of a document.
///
/// The three agree on lower-case hexadecimal suffixes of equal length and differ on everything
/// else. That is why a store declares which one it uses.
public struct Collation: Hashable, Sendable {
  public let name: CollationName
  /// Which texts are revision ids.
  public var syntax = Syntax.rules

  /// A form of revision ids.
  public enum Syntax: Hashable, Sendable {
    /// A generation of 1 to 2⁵³ − 1 without leading zeros, and a suffix that is not empty.
    case rules
    /// As `Revision.init(anyInteger:)` reads them.
    case anyInteger
  }

  public init(_ name: CollationName) { self.name = name }

  /// The revision that an id encodes under this collation, or nil if the id is not valid.
  ///
  /// `couchdb` reads a suffix of 32 bytes as hexadecimal: it rejects other characters and folds
  /// capital letters.
  public func revision(_ id: RevisionID) -> Revision? {
    let other = syntax == .anyInteger ? Revision(anyInteger: id) : nil
    guard let revision = Revision(id) ?? other else { return nil }
    guard name == .couchdb, revision.suffix.utf8.count == 32 else { return revision }
    var folded: [UInt8] = []
    for byte in revision.suffix.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        folded.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): folded.append(byte | 0x20)
      default: return nil
      }
    }
    return JSONString(validating: folded).map {
      Revision(generation: revision.generation, suffix: $0)
    }
  }

  /// Whether `left` comes strictly before `right`, the lowest revision being first.
  public func precedes(_ left: Revision, _ right: Revision) -> Bool {
    switch name {
    case .bytes:
      if left.generation != right.generation { return left.generation < right.generation }
      return left.suffix.precedesBytewise(right.suffix)
    case .couchdb:
      if left.generation != right.generation { return left.generation < right.generation }
      let keys = (Self.couchKey(left.suffix), Self.couchKey(right.suffix))
      // Two suffixes can differ while they encode the same 16 bytes. Then the suffixes themselves
      // decide.
      if keys.0 == keys.1 { return left.suffix.precedesBytewise(right.suffix) }
      return keys.0.lexicographicallyPrecedes(keys.1)
    case .cdt:
      return Self.precedesInCDT(left, right)
    }
  }

  /// Whether `precedes` is a strict weak order on all revisions up to a generation; for `cdt` it is
  /// one up to eight digits.
  func isOrder(upTo generation: Int64) -> Bool { name != .cdt || generation <= Self.numberMax }

  /// The last generation that `cdt` compares as a number.
  private static let numberMax: Int64 = 99_999_999

  /// Whether `left` comes before `right` in the order in which a tree stores its leaves.
  ///
  /// This is `precedes` wherever `precedes` is an order.
  func ranks(_ left: Revision, below right: Revision) -> Bool {
    guard name == .cdt else { return precedes(left, right) }
    if left.generation != right.generation { return left.generation < right.generation }
    return left.suffix.precedesBytewise(right.suffix)
  }

  /// A suffix as CouchDB compares it: a suffix of 32 digits is compared as the 16 bytes it encodes.
  /// `revision` has already ensured that the digits are lower-case hexadecimal.
  private static func couchKey(_ suffix: JSONString) -> [UInt8] {
    guard suffix.utf8.count == 32 else { return Array(suffix.utf8) }
    let values = suffix.utf8.map { digit in
      digit < UInt8(ascii: "a") ? digit &- UInt8(ascii: "0") : digit &- UInt8(ascii: "a") &+ 10
    }
    return stride(from: 0, to: 32, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  /// CDTDatastore's `REVID` collation: it compares generations as numbers only if they have at most
  /// eight digits, and otherwise compares the ids as bytes, so a generation of nine digits sorts
  /// like text. The result is not transitive: `10-x` is above `2-b`, which is above `123456789-a`,
  /// which is above `10-x`.
  ///
  /// (The product also compares bytes if both generations have one digit, which gives the same
  /// result.)
  private static func precedesInCDT(_ left: Revision, _ right: Revision) -> Bool {
    if max(left.generation, right.generation) > numberMax {
      return left.id.text.precedesBytewise(right.id.text)
    }
    if left.generation != right.generation { return left.generation < right.generation }
    return left.suffix.precedesBytewise(right.suffix)
  }
}

extension JSONString {
  /// Whether these bytes come before the other ones; a prefix comes before any longer string.
  func precedesBytewise(_ other: JSONString) -> Bool {
    withBytes { left in other.withBytes { right in left.lexicographicallyPrecedes(right) } }
  }
}
