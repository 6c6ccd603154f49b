/// An error in the command line.
struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, and what was expected.
  let message: String
  /// The command; nil if the error concerns no command.
  let command: String?
  /// Suggestions, the likeliest first.
  let suggestions: [String]

  init(_ message: String, _ manual: Manual? = nil, suggestion: String? = nil) {
    self.init(message, manual, suggestions: suggestion.map { [$0] } ?? [])
  }

  init(_ message: String, _ manual: Manual?, suggestions: [String]) {
    self.message = message.hidingUserInformation
    command = manual?.name
    self.suggestions = suggestions
  }

  var description: String {
    let name = command.map { "touchstone \($0)" } ?? "touchstone"
    let words = suggestions.map { "'\($0)'" }.joined(separator: " or ")
    let hint = words.isEmpty ? "" : "; did you mean \(words)?"
    return "\(name): \(message)\(hint)\nRun '\(name) --help' for usage."
  }
}

extension String {
  /// The text with `…` in place of the user and the password of each URL in it.
  var hidingUserInformation: String {
    var parts: [Substring] = []
    var rest = self[...]
    while let start = rest.firstRange(of: "://") {
      let place = rest[start.upperBound...]
      let authority = place.prefix { !$0.isWhitespace && !"/'?#".contains($0) }
      parts.append(rest[..<start.upperBound])
      guard let at = authority.lastIndex(of: "@") else {
        rest = place
        continue
      }
      parts.append("…")
      rest = place[at...]
    }
    return parts.joined() + rest
  }
}
