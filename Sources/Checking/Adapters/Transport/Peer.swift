#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The other end of a connected socket, as the system describes it.
enum Peer: Hashable, CustomStringConvertible {
  /// A process of this machine, connected over a Unix socket.
  case process(identifier: Int32, user: UInt32)
  /// The address and port of TCP, such as `127.0.0.1:51234`.
  case address(String)
  /// Unknown to the system.
  case unknown

  var description: String {
    switch self {
    case .process(let identifier, let user): "process \(identifier) of user \(user)"
    case .address(let address): address
    case .unknown: "an unknown peer"
    }
  }

  init(of socket: Descriptor) {
    self = Self.process(socket) ?? Self.address(socket) ?? .unknown
  }

  private static func process(_ socket: Descriptor) -> Peer? {
    #if canImport(Darwin)
      var (user, group): (uid_t, gid_t) = (0, 0)
      guard getpeereid(socket.number, &user, &group) == 0 else { return nil }
      var identifier: pid_t = 0
      var size = socklen_t(MemoryLayout<pid_t>.size)
      _ = getsockopt(socket.number, SOL_LOCAL, LOCAL_PEERPID, &identifier, &size)
      return .process(identifier: identifier, user: user)
    #else
      // `struct ucred`, which the headers show to programs in C only: process, user and group.
      var credentials: [UInt32] = [0, 0, 0]
      let expected = socklen_t(MemoryLayout<UInt32>.size * credentials.count)
      var size = expected
      // Over TCP the call succeeds, too, with a process id of 0.
      guard getsockopt(socket.number, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0,
        size == expected, credentials[0] > 0
      else { return nil }
      return .process(identifier: Int32(bitPattern: credentials[0]), user: credentials[1])
    #endif
  }

  private static func address(_ socket: Descriptor) -> Peer? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    let isKnown = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getpeername(socket.number, address, &size) == 0
          && getnameinfo(
            address, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
            NI_NUMERICHOST | NI_NUMERICSERV) == 0
      }
    }
    guard isKnown, storage.ss_family != sa_family_t(AF_UNIX) else { return nil }
    return .address("\(text(host)):\(text(port))")
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
