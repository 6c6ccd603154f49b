import CCrypto

/// A digest of bytes that arrive in chunks.
///
/// The value cannot be copied, and `finish` consumes it, so no byte can follow the end.
public struct DigestStream: ~Copyable {
  private let context: OpaquePointer
  private let algorithm: DigestAlgorithm

  /// Creates a digest without input.
  public init(_ algorithm: DigestAlgorithm) {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    self.context = context
    self.algorithm = algorithm
    check(EVP_DigestInit_ex2(context, algorithm.method, nil))
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Appends bytes to the input of the digest.
  public mutating func update(_ bytes: some Collection<UInt8>) {
    let done: Void? = bytes.withContiguousStorageIfAvailable { update(contiguous: $0) }
    if done == nil { Array(bytes).withUnsafeBufferPointer { update(contiguous: $0) } }
  }

  /// Returns the digest of all appended bytes.
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
