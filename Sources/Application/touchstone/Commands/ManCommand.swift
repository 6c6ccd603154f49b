/// `touchstone man`: prints the manual page.
struct ManCommand: Command {
  static let manual = Manual(
    words: ["man"],
    summary: "Print the manual page.",
    notes: """
      The page is in roff, and contains the help of all commands.
      """,
    examples: [
      ("touchstone man | man -l -", "read it"),
      ("touchstone man > ~/.local/share/man/man1/touchstone.1", "install it"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {}

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    context.output(ManualPage(groups: CommandTable.groups).text)
    return .success
  }
}
