internal import Adapters
internal import Datastore
internal import Synchronization

#if HTTP
  internal import CouchDBDatastore
#endif

/// The shell commands that kill and start the server under test.
struct ServerCommands: Sendable {
  /// Kills the server, and ends after it.
  let stopCommand: String
  /// Starts the server; it ends, or runs as long as the server.
  let startCommand: String

  private let stops = Counter()

  /// A number that all copies of the value share.
  private final class Counter: Sendable {
    let value = Mutex(0)
  }

  init(stopCommand: String, startCommand: String) {
    (self.stopCommand, self.startCommand) = (stopCommand, startCommand)
  }

  /// The number of calls of `stop` so far.
  var stopCount: Int { stops.value.withLock { $0 } }

  private static let limitMilliseconds: Int32 = 60_000

  /// Runs a program of the shell, and waits for its end.
  ///
  /// - Parameters:
  ///   - arguments: those of `sh`.
  ///   - option: the option that has the command, for errors.
  private func runShell(_ arguments: [String], for option: String) throws(HarnessError) {
    let program: Subprocess
    do throws(SystemFailure) {
      program = try Subprocess("/bin/sh", arguments, variables: [])
    } catch {
      throw HarnessError("\(option): \(error)")
    }
    var waited: Int32 = 0
    while !program.advance(milliseconds: 100) {
      waited += 100
      if waited >= Self.limitMilliseconds { program.stop() }
    }
    func failure(_ end: String) -> HarnessError {
      let text = String(decoding: program.errorTail, as: UTF8.self)
      return HarnessError("\(option) \(end)" + (text.isEmpty ? "" : ": \(text)"))
    }
    switch program.end {
    case .exited(0): break
    case .timedOut: throw HarnessError("\(option) did not end within 60 s")
    case .exited(let code): throw failure("ended with the exit code \(code)")
    case .signalled(let signal): throw failure("was ended by signal \(signal)")
    case nil: throw failure("did not end")
    }
  }

  func stop() throws(HarnessError) {
    stops.value.withLock { $0 += 1 }
    try runShell(["-c", stopCommand], for: Manual.Option.stopCommand.name)
  }

  /// Starts the command in the background: Control-C at the terminal does not end it.
  func start() throws(HarnessError) {
    try runShell(
      ["-c", #"sh -c "$1" </dev/null >/dev/null 2>&1 &"#, "sh", startCommand],
      for: Manual.Option.startCommand.name)
  }
}

#if HTTP
  extension ServerCommands: ServerControl {}
#endif
