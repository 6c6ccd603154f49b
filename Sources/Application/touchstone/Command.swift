/// Something that the command line can be told to do.
///
/// A command is made from its arguments, which can fail only with a `UsageError`, and is then run.
protocol Command: SendableMetatype {
  /// What its help says, and which arguments it takes.
  static var manual: Manual { get }

  init(_ arguments: Arguments, _ context: Context) throws(UsageError)

  func run(_ context: Context) throws(CommandFailure) -> ExitCode
}

/// What the process says to its parent.
enum ExitCode: Int32 {
  /// Conformant, or whatever else a command calls right.
  case success = 0
  /// Not conformant, or whatever else a command calls wrong.
  case failure = 1
  case usage = 2
  /// The harness itself failed, so nobody knows.
  case harness = 3
}

/// A command could not do its work: a file is not there, an implementation does not start.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
  /// What went wrong, where, and what to do about it.
  let description: String
  /// Set when the command line is what is wrong, which only the work could show.
  let usage: UsageError?

  init(_ description: String) {
    self.description = description
    usage = nil
  }

  init(_ usage: UsageError) {
    description = usage.description
    self.usage = usage
  }
}
