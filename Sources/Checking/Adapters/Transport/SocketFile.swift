internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The file of a Unix socket on which this process listens.
///
/// Only its user may connect: the file has the mode 0600 from its creation on. It is removed with
/// the object, and when SIGTERM, SIGINT or SIGHUP ends the process.
final class SocketFile {
  private let place: Int?
  private let path: String
  private let identity: (device: UInt64, number: UInt64)?

  /// Binds a socket to a path with `bind`, which returns whether it succeeded.
  ///
  /// A file that a process left behind is replaced. Fails with `EADDRINUSE` if another process
  /// listens, or if the path is no socket.
  init(_ path: String, binding bind: () -> Bool) throws(SystemFailure) {
    try Self.removeStale(path)
    // The mask is shared by all threads of the process, so one thread at a time changes it.
    let bound = Self.masking.withLock { _ in
      let mask = umask(0o177)
      defer { _ = umask(mask) }
      // A signal between the creation of the file and its entry in the table would leave the file
      // behind.
      return SocketFiles.withSignalsBlocked { () -> Result<Bound, SystemFailure> in
        guard bind() else { return .failure(.last) }
        let identity = Self.identity(of: path)
        return .success((identity, identity.flatMap { SocketFiles.add(path, $0) }))
      }
    }
    (identity, place) = try bound.get()
    self.path = path
  }

  /// The file, and its place in the table of files to remove.
  private typealias Bound = (identity: (device: UInt64, number: UInt64)?, place: Int?)

  private static let masking = Mutex(())

  deinit {
    if let place { SocketFiles.forget(place) }
    // Another process may have replaced the file.
    if let identity, let now = Self.identity(of: path), now == identity { _ = unlink(path) }
  }

  /// Removes the file of a socket on which no process listens.
  private static func removeStale(_ path: String) throws(SystemFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemFailure(code: EADDRINUSE) }
    do throws(SystemFailure) {
      _ = try openSocket(.path(path), isListening: false) { connect($0, $1, $2) == 0 }
    } catch {
      guard error.code == ECONNREFUSED else { throw error }
      guard unlink(path) == 0 || errno == ENOENT else { throw .last }
      return
    }
    throw SystemFailure(code: EADDRINUSE)
  }

  /// What distinguishes a file from a later one at the same path.
  fileprivate static func identity(of path: String) -> (device: UInt64, number: UInt64)? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
  }
}

/// The files that a signal handler removes: a table of fixed size, because a handler must not
/// allocate.
private enum SocketFiles {
  private struct Entry {
    /// Nil for a free place. Never freed, because a handler may be reading it.
    var path: UnsafeMutablePointer<CChar>?
    var identity: (device: UInt64, number: UInt64)
  }

  private static let capacity = 16
  private static let signals = [SIGTERM, SIGINT, SIGHUP]
  nonisolated(unsafe) private static let entries = {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    entries.initialize(repeating: Entry(path: nil, identity: (0, 0)), count: capacity)
    return entries
  }()
  /// The previous action of each signal, in the order of `signals`.
  nonisolated(unsafe) private static let former = {
    let former = UnsafeMutablePointer<sigaction_t>.allocate(capacity: signals.count)
    former.initialize(repeating: sigaction_t(), count: signals.count)
    return former
  }()
  private static let isWatching = Mutex(false)

  /// Adds a file, and returns its place; nil if the table is full.
  static func add(_ path: String, _ identity: (device: UInt64, number: UInt64)) -> Int? {
    isWatching.withLock { isWatching in
      if !isWatching {
        isWatching = true
        watch()
      }
      guard let place = (0..<capacity).first(where: { entries[$0].path == nil }) else {
        return nil
      }
      entries[place].identity = identity
      entries[place].path = strdup(path)
      return place
    }
  }

  /// Calls a function with the signals blocked that remove the files.
  static func withSignalsBlocked<Value>(_ body: () -> Value) -> Value {
    var blocked = sigset_t()
    var former = sigset_t()
    _ = sigemptyset(&blocked)
    for signal in signals { _ = sigaddset(&blocked, signal) }
    _ = pthread_sigmask(SIG_BLOCK, &blocked, &former)
    defer { _ = pthread_sigmask(SIG_SETMASK, &former, nil) }
    return body()
  }

  static func forget(_ place: Int) { isWatching.withLock { _ in entries[place].path = nil } }

  private static func watch() {
    // Created here, so that the handler initializes nothing.
    _ = entries
    for (place, signal) in signals.enumerated() {
      var action = sigaction_t()
      guard sigaction(signal, nil, &action) == 0 else { continue }
      former[place] = action
      // Ignored signals stay ignored.
      guard !action.isIgnored else { continue }
      action.install { number in SocketFiles.handle(number) }
      _ = sigaction(signal, &action, nil)
    }
  }

  /// Removes the files, then performs the previous action of the signal.
  private static func handle(_ number: Int32) {
    let code = errno
    for place in 0..<capacity {
      guard let path = entries[place].path else { continue }
      var status = stat()
      guard lstat(path, &status) == 0,
        UInt64(truncatingIfNeeded: status.st_dev) == entries[place].identity.device,
        UInt64(status.st_ino) == entries[place].identity.number
      else { continue }
      _ = unlink(path)
    }
    for place in 0..<signals.count where signals[place] == number {
      _ = sigaction(number, &former[place], nil)
    }
    // Blocked while this handler runs; the signal is delivered at its end.
    _ = raise(number)
    errno = code
  }
}

// The function and the type have the same name.
private typealias sigaction_t = sigaction

extension sigaction_t {
  fileprivate var isIgnored: Bool {
    #if canImport(Darwin)
      unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
    #else
      unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
    #endif
  }

  fileprivate mutating func install(_ handler: @escaping @convention(c) (Int32) -> Void) {
    self = sigaction_t()
    sa_flags = SA_RESTART
    #if canImport(Darwin)
      __sigaction_u.__sa_handler = handler
    #else
      __sigaction_handler.sa_handler = handler
    #endif
  }
}
