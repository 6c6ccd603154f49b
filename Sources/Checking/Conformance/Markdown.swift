internal import JSON

/// Escapes text for CommonMark with tables.
package enum Markdown {
  /// Returns text for a paragraph, an item or a cell, also at its beginning.
  package static func text(_ text: String) -> String {
    let scalars = Array(TextLayout.printable(text).unicodeScalars)
    let leader = leader(of: scalars)
    var result = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated() {
      if marks.contains(scalar) || place == leader { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }

  private static let marks = Set("\\`*_[]<>|#&~".unicodeScalars)

  /// The place of a character that would start a list, a rule or a heading.
  private static func leader(of scalars: [Unicode.Scalar]) -> Int? {
    let spaces = scalars.prefix { $0 == " " }.count
    let digits = scalars[spaces...].prefix { ("0"..."9").contains($0) }.count
    let place = spaces + digits
    guard place < scalars.count else { return nil }
    return (digits > 0 ? ".)" : "-+=").unicodeScalars.contains(scalars[place]) ? place : nil
  }

  /// Returns a name as code, also in a cell.
  package static func code(_ name: String) -> String {
    let name = TextLayout.printable(name)
    // Between backticks no escape is possible.
    let isPlain = !name.isEmpty && !name.unicodeScalars.contains { $0 == "`" || $0 == "|" }
    return isPlain ? "`\(name)`" : text(name)
  }

  /// Returns lines as a block of code; a line break within a line starts another line.
  package static func block(_ lines: [String], language: String) -> [String] {
    let lines = lines.flatMap { line in
      line.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { TextLayout.printable(String($0)) }
    }
    let run = lines.map { longestRun(of: "`", in: $0) }.max() ?? 0
    let fence = String(repeating: "`", count: max(3, run + 1))
    return ["\(fence)\(language)"] + lines + [fence]
  }

  /// Returns a table of cells in Markdown; columns of numbers are right-aligned.
  package static func table(_ header: [String], numbersFrom column: Int, _ rows: [[String]])
    -> [String]
  {
    let rule = header.indices.map { $0 >= column ? "--:" : "---" }
    return ([header, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
  }

  private static func longestRun(of scalar: Unicode.Scalar, in text: String) -> Int {
    var (longest, current) = (0, 0)
    for other in text.unicodeScalars {
      current = other == scalar ? current + 1 : 0
      longest = max(longest, current)
    }
    return longest
  }
}
