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
  /// The words that an operand may be, if they are a closed set.
  var choices: [String] = []
  /// True if an operand may be a method such as `-name:`, with one hyphen.
  var takesMethods = false
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
    /// The values to offer, besides those in the name of the value; more text follows one that ends
    /// in `:` or `=`.
    var choices: [String] = []
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
  ///
  /// - Parameter width: in columns.
  func text(width: Int) -> String {
    let width = min(width, Self.widthMax)
    let usage = (["touchstone", name, "[OPTION]..."] + operands).joined(separator: " ")
    let head = TextLayout.wrapped(summary, width: width, indent: "")
    let form = TextLayout.wrapped(usage, width: width, indent: "       ")
    var blocks = [
      head.joined(separator: "\n") + "\n",
      "Usage: " + form.joined(separator: "\n").dropFirst(7) + "\n",
    ]
    let rows = (options + [.help]).map { ($0.spelling, $0.help) }
    blocks.append("Options:\n" + Self.table(rows, width: width))
    // An empty line ends a paragraph; the lines of a paragraph are joined and wrapped.
    for paragraph in notes.split(separator: "\n\n") {
      let lines = TextLayout.wrapped(String(paragraph), width: width, indent: "")
      blocks.append(lines.joined(separator: "\n") + "\n")
    }
    if !examples.isEmpty {
      let lines = examples.map { line, meaning in
        TextLayout.wrapped(meaning, width: width, indent: "  # ").joined(separator: "\n")
          + "\n  \(line)\n"
      }
      blocks.append("Examples:\n" + lines.joined())
    }
    return blocks.joined(separator: "\n")
  }

  /// Returns the list of commands with their summaries.
  static func overview(of manuals: [Manual], width: Int) -> String {
    "Commands:\n" + table(manuals.map { ($0.name, $0.summary) }, width: width)
  }

  /// Longer lines are hard to read.
  private static let widthMax = 92

  /// Returns names with their texts, beside each other if there is room for both.
  ///
  /// - Parameters:
  ///   - width: in columns.
  ///   - nameWidth: of the column of names; by default that of the longest.
  static func table(_ rows: [(String, String)], width: Int, nameWidth: Int? = nil) -> String {
    let width = min(width, widthMax)
    let column = (nameWidth ?? rows.map(\.0.count).max() ?? 0) + 4
    let isStacked = width - column < 30
    let indent = String(repeating: " ", count: isStacked ? 6 : column)
    return rows.map { name, text in
      let lines = TextLayout.wrapped(text, width: width, indent: indent)
      let first = isStacked ? indent : "  " + TextLayout.padded(name, column - 2)
      let body = (first + lines.joined(separator: "\n").dropFirst(indent.count)) + "\n"
      return isStacked ? "  \(name)\n\(body)" : body
    }.joined()
  }
}

extension Manual.Option {
  /// Every command has it.
  static let help = Manual.Option(name: "--help", help: "Show this help.")
}
