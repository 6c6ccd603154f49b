import Digest
import Testing

@Suite struct DigestStreamTests {
  @Test(arguments: DigestAlgorithm.allCases)
  func noBytesAtAll(algorithm: DigestAlgorithm) {
    let stream = DigestStream(algorithm)
    #expect(stream.finish() == algorithm.digest(of: []))
  }

  /// Every split of the input in two, for lengths up to two blocks.
  @Test(arguments: DigestAlgorithm.allCases)
  func cutsDoNotMatter(algorithm: DigestAlgorithm) {
    let bytes = (0..<130).map { UInt8($0) }
    let whole = algorithm.digest(of: bytes)
    for cut in 0...bytes.count {
      var stream = DigestStream(algorithm)
      stream.update(bytes[..<cut])
      stream.update(bytes[cut...])
      #expect(stream.finish() == whole, "cut at \(cut)")
    }
  }

  @Test func bytesNeedNotBeContiguous() {
    var stream = DigestStream(.sha256)
    stream.update([3, 2].reversed())
    stream.update("abc".utf8)
    #expect(stream.finish() == DigestAlgorithm.sha256.digest(of: [2, 3, 0x61, 0x62, 0x63]))
  }

  @Test func streamsAreIndependent() {
    var first = DigestStream(.md5)
    var second = DigestStream(.md5)
    first.update([1])
    second.update([2])
    first.update([3])
    #expect(first.finish() == DigestAlgorithm.md5.digest(of: [1, 3]))
    #expect(second.finish() == DigestAlgorithm.md5.digest(of: [2]))
  }
}
