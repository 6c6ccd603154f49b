internal import Datastore
internal import JSON

/// The rank of a leaf among the leaves of its document, as bytes with the order of the leaves.
///
/// The greatest rank wins. The first byte puts live leaves above deleted ones, eight bytes contain
/// the generation, and the rest is the suffix as the collation compares it:
///
///     2-b, live     01 00 00 00 00 00 00 00 02 62
///     9-a, deleted  00 00 00 00 00 00 00 00 09 61
///
/// Under `couchdb` a suffix of 32 hexadecimal digits is compared as the 16 bytes it encodes.
/// Another suffix may equal these 16 bytes; then the name itself decides (the index `leaf` has it
/// after the rank). Under `cdt` the rank is correct up to generation 99,999,999; for higher
/// generations see `Winner`.
enum Rank {
  static func bytes(_ name: RevisionName, deleted: Bool, collation: CollationName) -> [UInt8] {
    var rank: [UInt8] = []
    rank.reserveCapacity(48)
    rank.append(deleted ? 0 : 1)
    for shift in stride(from: 56, through: 0, by: -8) {
      rank.append(UInt8(truncatingIfNeeded: name.generation >> Int64(shift)))
    }
    if collation == .couchdb, let decoded = name.decodedSuffix {
      rank.append(contentsOf: decoded)
    } else {
      name.withSuffix { rank.append(contentsOf: $0) }
    }
    return rank
  }

  /// Whether the leaf with this rank is deleted.
  static func isDeleted(_ rank: UnsafeBufferPointer<UInt8>) -> Bool { rank.first == 0 }
}
