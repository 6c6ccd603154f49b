internal import Rendering

/// How a report marks its text: with the colours of a terminal, or not at all.
package struct TextStyle: Hashable, Sendable {
  package let isColoured: Bool

  package init(isColoured: Bool) { self.isColoured = isColoured }

  package static let plain = TextStyle(isColoured: false)

  package func good(_ text: String) -> String { marked(text, "32") }
  package func bad(_ text: String) -> String { marked(text, "31") }
  package func warning(_ text: String) -> String { marked(text, "33") }
  package func strong(_ text: String) -> String { marked(text, "1") }
  package func faint(_ text: String) -> String { marked(text, "2") }

  private func marked(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// Text made to fit a width, which is counted in scalars.
package enum TextLayout {
  /// The words of a text on as many lines as it takes, all but the first indented as well.
  package static func wrapped(_ text: String, width: Int, indent: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in printable(text).split(separator: " ") {
      let room = max(8, width - indent.unicodeScalars.count)
      if line.isEmpty {
        line = String(word)
      } else if line.unicodeScalars.count + 1 + word.unicodeScalars.count <= room {
        line += " \(word)"
      } else {
        lines.append(indent + line)
        line = String(word)
      }
    }
    return line.isEmpty ? lines : lines + [indent + line]
  }

  /// Phrases on as many lines as it takes; none is torn.
  package static func joined(
    _ phrases: [String], by separator: String, width: Int
  ) -> [String] {
    var lines: [String] = []
    for phrase in phrases {
      if let last = lines.last,
        (last + separator + phrase).unicodeScalars.count <= width
      {
        lines[lines.count - 1] = last + separator + phrase
      } else {
        lines.append(phrase)
      }
    }
    return lines
  }

  /// The text, or its beginning and how long it is.
  package static func abbreviated(_ text: String, width: Int) -> String {
    let text = printable(text)
    guard text.unicodeScalars.count > width else { return text }
    let remark = " … (\(text.utf8.count) bytes)"
    let room = max(8, width - remark.unicodeScalars.count)
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: text.unicodeScalars.prefix(room))
    return String(kept) + remark
  }

  /// A count with its noun, such as `2 vectors`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// The text, filled with spaces up to the width.
  package static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }

  /// The text as a terminal and a build server show it: what they would take for a command is escaped.
  package static func printable(_ text: String) -> String { text.printable }

  /// The same for text of several lines.
  package static func printableLines(_ text: String) -> String { text.printableLines }
}
