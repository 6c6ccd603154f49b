/// A command of the command line.
///
/// Creating a command from its arguments throws only `UsageError`; then it runs.
protocol Command: SendableMetatype {
  /// The help text and the arguments.
  static var manual: Manual { get }

  init(_ arguments: Arguments, _ context: Context) throws(UsageError)

  /// The files that the command writes at its end; `-` is standard output. A path that cannot be
  /// written is an error before the work begins.
  var outputPaths: [String] { get }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode
}

extension Command {
  var outputPaths: [String] { [] }
}

/// The exit code of the process.
enum ExitCode: Int32 {
  /// Conformant, or success as defined by the command.
  case success = 0
  /// Not conformant, or failure as defined by the command.
  case failure = 1
  case usage = 2
  /// The harness failed, so there is no verdict.
  case harness = 3
}

/// A command could not finish: a file is missing, or an implementation does not start.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
  /// What went wrong, where, and what to do.
  let description: String
  /// Set if the cause is an error in the command line that was found only at run time.
  let usage: UsageError?

  init(_ description: String) {
    self.description = description.hidingUserInformation
    usage = nil
  }

  init(_ usage: UsageError) {
    description = usage.description
    self.usage = usage
  }
}
