#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Random bytes of the operating system, for what another person must not be able to predict.
///
/// Everything else takes its random numbers from a seed.
package enum SystemEntropy {
  /// Returns new random bytes.
  ///
  /// - Parameter count: at most 256, the limit of `getentropy`.
  package static func bytes(_ count: Int) throws(SystemFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard getentropy(&bytes, count) == 0 else { throw SystemFailure.last }
    return bytes
  }
}
