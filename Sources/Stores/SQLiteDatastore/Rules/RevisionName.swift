internal import Datastore
internal import JSON

/// The parsed name of a revision: `2-b` is generation 2 with the suffix `b`.
///
/// The suffix is everything after the first `-`, at least one byte, and may contain `-` again.
/// Under the collation `couchdb` a suffix of 32 bytes is a digest in hexadecimal and is stored in
/// lower case: `1-A0…` and `1-a0…` are one name there, and two names in the other collations.
struct RevisionName: Hashable {
  /// 2^53 - 1, the largest integer that every JSON reader preserves.
  static let generationMax: Int64 = 9_007_199_254_740_991

  let text: JSONString
  let generation: Int64
  private let suffixStart: Int

  /// Parses a name and folds its case as the collation requires; throws `badRevision` if it is not
  /// valid.
  init(_ id: RevisionID, collation: CollationName) throws(DatastoreError) {
    guard let (generation, suffixStart) = id.text.withBytes(Self.parse) else {
      throw DatastoreError(.badRevision, "'\(id)' is not a generation, a dash and a suffix")
    }
    self.generation = generation
    self.suffixStart = suffixStart
    guard collation == .couchdb, id.text.utf8.count - suffixStart == 32 else {
      text = id.text
      return
    }
    guard let folded = Self.fold(id.text, from: suffixStart) else {
      throw DatastoreError(
        .badRevision, "the 32 bytes after the '-' of '\(id)' are not hexadecimal")
    }
    text = folded
  }

  /// A name from the database; nil if it is damaged.
  init?(stored bytes: UnsafeBufferPointer<UInt8>) {
    guard let (generation, suffixStart) = Self.parse(bytes),
      let text = JSONString(validating: bytes)
    else {
      return nil
    }
    self.text = text
    self.generation = generation
    self.suffixStart = suffixStart
  }

  /// The name of a revision made here, whose suffix is a digest.
  init(generation: Int64, digest: String) {
    let prefix = "\(generation)-"
    text = JSONString(prefix + digest)
    self.generation = generation
    suffixStart = prefix.utf8.count
  }

  var id: RevisionID { RevisionID(text) }

  /// Calls `body` with the bytes of the suffix.
  func withSuffix<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try text.withBytes { (bytes) throws(Failure) in
      try body(UnsafeBufferPointer(rebasing: bytes[suffixStart...]))
    }
  }

  /// The 16 bytes that a suffix of 32 hexadecimal digits encodes, in either case.
  var decodedSuffix: [UInt8]? {
    withSuffix { suffix in
      guard suffix.count == 32 else { return nil }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(16)
      for index in stride(from: 0, to: 32, by: 2) {
        guard let high = hexadecimalValue(suffix[index]),
          let low = hexadecimalValue(suffix[index + 1])
        else { return nil }
        bytes.append(high << 4 | low)
      }
      return bytes
    }
  }

  private static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (generation: Int64, suffixStart: Int)? {
    var generation: Int64 = 0
    var index = 0
    while index < bytes.count, let digit = decimalValue(bytes[index]) {
      if index == 0 && digit == 0 { return nil }
      generation = generation * 10 + Int64(digit)
      guard generation <= generationMax else { return nil }
      index += 1
    }
    guard index > 0, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "-") else {
      return nil
    }
    return (generation, index + 1)
  }

  private static func fold(_ text: JSONString, from start: Int) -> JSONString? {
    var bytes = Array(text.utf8)
    for index in start..<bytes.count {
      guard hexadecimalValue(bytes[index]) != nil else { return nil }
      if (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(bytes[index]) {
        bytes[index] |= 0x20
      }
    }
    return JSONString(validating: bytes)
  }
}

/// The value of an ASCII decimal digit.
func decimalValue(_ byte: UInt8) -> UInt8? {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? byte - UInt8(ascii: "0") : nil
}

/// The value of an ASCII hexadecimal digit in either case.
func hexadecimalValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
