/// The command line says something that has no meaning.
struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong.
  let message: String
  /// The command that it was said to; nil when there is none.
  let command: String?
  /// What was probably meant.
  let suggestion: String?

  init(_ message: String, _ manual: Manual? = nil, suggestion: String? = nil) {
    self.message = message
    command = manual?.name
    self.suggestion = suggestion
  }

  var description: String {
    let name = command.map { "touchstone \($0)" } ?? "touchstone"
    let hint = suggestion.map { "; did you mean '\($0)'?" } ?? ""
    return "\(name): \(message)\(hint)\n'\(name) --help' tells more."
  }
}
