import CCrypto

/// A digest of bytes that come piece by piece.
///
/// It cannot be copied, and finishing consumes it: no byte can come after the end.
public struct DigestStream: ~Copyable {
  private let context: OpaquePointer
  private let algorithm: DigestAlgorithm

  /// The digest of no bytes yet.
  public init(_ algorithm: DigestAlgorithm) {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    self.context = context
    self.algorithm = algorithm
    check(EVP_DigestInit_ex2(context, algorithm.method, nil))
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Appends bytes to those that the digest is of.
  public mutating func update(_ bytes: some Collection<UInt8>) {
    let done: Void? = bytes.withContiguousStorageIfAvailable { update(contiguous: $0) }
    if done == nil { Array(bytes).withUnsafeBufferPointer { update(contiguous: $0) } }
  }

  /// The digest of all bytes that came.
  public consuming func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: algorithm.byteCount) { digest, count in
      check(EVP_DigestFinal_ex(context, digest.baseAddress, nil))
      count = algorithm.byteCount
    }
  }

  private func update(contiguous bytes: UnsafeBufferPointer<UInt8>) {
    check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
  }
}
