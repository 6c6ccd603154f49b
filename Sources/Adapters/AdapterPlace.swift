/// Where an adapter is, as `--implementation` says it.
public enum AdapterPlace: Hashable, Sendable, CustomStringConvertible {
  /// A command line, which a shell reads.
  case command(String)
  /// A socket on which the adapter listens.
  case listening(SocketAddress)
  /// A socket on which the adapter is to call.
  case calling(SocketAddress)

  /// The words that may stand before the colon.
  public static let schemes = ["exec", "connect", "listen"]

  /// What is wrong with the name of a place.
  public struct Fault: Error, Hashable, CustomStringConvertible {
    public let description: String
  }

  /// Reads `exec:COMMAND`, `connect:HOST:PORT`, `connect:/path`, `listen:PORT` or `listen:/path`; nil
  /// for what begins with none of these words.
  public init?(_ text: String) throws(Fault) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "exec":
      guard rest.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else {
        throw Fault(description: "exec: needs a command, such as exec:./my-adapter")
      }
      self = .command(rest)
    case "connect": self = .listening(try Self.address(rest, isLocal: false))
    case "listen": self = .calling(try Self.address(rest, isLocal: true))
    default: return nil
    }
  }

  private static func address(_ text: String, isLocal: Bool) throws(Fault) -> SocketAddress {
    if text.utf8.first == UInt8(ascii: "/") { return .path(text) }
    if isLocal, let port = UInt16(text), port > 0 { return .tcp(host: "127.0.0.1", port: port) }
    if !isLocal, let colon = text.lastIndex(of: ":"), colon > text.startIndex,
      let port = UInt16(text[text.index(after: colon)...]), port > 0
    {
      return .tcp(host: String(text[..<colon]), port: port)
    }
    let expected =
      isLocal ? "a port or a path that begins with /" : "HOST:PORT or a path with / first"
    throw Fault(description: "'\(text)' is no place of a socket; expected \(expected)")
  }

  public var description: String {
    switch self {
    case .command(let command): "exec:\(command)"
    case .listening(let address): "connect:\(address)"
    case .calling(.tcp(_, let port)): "listen:\(port)"
    case .calling(let address): "listen:\(address)"
    }
  }
}
