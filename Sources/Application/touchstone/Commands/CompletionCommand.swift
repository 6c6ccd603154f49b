/// `touchstone completion`: prints a script that completes command lines in a shell.
struct CompletionCommand: Command {
  let shell: Shell

  static let manual = Manual(
    words: ["completion"],
    summary: "Print a script that completes commands, options and values in a shell.",
    operands: [Shell.allCases.map(\.rawValue).joined(separator: "|")],
    notes: """
      The Debian package installs the scripts. For other installations, load the script where the \
      shell starts.
      """,
    examples: [
      (
        "touchstone completion bash > ~/.local/share/bash-completion/completions/touchstone", "bash"
      ),
      ("touchstone completion zsh > ~/.zfunc/_touchstone", "zsh, if fpath contains ~/.zfunc"),
      ("touchstone completion fish > ~/.config/fish/completions/touchstone.fish", "fish"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let word = arguments.operands[0]
    let known = Shell.allCases.map(\.rawValue)
    guard let shell = Shell(rawValue: word) else {
      throw UsageError(
        "unknown shell '\(word)'; expected one of \(known.joined(separator: ", "))", Self.manual,
        suggestion: nearest(to: word, among: known))
    }
    self.shell = shell
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let manuals = CommandTable.groups.flatMap(\.manuals)
    context.output(shell.script(Completion(manuals)))
    return .success
  }
}
