/// The place of an adapter, as in `--implementation`.
public enum AdapterPlace: Hashable, Sendable, CustomStringConvertible {
  /// A command line for a shell.
  case command(String)
  /// A socket on which the adapter listens.
  case listening(SocketAddress)
  /// A socket to which the adapter connects.
  case calling(SocketAddress)

  /// The words before the colon.
  public static let schemes = ["exec", "connect", "listen"]

  /// An error in a place.
  public struct Fault: Error, Hashable, CustomStringConvertible {
    public let description: String
  }

  /// Reads `exec:COMMAND`, `connect:HOST:PORT`, `connect:/path`, `listen:PORT` or `listen:/path`;
  /// nil for other prefixes.
  public init?(_ text: String) throws(Fault) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "exec":
      guard rest.utf8.contains(where: { $0 != UInt8(ascii: " ") }) else {
        throw Fault(description: "exec: needs a command, such as exec:./my-adapter")
      }
      self = .command(rest)
    case "connect": self = .listening(try SocketAddress(rest, isLocal: false))
    case "listen": self = .calling(try SocketAddress(rest, isLocal: true))
    default: return nil
    }
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

extension SocketAddress {
  /// Reads `/path`, and `PORT` if this process listens, or `HOST:PORT` if it connects.
  public init(_ text: String, isLocal: Bool) throws(AdapterPlace.Fault) {
    if text.utf8.first == UInt8(ascii: "/") {
      self = .path(text)
    } else if isLocal, let port = UInt16(text), port > 0 {
      self = .tcp(host: "127.0.0.1", port: port)
    } else if !isLocal, let colon = text.lastIndex(of: ":"), colon > text.startIndex,
      let port = UInt16(text[text.index(after: colon)...]), port > 0
    {
      self = .tcp(host: String(text[..<colon]), port: port)
    } else {
      let expected = isLocal ? "a port or a path from / on" : "HOST:PORT or a path from / on"
      throw AdapterPlace.Fault(
        description: "invalid socket address '\(text)'; expected \(expected)")
    }
  }
}
