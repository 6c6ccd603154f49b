public import Datastore
internal import Digest
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The text that a peer has to know before it may speak over a TCP port.
///
/// Every user of the machine can connect to a port of the loopback interface. A secret tells the
/// intended peer from all others. It stands in the first line of the peer that connects, as `secret`
/// in `hello` or in the answer to `hello`.
public struct AdapterSecret: Sendable {
  /// What the peer has to send.
  public let text: String
  private let bytes: [UInt8]

  /// How many random bytes a new secret has.
  private static let byteCount = 32

  /// A secret that was agreed on; nil when the text is empty.
  public init?(_ text: String) {
    guard !text.utf8.isEmpty else { return nil }
    self.init(bytes: Array(text.utf8))
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// A new secret: 32 random bytes of the system as 64 hexadecimal digits.
  public static func random() throws(HarnessError) -> AdapterSecret {
    var random = [UInt8](repeating: 0, count: byteCount)
    guard getentropy(&random, random.count) == 0 else {
      throw HarnessError("cannot read random bytes for a secret: \(SystemFailure.last)")
    }
    return AdapterSecret(bytes: Array(random.hexadecimal.utf8))
  }

  /// Whether a text is the secret; how long the answer takes does not depend on how much of it is right.
  func matches(_ text: JSONString) -> Bool {
    let other = Array(text.utf8)
    guard other.count == bytes.count else { return false }
    var difference: UInt8 = 0
    for place in bytes.indices { difference |= bytes[place] ^ other[place] }
    return difference == 0
  }
}
