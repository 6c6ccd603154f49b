internal import JSON

/// Text as CommonMark with tables takes it for text and not for marks.
package enum Markdown {
  /// Text inside a paragraph or a cell; line breaks become spaces, controls are spelled out.
  package static func text(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in TextLayout.printable(text).unicodeScalars {
      if marks.contains(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }

  private static let marks = Set("\\`*_[]<>|#&~".unicodeScalars)

  /// A name as code; names hold neither backticks nor bars.
  package static func code(_ name: String) -> String { "`\(TextLayout.printable(name))`" }

  /// Lines as a block of code.
  package static func block(_ lines: [String], language: String) -> [String] {
    let run = lines.map { longestRun(of: "`", in: $0) }.max() ?? 0
    let fence = String(repeating: "`", count: max(3, run + 1))
    return ["\(fence)\(language)"] + lines + [fence]
  }

  /// A table whose cells are marked up already; columns of numbers are set to the right.
  static func table(_ header: [String], numbersFrom column: Int, _ rows: [[String]]) -> [String] {
    let rule = header.indices.map { $0 >= column ? "--:" : "---" }
    return ([header, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
  }

  private static func longestRun(of character: Character, in text: String) -> Int {
    var (longest, current) = (0, 0)
    for other in text {
      current = other == character ? current + 1 : 0
      longest = max(longest, current)
    }
    return longest
  }
}
