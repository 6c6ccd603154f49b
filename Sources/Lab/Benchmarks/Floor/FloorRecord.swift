internal import CJansson
internal import Datastore
internal import JSON

/// The id of a revision, ready to be bound.
struct FloorName: BitwiseCopyable {
  let bytes: UnsafeRawBufferPointer
  let generation: Int64

  /// The generation at the beginning of an id.
  static func generation(_ name: UnsafeRawBufferPointer) -> Int64 {
    var generation: Int64 = 0
    for byte in name {
      guard byte != UInt8(ascii: "-") else { break }
      generation = generation &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
    }
    return generation
  }
}

extension FloorName {
  /// The suffix; all suffixes have one length.
  private static func suffix(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: name[(name.count - 32)...])
  }

  /// True if it is above an id of a row, both being live.
  func isGreater(than other: UnsafeRawBufferPointer) -> Bool {
    let otherGeneration = Self.generation(other)
    if generation != otherGeneration { return generation > otherGeneration }
    return Self.suffix(other).lexicographicallyPrecedes(Self.suffix(bytes))
  }

  /// Writes the rank of a live leaf into memory of 41 bytes.
  func writeRank(to rank: UnsafeMutableRawBufferPointer) {
    rank[0] = 1
    rank.storeBytes(of: generation.bigEndian, toByteOffset: 1, as: Int64.self)
    UnsafeMutableRawBufferPointer(rebasing: rank[9...]).copyMemory(from: Self.suffix(bytes))
  }

  static let rankBytes = 41
}

/// A live revision with its history, ready to be bound; all bytes are in an arena.
struct FloorRecord: BitwiseCopyable {
  let id: UnsafeRawBufferPointer
  /// Newest first.
  let path: UnsafeBufferPointer<FloorName>
  let body: UnsafeMutablePointer<json_t>

  init(_ record: RevisionRecord, in arena: Arena) throws(BenchmarkError) {
    var names: [FloorName] = []
    for id in record.path { names.append(try FloorName(id, in: arena)) }
    if names.isEmpty { throw .disagreement("a record without a path") }
    id = arena.bytes(record.id.text.utf8)
    path = arena.array(names)
    body = try arena.body(record.body)
  }
}

extension FloorName {
  init(_ id: RevisionID, in arena: Arena) throws(BenchmarkError) {
    let digits = id.text.utf8.prefix { $0 != UInt8(ascii: "-") }
    guard let generation = Int64(String(decoding: digits, as: UTF8.self)) else {
      throw .disagreement("'\(id)' has no generation")
    }
    self.generation = generation
    bytes = arena.bytes(id.text.utf8)
  }
}
