internal import Digest
internal import JSON

/// The digest that identifies stored content and verifies transfers.
enum ContentDigest {
  private static let prefix = "sha256-"

  /// The digest of content as stored.
  static func of(_ bytes: [UInt8]) -> JSONString {
    JSONString(prefix + Base64.encode(DigestAlgorithm.sha256.digest(of: bytes)).string)
  }

  /// The 32 bytes that a digest encodes, or nil if it is not valid.
  static func bytes(_ digest: JSONString) -> [UInt8]? {
    guard digest.utf8.starts(with: prefix.utf8),
      let bytes = Base64.decode(JSONString(String(digest.string.dropFirst(prefix.count)))),
      bytes.count == DigestAlgorithm.sha256.byteCount
    else { return nil }
    return bytes
  }
}
