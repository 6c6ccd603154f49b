import Digest
import Testing

@Suite struct DigestAlgorithmTests {
  /// RFC 1321, appendix A.5.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"),
    ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    (
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
      "d174ab98d277d9f5a5611c2c9f419d9f"
    ),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func md5OfTheRFC(input: String, digest: String) {
    #expect(DigestAlgorithm.md5.digest(of: input.utf8).hexadecimal == digest)
  }

  /// RFC 3174, section 7.3, and the digest of the empty input.
  @Test(arguments: [
    ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ),
    ("a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    (
      "0123456701234567012345670123456701234567012345670123456701234567", 10,
      "dea356a2cddd90c7a7ecedc5ebb563934f460452"
    ),
  ])
  func sha1OfTheRFC(input: String, repeats: Int, digest: String) {
    let bytes = repeatElement(Array(input.utf8), count: repeats).flatMap { $0 }
    #expect(DigestAlgorithm.sha1.digest(of: bytes).hexadecimal == digest)
  }

  /// RFC 6234, section 8.5, and the digest of the empty input.
  @Test(arguments: [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    (
      "0123456701234567012345670123456701234567012345670123456701234567", 10,
      "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"
    ),
  ])
  func sha256OfTheRFC(input: String, repeats: Int, digest: String) {
    let bytes = repeatElement(Array(input.utf8), count: repeats).flatMap { $0 }
    #expect(DigestAlgorithm.sha256.digest(of: bytes).hexadecimal == digest)
  }

  @Test(arguments: DigestAlgorithm.allCases)
  func lengthIsTheOnePromised(algorithm: DigestAlgorithm) {
    #expect(algorithm.digest(of: [1, 2, 3]).count == algorithm.byteCount)
  }

  /// A reversed collection has no contiguous storage.
  @Test(arguments: DigestAlgorithm.allCases)
  func bytesNeedNotBeContiguous(algorithm: DigestAlgorithm) {
    let bytes = (0..<200).map(UInt8.init)
    #expect(algorithm.digest(of: bytes.reversed()) == algorithm.digest(of: Array(bytes.reversed())))
  }

  @Test func threadsMayShareAnAlgorithm() async {
    let bytes = [UInt8](repeating: 7, count: 1000)
    let expected = DigestAlgorithm.sha256.digest(of: bytes)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { _ in DigestAlgorithm.sha256.digest(of: bytes) == expected }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
