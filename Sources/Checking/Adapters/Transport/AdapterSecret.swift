public import Datastore
internal import Digest
internal import JSON

/// The text that authenticates a peer on a TCP port.
///
/// Every user of the machine can connect to a port of the loopback interface. A secret
/// distinguishes the intended peer. It is sent in the first line of the connecting peer, as
/// `secret` in `hello` or in the response to `hello`.
public struct AdapterSecret: Sendable {
  /// The text to send.
  public let text: String
  private let bytes: [UInt8]

  /// The number of random bytes in a new secret.
  private static let byteCount = 32

  /// Creates an agreed secret; nil if the text is empty.
  public init?(_ text: String) {
    guard !text.utf8.isEmpty else { return nil }
    self.init(bytes: Array(text.utf8))
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a new secret: 32 random bytes of the system as 64 hexadecimal digits.
  public static func random() throws(HarnessError) -> AdapterSecret {
    let random: [UInt8]
    do throws(SystemFailure) { random = try SystemEntropy.bytes(byteCount) } catch {
      throw HarnessError("cannot read random bytes for a secret: \(error)")
    }
    return AdapterSecret(bytes: Array(random.hexadecimal.utf8))
  }

  /// Whether a text is the secret; compares in constant time.
  func matches(_ text: JSONString) -> Bool {
    let other = Array(text.utf8)
    guard other.count == bytes.count else { return false }
    var difference: UInt8 = 0
    for place in bytes.indices { difference |= bytes[place] ^ other[place] }
    return difference == 0
  }
}
