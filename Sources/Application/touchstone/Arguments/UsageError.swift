/// The command line says something that has no meaning.
struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong.
  let message: String
  /// The command that it was said to; nil when there is none.
  let command: String?
  /// What was probably meant, the likeliest first.
  let suggestions: [String]

  init(_ message: String, _ manual: Manual? = nil, suggestion: String? = nil) {
    self.init(message, manual, suggestions: suggestion.map { [$0] } ?? [])
  }

  init(_ message: String, _ manual: Manual?, suggestions: [String]) {
    self.message = message
    command = manual?.name
    self.suggestions = suggestions
  }

  var description: String {
    let name = command.map { "touchstone \($0)" } ?? "touchstone"
    let words = suggestions.map { "'\($0)'" }.joined(separator: " or ")
    let hint = words.isEmpty ? "" : "; did you mean \(words)?"
    return "\(name): \(message)\(hint)\n'\(name) --help' tells more."
  }
}
