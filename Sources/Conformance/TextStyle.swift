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

  /// The text with controls spelled out, so that nothing that a store says can move the cursor.
  package static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.isControl }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isControl {
        result.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether a terminal takes the scalar for a command, or for a change of direction.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
