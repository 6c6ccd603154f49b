internal import Conformance

/// What a command is called, takes and says about itself; the help and the parser both follow it.
struct Manual {
  /// The words that name it, such as `vectors list`.
  let words: [String]
  /// One sentence.
  let summary: String
  /// What is given without a flag, such as `ID`; in brackets when it may be left out, with
  /// `...` at the end when there may be more of it.
  var operands: [String] = []
  var options: [Option] = []
  /// What else there is to know.
  var notes: String = ""
  /// Command lines and what they do.
  var examples: [(line: String, meaning: String)] = []

  struct Option {
    /// With its hyphens.
    let name: String
    /// The name in version 0.1, which is still read and no longer shown.
    var earlierName: String?
    /// What follows it, such as `DIR`; nil for a flag.
    var value: String?
    var isRepeatable = false
    /// One sentence.
    let help: String

    /// Whether the option has this name, or had it in version 0.1.
    func isNamed(_ name: String) -> Bool { self.name == name || earlierName == name }

    /// The option as help writes it.
    var spelling: String { value.map { "\(name) \($0)" } ?? name }
  }

  var name: String { words.joined(separator: " ") }

  /// Everything.
  var text: String {
    let usage = ["touchstone", name] + ["[OPTION]..."] + operands
    var blocks = ["\(summary)\n\nUsage: \(usage.joined(separator: " "))\n"]
    let help = Option(name: "--help", help: "Show this.")
    blocks.append("Options:\n" + Self.table((options + [help]).map { ($0.spelling, $0.help) }))
    // An empty line ends a paragraph; the lines of one are joined and wrapped.
    for paragraph in notes.split(separator: "\n\n") {
      let lines = TextLayout.wrapped(String(paragraph), width: 80, indent: "")
      blocks.append(lines.joined(separator: "\n") + "\n")
    }
    if !examples.isEmpty {
      let lines = examples.map { "  # \($0.meaning)\n  \($0.line)\n" }
      blocks.append("Examples:\n" + lines.joined())
    }
    return blocks.joined(separator: "\n")
  }

  /// The commands and what each is for.
  static func overview(of manuals: [Manual]) -> String {
    "Commands:\n" + table(manuals.map { ($0.name, $0.summary) })
      + "\n'touchstone COMMAND --help' tells more about one, with examples.\n"
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    return rows.map { name, text in
      let indent = String(repeating: " ", count: width + 2)
      let lines = TextLayout.wrapped(text, width: 92, indent: indent)
      let first =
        "  " + TextLayout.padded(name, width) + (lines.first ?? indent).dropFirst(width + 2)
      return ([first] + lines.dropFirst()).joined(separator: "\n") + "\n"
    }.joined()
  }
}
