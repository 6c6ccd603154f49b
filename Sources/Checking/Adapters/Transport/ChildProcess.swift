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
    let process = try ProgramStart.spawnRegistered(
      ["/bin/sh", "-c", withoutShell(command)],
      streams: [
        .descriptor(pipes[0].read.number), .descriptor(pipes[1].write.number),
        .descriptor(pipes[2].write.number),
      ], leadsGroup: true
    ) { ExitCleanup.add(.group($0)) }
    return (process, pipes)
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
}
