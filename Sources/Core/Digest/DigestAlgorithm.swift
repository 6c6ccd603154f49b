import CCrypto

/// A hash function of libcrypto.
public enum DigestAlgorithm: CaseIterable, Hashable, Sendable {
  case md5
  case sha1
  case sha256

  /// The digest of all the bytes, most significant byte first as every specification prints it.
  public func digest(of bytes: some Collection<UInt8>) -> [UInt8] {
    let digest = bytes.withContiguousStorageIfAvailable { oneShotDigest(of: $0) }
    return digest ?? Array(bytes).withUnsafeBufferPointer { oneShotDigest(of: $0) }
  }

  /// The length of a digest in bytes.
  public var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256: 32
    }
  }

  private func oneShotDigest(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { digest, count in
      check(EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, nil, method, nil))
      count = byteCount
    }
  }
}

extension DigestAlgorithm {
  /// The implementation, fetched once: without that, libcrypto searches its providers at each use.
  var method: OpaquePointer {
    switch self {
    case .md5: DigestAlgorithm.md5Method
    case .sha1: DigestAlgorithm.sha1Method
    case .sha256: DigestAlgorithm.sha256Method
    }
  }

  // libcrypto never changes a fetched method, so all threads may share one.
  nonisolated(unsafe) private static let md5Method = fetch("MD5")
  nonisolated(unsafe) private static let sha1Method = fetch("SHA1")
  nonisolated(unsafe) private static let sha256Method = fetch("SHA256")

  private static func fetch(_ name: String) -> OpaquePointer {
    guard let method = EVP_MD_fetch(nil, name, nil) else {
      preconditionFailure("libcrypto does not provide \(name)")
    }
    return method
  }
}

/// Stops the program if libcrypto reports a failure; with a fetched method and enough memory, only
/// an invalid call can cause one.
func check(_ status: Int32) {
  precondition(status == 1, "libcrypto failed to compute a digest")
}
