internal import Conformance
internal import Datastore
internal import ObjectOperations

/// All commands. To add one, add a file to `Commands` and a line here.
enum CommandTable {
  static let groups = [
    CommandGroup(
      title: "Test a store",
      commands: [
        RunCommand.self,
        ExplainCommand.self,
        NewAdapterCommand.self,
        DoctorCommand.self,
        DiagnoseCommand.self,
        CompareCommand.self,
        ConcurrentCommand.self,
        VerifyCommand.self,
        LintCommand.self,
        ResolverCommand.self,
        UpgradeCommand.self,
        ObjectsCommand.self,
        ModelCommand.self,
        ServeCommand.self,
      ]),
    CommandGroup(
      title: "Simulate and explore",
      commands: [
        SimulateCommand.self,
        CollectionsCommand.self,
        ExploreCommand.self,
        RaceCommand.self,
        InterleaveCommand.self,
        MigrationsCommand.self,
        CrashCommand.self,
        ReplayCommand.self,
        ShrinkCommand.self,
        MergeCommand.self,
      ]),
    CommandGroup(
      title: "Read and write the corpus",
      commands: [
        VectorsListCommand.self,
        VectorsShowCommand.self,
        VectorsPromoteCommand.self,
        VectorsCheckCommand.self,
        VectorsLintCommand.self,
        VectorsGenerateCommand.self,
      ]),
    CommandGroup(
      title: "Maintain",
      commands: [
        DefectsCommand.self,
        BenchCommand.self,
        CompletionCommand.self,
        ManCommand.self,
      ]),
  ]

  static var commands: [any Command.Type] { groups.flatMap(\.commands) }

  private static var manuals: [Manual] { commands.map { $0.manual } }

  /// Finds the command by the first words, creates it and runs it.
  static func run(_ arguments: [String], _ context: Context) -> ExitCode {
    OperationFamily.registerObjects()
    do throws(UsageError) {
      return try dispatch(arguments, context)
    } catch {
      context.error(TextLayout.printableLines("\(error)") + "\n")
      return .usage
    }
  }

  private static func dispatch(
    _ arguments: [String], _ context: Context
  ) throws(UsageError) -> ExitCode {
    guard let first = arguments.first else {
      context.error(overview(width: context.errorWidth))
      return .usage
    }
    switch first {
    case "--help", "-h", "help":
      let words = Array(arguments.dropFirst())
      context.output(try help(about: words, width: context.width))
      return .success
    case "--version", "-V":
      context.output("touchstone \(toolVersion)\n")
      return .success
    default: break
    }
    guard let (command, rest) = match(arguments) else { return try group(arguments, context) }
    let options = rest.prefix { $0 != "--" }
    if options.contains("--help") || options.contains("-h") {
      context.output(command.manual.text(width: context.width))
      return .success
    }
    let parsed = try Arguments(rest, for: command.manual)
    let instance = try command.init(parsed, context)
    do throws(CommandFailure) {
      for path in instance.outputPaths where path != "-" { try requirePlace(path) }
      return try instance.run(context)
    } catch {
      if let usage = error.usage { throw usage }
      context.error("touchstone: \(TextLayout.printableLines(error.description))\n")
      return .harness
    }
  }

  /// Throws if a file cannot be written at a path.
  private static func requirePlace(_ path: String) throws(CommandFailure) {
    do throws(Files.Failure) {
      try Files.requirePlace(path)
    } catch {
      throw CommandFailure("cannot write the report: \(error)")
    }
  }

  /// Returns the command whose words begin the arguments, and the remaining arguments.
  private static func match(_ arguments: [String]) -> ((any Command.Type), [String])? {
    for command in commands {
      let words = command.manual.words
      if arguments.count >= words.count, Array(arguments.prefix(words.count)) == words {
        return (command, Array(arguments.dropFirst(words.count)))
      }
    }
    return nil
  }

  /// Reports an unknown command or an incomplete group of commands, with a suggestion.
  private static func group(
    _ arguments: [String], _ context: Context
  ) throws(UsageError) -> ExitCode {
    let members = manuals.filter { $0.words[0] == arguments[0] }
    guard !members.isEmpty else {
      if arguments[0].utf8.first == UInt8(ascii: "-") {
        throw UsageError(
          "unknown option '\(arguments[0])'",
          suggestion: nearest(to: arguments[0], among: ["--help", "--version"]))
      }
      let words = manuals.map { $0.words[0] }
      throw UsageError(
        "unknown command '\(arguments[0])'", suggestion: nearest(to: arguments[0], among: words))
    }
    guard arguments.count > 1 else {
      throw UsageError("'\(arguments[0])' needs one of \(list(members))")
    }
    if arguments[1] == "--help" || arguments[1] == "-h" {
      context.output(Manual.overview(of: members, width: context.width))
      return .success
    }
    throw UsageError(
      "unknown command '\(arguments[0]) \(arguments[1])'; expected one of \(list(members))",
      suggestion: nearest(to: arguments[1], among: members.map { $0.words.last ?? "" } + ["--help"])
    )
  }

  private static func list(_ members: [Manual]) -> String {
    members.map { $0.words.dropFirst().joined(separator: " ") }.joined(separator: ", ")
  }

  private static func help(about words: [String], width: Int) throws(UsageError) -> String {
    guard !words.isEmpty else { return overview(width: width) }
    if let (command, _) = match(words) { return command.manual.text(width: width) }
    let members = manuals.filter { $0.words[0] == words[0] }
    guard members.isEmpty else { return Manual.overview(of: members, width: width) }
    let known = manuals.map { $0.words[0] }
    throw UsageError(
      "no command '\(words[0])'", suggestion: nearest(to: words[0], among: known))
  }

  private static func overview(width: Int) -> String {
    func lines(_ text: String) -> String {
      TextLayout.wrapped(text, width: width, indent: "").map { $0 + "\n" }.joined()
    }
    return [
      lines("touchstone \(toolVersion): conformance tests for replicated document stores."),
      CommandGroup.overview(of: groups, width: width),
      lines("Run 'touchstone COMMAND --help' for its options and examples."),
      lines(
        "Exit codes: 0 conformant, 1 not conformant, 2 wrong usage, 3 the harness itself failed."),
    ].joined(separator: "\n")
  }
}
