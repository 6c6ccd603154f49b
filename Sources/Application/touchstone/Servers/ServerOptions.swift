internal import Datastore

extension Manual.Option {
  static let allowRemote = Manual.Option(
    name: "--allow-remote",
    help:
      "With couchdb:URL: test a server on another machine. Databases are created and removed there."
  )

  static let stopCommand = Manual.Option(
    name: "--stop-command", value: "COMMAND",
    help:
      "With couchdb:URL and --start-command: the shell command that kills the server, so that its "
      + "crashes are tested, too. It must end after the server has ended.")

  static let startCommand = Manual.Option(
    name: "--start-command", value: "COMMAND",
    help:
      "With --stop-command: the shell command that starts the server again. It may keep running.")
}

/// The options of the command line about servers under test.
struct ServerOptions: Sendable {
  /// Whether servers on other machines may be tested.
  var allowsRemote = false
  /// Kills and starts the server; nil if it is not crashed.
  var commands: ServerCommands?

  /// Options that no command line gave.
  init() {}

  /// - Parameter names: the values of `--implementation`.
  init(_ arguments: Arguments, of names: [String], _ manual: Manual) throws(UsageError) {
    let servers = names.filter {
      ImplementationEntry.serverPrefix(of: $0) != nil
        || ImplementationEntry.wireMutantParts(of: $0) != nil
    }
    allowsRemote = arguments.has(Manual.Option.allowRemote.name)
    guard !allowsRemote || !servers.isEmpty else {
      throw UsageError("--allow-remote needs --implementation couchdb:URL", manual)
    }
    let isOffered = manual.options.contains { $0.name == Manual.Option.stopCommand.name }
    guard isOffered else { return }
    switch (arguments.value("--stop-command"), arguments.value("--start-command")) {
    case (nil, nil): break
    case (let stop?, let start?):
      guard !servers.isEmpty else {
        throw UsageError("--stop-command needs --implementation couchdb:URL", manual)
      }
      guard Set(servers).count == 1 else {
        throw UsageError("--stop-command needs one server, not \(Set(servers).count)", manual)
      }
      guard !allowsRemote else {
        throw UsageError("--stop-command is for a server on this machine", manual)
      }
      commands = ServerCommands(stopCommand: stop, startCommand: start)
    default: throw UsageError("--stop-command and --start-command need each other", manual)
    }
  }

  /// The options of the command line that say the same.
  var words: [String] {
    (allowsRemote ? [Manual.Option.allowRemote.name] : [])
      + (commands.map { ["--stop-command", $0.stopCommand, "--start-command", $0.startCommand] }
        ?? [])
  }
}
