import Compression
import Testing

struct GzipTests {
  /// The bytes that CouchDB 3 stores for the text "hello".
  @Test func isWhatCouchDBStores() {
    let golden: [UInt8] = [
      0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10,
      0x36,
      5, 0, 0, 0,
    ]
    #expect(GzipEncoding.encode(Array("hello".utf8), level: 8) == golden)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
  func comesBackWithItsLength(length: Int) throws {
    var state: UInt32 = 1
    let bytes = (0..<length).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    for level in [0, 1, 8, 9] {
      let encoded = GzipEncoding.encode(bytes, level: level)
      #expect(try GzipLength.of(encoded, limit: .max) == Int64(length))
      #expect(try GzipLength.of(encoded, limit: Int64(length)) == Int64(length))
      #expect(try GzipEncoding.decode(encoded, limit: Int64(length)) == bytes)
    }
  }

  @Test(arguments: [1, 2, 3, 17, 18, 19, 1000])
  func comesInPieces(size: Int) throws {
    let encoded = GzipEncoding.encode([UInt8](repeating: 7, count: 300_000), level: 9)
    var length = GzipLength(limit: 300_000)
    for start in stride(from: 0, to: encoded.count, by: size) {
      length.update(encoded[start..<min(start + size, encoded.count)])
    }
    #expect(try length.finish() == 300_000)
  }

  /// The output does not depend on the sizes of the input chunks.
  @Test(arguments: [1, 100, 65_536, 1_000_000], [1, 6, 8, 9])
  func goesOutInPieces(size: Int, level: Int) {
    var state: UInt32 = 1
    let bytes = (0..<500_000).map { place -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return place % 7 < 4 ? UInt8(truncatingIfNeeded: place / 900) : UInt8(state >> 28)
    }
    for count in [0, 1, 70_000, bytes.count] where size > 1 || count < bytes.count {
      var stream = GzipStream(level: level)
      var packed: [UInt8] = []
      bytes.prefix(count).withUnsafeBufferPointer { all in
        for start in stride(from: 0, to: count, by: size) {
          let piece = UnsafeBufferPointer(rebasing: all[start..<min(start + size, count)])
          stream.update(piece) { packed += $0 }
        }
      }
      stream.finish { packed += $0 }
      #expect(packed == GzipEncoding.encode(Array(bytes.prefix(count)), level: level))
    }
  }

  @Test func severalMembersAreOneText() throws {
    let one = GzipEncoding.encode(Array("hello".utf8), level: 8)
    #expect(try GzipLength.of(one + one, limit: 10) == 10)
    #expect(try GzipEncoding.decode(one + one, limit: 10) == Array("hellohello".utf8))
    #expect(throws: GzipError.tooLong(limit: 9)) { try GzipEncoding.decode(one + one, limit: 9) }
    #expect(throws: GzipError.cut) { try GzipEncoding.decode(one.dropLast(), limit: 9) }
    #expect(throws: GzipError.cut) { try GzipLength.of(one + one.dropLast(), limit: 10) }
    #expect(throws: GzipError.damaged) { try GzipLength.of(one + [0, 0], limit: 10) }
  }

  @Test func whatIsNoGzipIsRefused() {
    let encoded = GzipEncoding.encode(Array("hello, hello".utf8), level: 8)
    for count in 0..<encoded.count {
      #expect(throws: GzipError.cut) { try GzipLength.of(encoded.prefix(count), limit: 100) }
    }
    // The checksum and the length at the end, and the magic number at the front.
    for place in Array(encoded.count - 8..<encoded.count) + [0, 1, 2] {
      var damaged = encoded
      damaged[place] ^= 0x40
      #expect(throws: GzipError.damaged) { try GzipLength.of(damaged, limit: 100) }
    }
  }

  /// 1000 bytes that decode to 1,000,000: the reader stops at the limit, not at the end.
  @Test func aLimitIsKept() {
    let encoded = GzipEncoding.encode([UInt8](repeating: 0, count: 1_000_000), level: 9)
    #expect(throws: GzipError.tooLong(limit: 999_999)) {
      try GzipLength.of(encoded, limit: 999_999)
    }
  }
}
