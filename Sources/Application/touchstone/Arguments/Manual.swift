internal import Conformance

/// The name, arguments and help text of a command; the parser and the help use the same table.
struct Manual {
  /// The words of the command, such as `vectors list`.
  let words: [String]
  /// One sentence.
  let summary: String
  /// The operands, such as `ID`; optional ones in brackets, with `...` at the end if more may
  /// follow.
  var operands: [String] = []
  var options: [Option] = []
  /// Further paragraphs of the help.
  var notes: String = ""
  /// Example command lines with their explanations.
  var examples: [(line: String, meaning: String)] = []

  struct Option {
    /// With its hyphens.
    let name: String
    /// The name in version 0.1, which is still read and no longer shown.
    var earlierName: String?
    /// The name of its value, such as `DIR`; nil for a flag.
    var value: String?
    var isRepeatable = false
    /// One sentence.
    let help: String

    /// Whether the option has this name, or had it in version 0.1.
    func isNamed(_ name: String) -> Bool { self.name == name || earlierName == name }

    /// The option and its value as the help shows them.
    var spelling: String { value.map { "\(name) \($0)" } ?? name }
  }

  var name: String { words.joined(separator: " ") }

  /// The complete help text.
  var text: String {
    let usage = ["touchstone", name] + ["[OPTION]..."] + operands
    var blocks = ["\(summary)\n\nUsage: \(usage.joined(separator: " "))\n"]
    let help = Option(name: "--help", help: "Show this help.")
    blocks.append("Options:\n" + Self.table((options + [help]).map { ($0.spelling, $0.help) }))
    // An empty line ends a paragraph; the lines of a paragraph are joined and wrapped.
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

  /// Returns the list of commands with their summaries.
  static func overview(of manuals: [Manual]) -> String {
    "Commands:\n" + table(manuals.map { ($0.name, $0.summary) })
      + "\nRun 'touchstone COMMAND --help' for its options and examples.\n"
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
