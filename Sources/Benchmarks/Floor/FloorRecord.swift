internal import CJansson
internal import Datastore
internal import JSON

/// The name of a revision, ready to be bound.
struct FloorName: BitwiseCopyable {
  let bytes: UnsafeRawBufferPointer
  let generation: Int64
}

/// A live revision with its history, ready to be bound; everything lies in an arena.
struct FloorRecord: BitwiseCopyable {
  let id: UnsafeRawBufferPointer
  /// Newest first.
  let path: UnsafeBufferPointer<FloorName>
  /// The place of the newest revision among its document's leaves.
  let rank: UnsafeRawBufferPointer
  let body: UnsafeMutablePointer<json_t>

  init(_ record: RevisionRecord, in arena: Arena) throws(BenchmarkError) {
    var names: [FloorName] = []
    for id in record.path { names.append(try FloorName(id, in: arena)) }
    guard let tip = record.path.first, let name = names.first else {
      throw .disagreement("a record without a path")
    }
    id = arena.bytes(record.id.text.utf8)
    path = arena.array(names)
    rank = arena.bytes(Self.rank(tip, generation: name.generation))
    body = try arena.body(record.body)
  }

  /// One byte for live, eight for the generation, and the suffix: what the schema asks of `rank`.
  private static func rank(_ id: RevisionID, generation: Int64) -> [UInt8] {
    var rank: [UInt8] = [1]
    withUnsafeBytes(of: generation.bigEndian) { rank += $0 }
    rank += id.text.utf8.drop { $0 != UInt8(ascii: "-") }.dropFirst()
    return rank
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
