#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A program that runs beside this one, and all that it has written so far.
///
/// Its standard error goes nowhere, and of the environment it gets what is needed to start.
final class Subprocess {
  /// How a program came to its end.
  enum End: Hashable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
  }

  private(set) var output: [UInt8] = []
  /// Nil while it runs.
  private(set) var end: End?
  private let process: pid_t
  private let descriptor: Int32

  /// The variables that are handed on.
  private static let inherited = [
    "PATH", "HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS",
  ]

  /// Starts a program; the error is the number that the system gives.
  init(_ path: String, _ arguments: [String], _ variables: [String]) throws(Failure) {
    var pipes: [Int32] = [0, 0]
    guard pipe(&pipes) == 0 else { throw Failure(code: errno) }
    let kept = Self.inherited.compactMap { name in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    var started: pid_t = 0
    let code = Self.withCStrings([path] + arguments) { arguments in
      Self.withCStrings(kept + variables) { variables in
        #if canImport(Darwin)
          var actions: posix_spawn_file_actions_t? = nil
        #else
          var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclose(&actions, pipes[0])
        return posix_spawn(&started, path, &actions, nil, arguments, variables)
      }
    }
    _ = close(pipes[1])
    guard code == 0 else {
      _ = close(pipes[0])
      throw Failure(code: code)
    }
    process = started
    descriptor = pipes[0]
    // The next program must not hold this one's end of the pipe.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// A program could not be started.
  struct Failure: Error, CustomStringConvertible {
    let code: Int32

    var description: String { String(cString: strerror(code)) }
  }

  /// Takes in what it has written, waiting for more as long as given; true when it has ended.
  func advance(milliseconds: Int32) -> Bool {
    if end != nil { return true }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &chunk, chunk.count)
    if count > 0 {
      output += chunk[..<count]
      return false
    }
    if count < 0, errno == EINTR { return false }
    let status = reap()
    let signal = status & 0x7f
    end = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
    return true
  }

  /// Ends it without a warning, and takes in what it had written until then.
  func kill() {
    #if canImport(Glibc)
      _ = Glibc.kill(process, SIGKILL)
    #elseif canImport(Musl)
      _ = Musl.kill(process, SIGKILL)
    #elseif canImport(Darwin)
      _ = Darwin.kill(process, SIGKILL)
    #endif
    while !advance(milliseconds: 100) {}
  }

  /// Ends it, because it takes too long.
  func stop() {
    guard end == nil else { return }
    kill()
    end = .timedOut
  }

  private func reap() -> Int32 {
    _ = close(descriptor)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Calls `body` with the strings as C wants them: each ended by NUL, and the list by a null.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
