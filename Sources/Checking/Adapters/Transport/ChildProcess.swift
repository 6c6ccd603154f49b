internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A program that runs beside this one, with pipes to its three standard streams.
///
/// It leads its own process group, so that its children can be killed with it.
final class ChildProcess {
  let input: Descriptor
  let output: Descriptor
  let error: Descriptor
  private let process: pid_t
  /// The process id.
  var identifier: Int32 { process }
  /// Nil while it runs.
  private(set) var end: End?

  /// How a program ended.
  enum End: Hashable, CustomStringConvertible {
    case exited(Int32)
    case signalled(Int32)

    var description: String {
      switch self {
      // A shell in between reports the signal as this exit code.
      case .exited(let code) where code > 128 && code <= 128 + 64:
        "the adapter exited with code \(code), in a shell \(Self.name(of: code - 128))"
      case .exited(let code): "the adapter exited with code \(code)"
      case .signalled(let signal): "the adapter was killed by \(Self.name(of: signal))"
      }
    }

    /// A short word for it.
    var shape: String {
      switch self {
      case .exited(let code): "exit \(code)"
      case .signalled(let signal): String(Self.name(of: signal).prefix { $0 != "(" && $0 != " " })
      }
    }

    /// The name of a signal.
    private static func name(of signal: Int32) -> String {
      switch signal {
      case SIGABRT: "SIGABRT (abort)"
      case SIGSEGV: "SIGSEGV (invalid memory access)"
      case SIGBUS: "SIGBUS (invalid memory access)"
      case SIGFPE: "SIGFPE (arithmetic error, such as a division by zero)"
      case SIGILL: "SIGILL (trap)"
      case SIGTRAP: "SIGTRAP (trap)"
      case SIGKILL: "SIGKILL (kill, or out of memory)"
      case SIGTERM: "SIGTERM"
      case SIGINT: "SIGINT"
      case SIGPIPE: "SIGPIPE"
      default: "signal \(signal)"
      }
    }
  }

  /// Starts a command line with a shell.
  init(command: String) throws(SystemFailure) {
    // A program that another thread starts at this moment must not inherit these pipes.
    let started = Self.starting.withLock { _ in
      Result { () throws(SystemFailure) in try Self.start(command) }
    }
    let pipes: [(read: Descriptor, write: Descriptor)]
    (process, pipes) = try started.get()
    (input, output, error) = (pipes[0].write, pipes[1].read, pipes[2].read)
    for descriptor in [input, output, error] { descriptor.doNotBlock() }
  }

  private static let starting = Mutex(())

  private static func start(
    _ command: String
  ) throws(SystemFailure) -> (pid_t, [(read: Descriptor, write: Descriptor)]) {
    var pipes: [(read: Descriptor, write: Descriptor)] = []
    for _ in 0..<3 {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw .last }
      pipes.append((Descriptor(ends[0]), Descriptor(ends[1])))
    }
    let started = spawn(
      ["/bin/sh", "-c", withoutShell(command)],
      streams: [
        .descriptor(pipes[0].read.number), .descriptor(pipes[1].write.number),
        .descriptor(pipes[2].write.number),
      ])
    let process = try started.get()
    ExitCleanup.add(.group(process))
    return (process, pipes)
  }

  /// The source or target of a standard stream.
  enum Stream {
    case descriptor(Int32)
    case nowhere
  }

  /// Starts a program with the environment of this process, in its own group, and with default
  /// signal handling.
  ///
  /// - Parameter streams: standard input, output and error.
  static func spawn(_ words: [String], streams: [Stream]) -> Result<pid_t, SystemFailure> {
    var process: pid_t = 0
    let code = withAttributes { attributes in
      withActions { actions in
        for (number, stream) in streams.enumerated() {
          switch stream {
          case .descriptor(let other):
            _ = posix_spawn_file_actions_adddup2(&actions, other, Int32(number))
          case .nowhere:
            _ = posix_spawn_file_actions_addopen(
              &actions, Int32(number), "/dev/null", O_RDWR, 0)
          }
        }
        let words = words.map { (word: String) in strdup(word) }
        defer { for word in words { free(word) } }
        return posix_spawn(&process, words[0]!, &actions, &attributes, words + [nil], environ)
      }
    }
    return code == 0 ? .success(process) : .failure(SystemFailure(code: code))
  }

  deinit { kill() }

  /// The command in a form that leaves no shell between it and its signals, if it is a single
  /// program.
  private static func withoutShell(_ command: String) -> String {
    let isSingle = !command.utf8.contains { ";&|()<>={}\n".utf8.contains($0) }
    let word = command.split(separator: " ").first.map(String.init) ?? ""
    return isSingle && !builtIns.contains(word) ? "exec \(command)" : command
  }

  /// Characters that need a shell.
  private static let builtIns: Set<String> = [
    ".", ":", "break", "cd", "command", "continue", "eval", "exec", "exit", "export", "readonly",
    "return", "set", "shift", "times", "trap", "ulimit", "umask", "unset", "wait",
  ]

  /// Whether it has ended.
  func hasEnded() -> Bool {
    guard end == nil else { return true }
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return false }
    note(status)
    return true
  }

  /// Waits a limited time for its end.
  func waitForEnd(until deadline: Deadline) {
    while !hasEnded(), Deadline.now < deadline { usleep(500) }
  }

  /// Kills it with all processes of its group.
  func kill() {
    if end == nil {
      _ = killpg(process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      note(status)
    } else {
      // Only remaining processes of the group receive this signal.
      _ = killpg(process, SIGKILL)
    }
    ExitCleanup.remove(.group(process))
    for descriptor in [input, output, error] { descriptor.close() }
  }

  private func note(_ status: Int32) {
    let signal = status & 0x7f
    end = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
  }

  private static func withAttributes(
    _ body: (inout posix_spawnattr_t) -> Int32
  ) -> Int32 {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t? = nil
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that this process ignores or blocks have their default in the program.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    return body(&attributes)
  }

  private static func withActions(
    _ body: (inout posix_spawn_file_actions_t) -> Int32
  ) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t? = nil
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    return body(&actions)
  }
}
