import Datastore
import Digest
import JSON
import Storage
import Testing

@testable import SQLiteDatastore

/// Content files that were changed in place: an operation that reads such a file to its end returns
/// `storage(corrupt)`, and no client receives the changed bytes as the complete content.
@Suite struct DamagedContentTests {
  /// Lengths around those of chunks; content above the inline limit can only be read in chunks.
  static let sizes = [1, 2, 100, 65_535, 65_536, 65_537, 200_000, (1 << 20) + 5]
  private static let pieceBytes = 65_536

  private static func content(_ size: Int, seed: Int = 0) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) ^ seed) }
  }

  /// A store with a document `d` with the content under the name `a`, and the name of its file.
  private func bench(_ bytes: [UInt8]) throws -> (bench: Bench, fileName: String) {
    let bench = Bench()
    try bring(bytes, to: "d", bench)
    return (bench, Self.fileName(bytes))
  }

  private static func fileName(_ bytes: [UInt8]) -> String {
    "notes.sqlite-\(DigestAlgorithm.sha256.digest(of: bytes).hexadecimal).blob"
  }

  private func bring(_ bytes: [UInt8], to id: DocumentID, _ bench: Bench) throws {
    for start in stride(from: 0, to: bytes.count, by: 1 << 19) {
      let piece = Array(bytes[start..<min(start + 1 << 19, bytes.count)])
      let put = StoreAction.putBlob(
        digest: digest(bytes), offset: Int64(start), bytes: Base64.encode(piece))
      #expect(bench.failure(put) == nil)
    }
    let attachment = RevisionAttachment("a", .chunks, digest: digest(bytes))
    _ = try bench.write(.create(id: id, body: [:], attachments: [attachment]))
  }

  /// Changes of a file that keep its name.
  private static func changes(of bytes: [UInt8]) -> [(what: String, bytes: [UInt8])] {
    var changes: [(String, [UInt8])] = []
    let places = [0, 1, 7, bytes.count / 2, bytes.count - 2, bytes.count - 1].filter {
      bytes.indices.contains($0)
    }
    let boundaries = [pieceBytes - 1, pieceBytes, 2 * pieceBytes].filter {
      bytes.indices.contains($0)
    }
    for place in Set(places + boundaries).sorted() {
      for bit in [0, 7] {
        var changed = bytes
        changed[place] ^= 1 << UInt8(bit)
        changes.append(("bit \(bit) of byte \(place)", changed))
      }
    }
    for count in Set([0, 1, bytes.count / 2, bytes.count - 1]).sorted() where count < bytes.count {
      changes.append(("cut after \(count) bytes", Array(bytes[..<count])))
    }
    for count in [1, 4096] {
      changes.append(("\(count) bytes behind it", bytes + content(count)))
    }
    changes.append(("others of its length", content(bytes.count, seed: 77)))
    changes.append(("zeros", [UInt8](repeating: 0, count: bytes.count)))
    return changes.filter { $0.1 != bytes }
  }

  /// The content assembled from chunks; nil if one of them is rejected.
  private func read(
    _ bench: Bench, from start: Int, size: Int, by pieceBytes: Int, backwards: Bool = false
  ) -> [UInt8]? {
    var pieces: [[UInt8]] = []
    var offsets = Array(stride(from: start, to: size, by: pieceBytes))
    if backwards { offsets.reverse() }
    for offset in offsets {
      let outcome = bench.perform(
        .readAttachment(id: "d", name: "a", offset: Int64(offset), limit: Int64(pieceBytes)))
      if outcome.errorKind == .storage(.corrupt) { return nil }
      guard case .ok(.attachment(let piece)) = outcome, let bytes = Base64.decode(piece.bytes)
      else {
        Issue.record("\(outcome)")
        return nil
      }
      pieces.append(bytes)
    }
    return (backwards ? pieces.reversed() : pieces).flatMap { $0 }
  }

  @Test(arguments: sizes) func everyChangeIsSeen(size: Int) throws {
    let bytes = Self.content(size)
    let (bench, fileName) = try bench(bytes)
    #expect(bench.storage[fileName] == bytes)
    let rev = try #require(bench.leaves("d").first.map { RevisionID(JSONString($0)) })
    let fetch = StoreAction.getRevisions([RevisionQuery(id: "d", revs: [rev], attachmentsSince: [])]
    )
    let isInline = size <= Limits.inlineBytesMax
    for (place, (what, changed)) in Self.changes(of: bytes).enumerated() {
      // Long contents take long to compare, so every third change is tested.
      if size > 100_000, place % 3 != 0 { continue }
      bench.storage[fileName] = changed
      if isInline {
        #expect(
          bench.failure(.readAttachment(id: "d", name: "a")) == .storage(.corrupt), "\(what)")
        #expect(bench.failure(fetch) == .storage(.corrupt), "\(what)")
      }
      // In order, backwards, and only the last byte: each read reaches the end.
      #expect(read(bench, from: 0, size: size, by: Self.pieceBytes) == nil, "\(what)")
      #expect(
        read(bench, from: 0, size: size, by: Self.pieceBytes, backwards: true) == nil, "\(what)")
      #expect(read(bench, from: size - 1, size: size, by: 1) == nil, "\(what)")
      #expect(read(bench, from: 0, size: size, by: max(1, size / 3)) == nil, "\(what)")
      // A write that reads the content of another revision fails as well, unless the required
      // prefix is intact.
      if changed.starts(with: bytes) { continue }
      let packed = RevisionAttachment("a", .chunks, digest: digest(bytes), encoding: "gzip")
      let copy = StoreAction.create(id: "e", body: [:], attachments: [packed])
      #expect(bench.failure(copy) == .storage(.corrupt), "\(what)")
    }
    bench.storage[fileName] = bytes
    #expect(read(bench, from: 0, size: size, by: Self.pieceBytes) == bytes)
    #expect(read(bench, from: 0, size: size, by: Self.pieceBytes, backwards: true) == bytes)
    if isInline { #expect(bench.failure(fetch) == nil) }
  }

  /// The file is changed during a read: the returned bytes are verified.
  @Test func aChangeBetweenTwoPieces() throws {
    let bytes = Self.content(200_000)
    let (bench, fileName) = try bench(bytes)
    func piece(_ offset: Int64) -> Outcome {
      bench.perform(.readAttachment(id: "d", name: "a", offset: offset, limit: 100_000))
    }
    var changed = bytes
    changed[5] ^= 1
    bench.storage[fileName] = changed
    #expect(piece(0).errorKind == nil)
    // The bytes returned before remain wrong, whatever the file now contains.
    bench.storage[fileName] = bytes
    #expect(piece(100_000).errorKind == .storage(.corrupt))
    // A new reader gets the current bytes.
    #expect(piece(0).errorKind == nil)
    #expect(piece(100_000).errorKind == nil)
    // A second read of only the last chunk verifies the file.
    #expect(piece(100_000).errorKind == nil)
    bench.storage[fileName] = changed
    #expect(piece(100_000).errorKind == .storage(.corrupt))
  }

  /// A reader in order reads the file once, and many readers do not interfere with each other.
  @Test(arguments: [1, ContentReadings.countMax, ContentReadings.countMax + 3])
  func readersInTurns(count: Int) throws {
    let bytes = (0..<count).map { Self.content(150_000, seed: $0) }
    let bench = Bench()
    for place in 0..<count {
      try bring(bytes[place], to: DocumentID(JSONString("d\(place)")), bench)
    }
    let before = bench.storage.counts[.read, .blob]
    var read = bytes.map { _ in [UInt8]() }
    for offset in stride(from: 0, to: 150_000, by: 50_000) {
      for place in 0..<count {
        let outcome = bench.perform(
          .readAttachment(
            id: DocumentID(JSONString("d\(place)")), name: "a", offset: Int64(offset), limit: 50_000
          ))
        guard case .ok(.attachment(let piece)) = outcome, let piece = Base64.decode(piece.bytes)
        else {
          Issue.record("\(outcome)")
          return
        }
        read[place] += piece
      }
    }
    #expect(read == bytes)
    if count <= ContentReadings.countMax {
      #expect(bench.storage.counts[.read, .blob] == before + 3 * count)
    }
  }

  /// Readers of one content at several positions, and readers that skip or repeat chunks, succeed.
  @Test func readersAtSeveralPlaces() throws {
    let (bench, _) = try bench(Self.content(200_000))
    for start: Int64 in [0, 0, 50_000, 0, 100_000, 50_000, 150_000, 0, 150_000, 100_000, 150_000] {
      let outcome = bench.perform(
        .readAttachment(id: "d", name: "a", offset: start, limit: 50_000))
      #expect(outcome.errorKind == nil, "\(start)")
    }
  }

  /// A reader that continues after the store was reopened causes a second pass over the file.
  @Test func aReaderThatGoesOnAfterACrash() throws {
    let bytes = Self.content(150_000)
    let (bench, fileName) = try bench(bytes)
    func piece(_ offset: Int64) -> Outcome {
      bench.perform(.readAttachment(id: "d", name: "a", offset: offset, limit: 75_000))
    }
    for isDamaged in [false, true] {
      var changed = bytes
      if isDamaged { changed[0] ^= 0x80 }
      bench.storage[fileName] = changed
      #expect(piece(0).errorKind == nil)
      try bench.datastore.crash(.kill)
      bench.perform(.open())
      #expect(piece(75_000).errorKind == (isDamaged ? .storage(.corrupt) : nil))
    }
  }
}
