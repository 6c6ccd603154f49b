#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The start of a program that runs beside this one.
package enum ProgramStart {
  /// The source or target of a standard stream.
  package enum Stream {
    /// That of this process.
    case inherited
    case descriptor(Int32)
    case nowhere
  }

  /// Starts a program that `ExitCleanup` ends with this process, and returns its process id.
  ///
  /// The process waits, in a shell, until it is registered, and ends if this process ends before
  /// that. Without the wait a kill between the start and the registration leaves it running.
  ///
  /// - Parameters:
  ///   - words: the path of the program, and its arguments.
  ///   - streams: standard input, output and error.
  ///   - variables: `NAME=value`; they extend or replace the environment of this process.
  ///   - leadsGroup: whether the program leads its own process group, which is ended as a whole.
  ///   - register: called with the process id before the program begins.
  package static func spawnRegistered(
    _ words: [String], streams: [Stream], variables: [String] = [], leadsGroup: Bool,
    register: (Int32) -> Void
  ) throws(SystemFailure) -> Int32 {
    // The shell would report these only by its exit code.
    guard access(words[0], X_OK) == 0 else { throw .last }
    guard isFile(words[0]) else { throw SystemFailure(code: EACCES) }
    let numbered = streams.enumerated().map { (Int32($0), $1) }
    guard access(shell, X_OK) == 0 else {
      // Without a shell nothing is cleaned up, and everything else works.
      let process = try spawn(
        words, streams: numbered, variables: variables, leadsGroup: leadsGroup)
      register(process)
      return process
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last }
    let (low, write) = (Descriptor(ends[0]), Descriptor(ends[1]))
    // A number other than that in the program, because `dup2` to itself does nothing.
    let number = fcntl(low.number, F_DUPFD_CLOEXEC, gate + 1)
    guard number >= 0 else { throw .last }
    let read = Descriptor(number)
    let process = try spawn(
      [shell, "-c", waiting, pathForShell(words[0])] + words.dropFirst(),
      streams: numbered + [(gate, .descriptor(read.number))],
      variables: variables, leadsGroup: leadsGroup)
    register(process)
    // An open read end, because the write raises a signal without one if the program was killed.
    withExtendedLifetime(read) { _ = write.write([UInt8(ascii: "\n")], from: 0) }
    return process
  }

  /// The path in a form that the shell neither searches in `PATH` nor takes for an option.
  static func pathForShell(_ path: String) -> String {
    path.utf8.contains(UInt8(ascii: "/")) ? path : "./\(path)"
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static let shell = "/bin/sh"

  /// The descriptor from which a started program reads that it is registered: the highest that
  /// every shell can name.
  static let gate: Int32 = 9

  /// A script that waits for a line from the gate, and then becomes the program in its arguments.
  static let waiting =
    "IFS= read -r touchstone_registered <&\(gate) && exec \(gate)<&- && exec \"$0\" \"$@\""

  /// Starts a program that may outlive this process.
  package static func spawn(
    _ words: [String], streams: [Stream], leadsGroup: Bool
  ) throws(SystemFailure) -> Int32 {
    try spawn(
      words, streams: streams.enumerated().map { (Int32($0), $1) }, variables: [],
      leadsGroup: leadsGroup)
  }

  /// Starts a program without blocked signals. It has the default handling of all signals if it
  /// leads a group; otherwise it has that of this process.
  private static func spawn(
    _ words: [String], streams: [(number: Int32, Stream)], variables: [String], leadsGroup: Bool
  ) throws(SystemFailure) -> Int32 {
    var process: pid_t = 0
    let code = withAttributes(leadsGroup) { attributes in
      withActions { actions in
        for (number, stream) in streams {
          switch stream {
          case .inherited: break
          case .descriptor(let other):
            _ = posix_spawn_file_actions_adddup2(&actions, other, number)
          case .nowhere:
            _ = posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
          }
        }
        return withCStrings(words) { words in
          guard !variables.isEmpty else {
            return posix_spawn(&process, words[0]!, &actions, &attributes, words, environ)
          }
          return withCStrings(environment(with: variables)) { variables in
            posix_spawn(&process, words[0]!, &actions, &attributes, words, variables)
          }
        }
      }
    }
    guard code == 0 else { throw SystemFailure(code: code) }
    return process
  }

  /// The environment of this process, with changes, as `NAME=value`.
  private static func environment(with variables: [String]) -> [String] {
    let names = variables.map { $0.prefix { $0 != "=" } }
    var entries: [String] = []
    var next = environ
    while let entry = next.pointee {
      let entry = String(cString: entry)
      if !names.contains(where: { entry.hasPrefix("\($0)=") }) { entries.append(entry) }
      next += 1
    }
    return entries + variables
  }

  private static func withAttributes(
    _ leadsGroup: Bool, _ body: (inout posix_spawnattr_t) -> Int32
  ) -> Int32 {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t? = nil
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that this process blocks must be able to end the program.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK)
    if leadsGroup {
      // Signals that this process ignores have their default in the program.
      sigfillset(&signals)
      posix_spawnattr_setsigdefault(&attributes, &signals)
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF)
    }
    posix_spawnattr_setflags(&attributes, flags)
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

  /// Calls `body` with the strings as C expects them: each ended by NUL, and the list by a null.
  private static func withCStrings(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let copies = strings.map { (string: String) in strdup(string) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
