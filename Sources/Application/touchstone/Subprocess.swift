internal import Adapters

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A program that runs beside this one, with the environment of this process, and its output so
/// far.
///
/// The system ends it when this process ends, in whatever way.
final class Subprocess {
  /// How a program ended.
  enum End: Hashable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
  }

  private(set) var output: [UInt8] = []
  /// The last part of its standard error.
  private(set) var errorTail: [UInt8] = []
  /// Nil while it runs.
  private(set) var end: End?
  private let process: pid_t
  /// The process id.
  var identifier: Int32 { process }
  private let descriptor: Int32
  /// The file descriptor of its standard error; negative at its end.
  private var errorDescriptor: Int32

  /// The kept size of the standard error, in bytes.
  private static let errorBytesMax = 8 << 10

  /// Starts a program; throws the error number of the system.
  ///
  /// - Parameter variables: `NAME=value`; they extend or replace the environment of this process.
  init(_ path: String, _ arguments: [String], variables: [String]) throws(Failure) {
    var (pipes, errorPipes): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&pipes) == 0 else { throw Failure(code: errno) }
    guard pipe(&errorPipes) == 0 else {
      let code = errno
      for end in pipes { _ = close(end) }
      throw Failure(code: code)
    }
    // A program started later must not inherit these descriptors, whichever thread starts it.
    for end in pipes + errorPipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let names = variables.map { $0.prefix { $0 != "=" } }
    let kept = Self.environment.filter { entry in
      !names.contains { entry.hasPrefix("\($0)=") }
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
        posix_spawn_file_actions_adddup2(&actions, errorPipes[1], 2)
        return Self.withAttributes { attributes in
          posix_spawn(&started, path, &actions, &attributes, arguments, variables)
        }
      }
    }
    _ = close(pipes[1])
    _ = close(errorPipes[1])
    guard code == 0 else {
      _ = close(pipes[0])
      _ = close(errorPipes[0])
      throw Failure(code: code)
    }
    process = started
    (descriptor, errorDescriptor) = (pipes[0], errorPipes[0])
    ExitCleanup.add(.process(process))
  }

  /// Spawn attributes that unblock all signals, so that signals can end the program.
  private static func withAttributes(_ body: (inout posix_spawnattr_t) -> Int32) -> Int32 {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t? = nil
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    return body(&attributes)
  }

  /// The environment of this process, with later changes, as `NAME=value`.
  private static var environment: [String] {
    var entries: [String] = []
    var next = environ
    while let entry = next.pointee {
      entries.append(String(cString: entry))
      next += 1
    }
    return entries
  }

  /// A program could not be started.
  struct Failure: Error, CustomStringConvertible {
    let code: Int32

    var description: String { String(cString: strerror(code)) }
  }

  /// Reads available output, waiting for as long as given; returns true once the program has ended.
  func advance(milliseconds: Int32) -> Bool {
    if end != nil { return true }
    var waiting = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&waiting, 2, milliseconds) > 0 else { return false }
    if waiting[1].revents != 0 { readError() }
    guard waiting[0].revents != 0 else { return false }
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

  /// Kills the program, and reads its remaining output.
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

  /// Kills the program because of its time limit.
  func stop() {
    guard end == nil else { return }
    kill()
    end = .timedOut
  }

  private func reap() -> Int32 {
    _ = close(descriptor)
    // A grandchild may keep the pipe open, so only available output is read.
    var waiting = pollfd(fd: errorDescriptor, events: Int16(POLLIN), revents: 0)
    var reads = 0
    while errorDescriptor >= 0, reads < 64, poll(&waiting, 1, 0) > 0 {
      readError()
      reads += 1
    }
    if errorDescriptor >= 0 { _ = close(errorDescriptor) }
    errorDescriptor = -1
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    ExitCleanup.remove(.process(process))
    return status
  }

  /// Reads once from the standard error.
  private func readError() {
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    let count = read(errorDescriptor, &chunk, chunk.count)
    guard count > 0 else {
      if count < 0, errno == EINTR { return }
      _ = close(errorDescriptor)
      errorDescriptor = -1
      return
    }
    errorTail += chunk[..<count]
    if errorTail.count > Self.errorBytesMax {
      errorTail.removeFirst(errorTail.count - Self.errorBytesMax)
    }
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
