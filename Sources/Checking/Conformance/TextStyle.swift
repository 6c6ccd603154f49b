internal import Rendering

/// The marks of a report's text: terminal colours, or none.
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

/// Text for a given width, counted in scalars.
package enum TextLayout {
  /// Wraps a text; all lines but the first are indented as well.
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

  /// Wraps phrases without breaking one.
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

  /// Returns the text, or its beginning with a remark, by default its length.
  package static func abbreviated(
    _ text: String, width: Int, remark: String? = nil
  ) -> String {
    let text = printable(text)
    guard text.unicodeScalars.count > width else { return text }
    let remark = remark ?? " … (\(text.utf8.count) bytes)"
    let room = max(8, width - remark.unicodeScalars.count)
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: text.unicodeScalars.prefix(room))
    return String(kept) + remark
  }

  /// A count with its noun, such as `2 vectors`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Returns the text, padded with spaces to the width.
  package static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }

  /// Returns the text for a terminal or a build server, with control sequences escaped.
  package static func printable(_ text: String) -> String { text.printable }

  /// The same for text of several lines.
  package static func printableLines(_ text: String) -> String { text.printableLines }
}
