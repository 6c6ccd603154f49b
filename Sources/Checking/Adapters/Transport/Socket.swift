#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The address of a socket: a path of a Unix socket, or a host and a port of TCP.
public enum SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// The path of a Unix socket.
  case path(String)
  /// A host name or numeric address, and a TCP port.
  case tcp(host: String, port: UInt16)

  public var description: String {
    switch self {
    case .path(let path): path
    case .tcp(let host, let port): "\(host):\(port)"
    }
  }
}

/// A socket on which peers may connect.
final class Listener {
  let descriptor: Descriptor
  /// The file of a Unix socket, which is removed with the listener.
  private let file: SocketFile?

  /// Listens; on a TCP port of the loopback interface only, on a Unix socket for its user only.
  init(_ address: SocketAddress) throws(SystemFailure) {
    var file: SocketFile?
    descriptor = try openSocket(address, isListening: true) { descriptor, location, length in
      var yes: Int32 = 1
      _ = setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      if case .path(let path) = address {
        do throws(SystemFailure) {
          file = try SocketFile(path) { bind(descriptor, location, length) == 0 }
        } catch {
          errno = error.code
          return false
        }
      } else if bind(descriptor, location, length) != 0 {
        return false
      }
      return listen(descriptor, 8) == 0
    }
    self.file = file
    descriptor.doNotBlock()
  }

  /// Returns the next connected peer; nil if none waits.
  func accept() -> Descriptor? {
    let number = acceptDescriptor(descriptor.number)
    return number >= 0 ? prepared(Descriptor(number)) : nil
  }
}

/// Connects to a listening peer, and retries until the deadline.
func connectSocket(
  _ address: SocketAddress, until deadline: Deadline
) throws(SystemFailure) -> Descriptor {
  while true {
    do throws(SystemFailure) {
      let descriptor = try openSocket(address, isListening: false) { connect($0, $1, $2) == 0 }
      return prepared(descriptor)
    } catch {
      guard Deadline.now < deadline else { throw error }
      usleep(20_000)
    }
  }
}

private func prepared(_ descriptor: Descriptor) -> Descriptor {
  descriptor.doNotBlock()
  // A line is a message and must not wait for the next one (TCP_NODELAY).
  var yes: Int32 = 1
  let size = socklen_t(MemoryLayout<Int32>.size)
  _ = setsockopt(descriptor.number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
  return descriptor
}

private func acceptDescriptor(_ number: Int32) -> Int32 { accept(number, nil, nil) }

/// Creates a socket and calls `use` with it and its address.
func openSocket(
  _ address: SocketAddress, isListening: Bool,
  _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
) throws(SystemFailure) -> Descriptor {
  switch address {
  case .path(let path):
    var unix = sockaddr_un()
    unix.sun_family = sa_family_t(AF_UNIX)
    let size = MemoryLayout.size(ofValue: unix.sun_path)
    guard path.utf8.count < size else { throw SystemFailure(code: ENAMETOOLONG) }
    guard !path.utf8.contains(0) else { throw SystemFailure(code: EINVAL) }
    withUnsafeMutableBytes(of: &unix.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let descriptor = Descriptor(socket(AF_UNIX, streamSocket, 0))
    guard descriptor.isOpen else { throw .last }
    let isUsed = withUnsafePointer(to: &unix) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { use(descriptor.number, $0, length) }
    }
    guard isUsed else { throw .last }
    return descriptor
  case .tcp(let host, let port):
    var hints = addrinfo()
    hints.ai_socktype = streamSocket
    if isListening { hints.ai_flags = AI_NUMERICHOST }
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else {
      throw SystemFailure(code: EADDRNOTAVAIL)
    }
    defer { freeaddrinfo(found) }
    var failure = SystemFailure(code: EADDRNOTAVAIL)
    for entry in sequence(first: first, next: { $0.pointee.ai_next }) {
      let descriptor = Descriptor(socket(entry.pointee.ai_family, streamSocket, 0))
      if descriptor.isOpen, let address = entry.pointee.ai_addr,
        use(descriptor.number, address, entry.pointee.ai_addrlen)
      {
        return descriptor
      }
      failure = .last
    }
    throw failure
  }
}

#if canImport(Glibc)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
  private let streamSocket = SOCK_STREAM
#endif
