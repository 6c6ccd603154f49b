internal import CJansson
internal import Datastore
internal import JSON

/// The name of a revision, ready to be bound.
struct FloorName: BitwiseCopyable {
  let bytes: UnsafeRawBufferPointer
  let generation: Int64

  /// The number that a name in a row begins with.
  static func generation(_ name: UnsafeRawBufferPointer) -> Int64 {
    var generation: Int64 = 0
    for byte in name {
      guard byte != UInt8(ascii: "-") else { break }
      generation = generation &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
    }
    return generation
  }
}

/// A live revision with its history, ready to be bound; everything lies in an arena.
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
