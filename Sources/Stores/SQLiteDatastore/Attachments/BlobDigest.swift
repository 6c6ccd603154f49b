internal import Digest
internal import JSON

/// The SHA-256 of content as stored and transferred: the name under which it is stored.
struct BlobDigest: Hashable {
  /// The 32 bytes of the digest.
  let bytes: [UInt8]

  private static let prefix = "sha256-"

  /// The digest of empty content, which counts as stored without a file.
  static let ofNothing = BlobDigest(bytes: DigestAlgorithm.sha256.digest(of: []))

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The digest that a text encodes: `sha256-` and the base64 of 32 bytes.
  init?(_ text: JSONString) {
    guard text.utf8.starts(with: Self.prefix.utf8),
      let bytes = Base64.decode(JSONString(String(text.string.dropFirst(Self.prefix.count)))),
      bytes.count == DigestAlgorithm.sha256.byteCount
    else { return nil }
    self.bytes = bytes
  }

  var text: JSONString { JSONString(Self.prefix + Base64.encode(bytes).string) }
}
