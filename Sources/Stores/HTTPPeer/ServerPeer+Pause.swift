#if HTTP
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Glibc
  #endif

  extension ServerPeer {
    /// Blocks the calling thread for a time: the pause of a replication with a server.
    public static func pause(nanoseconds: UInt64) {
      var rest = timespec()
      rest.tv_sec = Int(nanoseconds / 1_000_000_000)
      rest.tv_nsec = Int(nanoseconds % 1_000_000_000)
      var remaining = timespec()
      // A signal ends a pause early.
      while nanosleep(&rest, &remaining) != 0, errno == EINTR { rest = remaining }
    }
  }
#endif
