/// The parts that pages have in common.
extension Markup {
  /// Adds a section with a heading, and what the closure adds below it.
  ///
  /// - Parameters:
  ///   - id: the anchor of the section; empty for none.
  ///   - count: a number beside the heading; nil for none.
  ///   - note: a sentence beside the heading; empty for none.
  package mutating func card(
    _ title: String, id: String = "", count: String? = nil, note: String = "",
    _ addContent: (inout Markup) -> Void
  ) {
    line("<section class=\"card\"\(id.isEmpty ? "" : " id=\"\(id)\"")><div class=\"top\">")
    let number = count.map { " <span class=\"faint\">\(escaped($0))</span>" } ?? ""
    line("<h2>\(escaped(title))\(number)</h2>")
    if !note.isEmpty { element("div", "class=\"faint\"", content: note) }
    line("</div><div class=\"inner\">")
    addContent(&self)
    line("</div></section>")
  }

  /// Adds names with their values.
  package mutating func facts(_ facts: [(name: String, value: String)], kind: String = "") {
    guard !facts.isEmpty else { return }
    line("<dl class=\"facts\(kind.isEmpty ? "" : " \(kind)")\">")
    for (name, value) in facts {
      line("<div><dt>\(escaped(name))</dt><dd>\(escaped(value))</dd></div>")
    }
    line("</dl>")
  }

  /// Adds a command with a button that copies it.
  package mutating func command(_ command: String) {
    line("<div class=\"command\"><code>\(escaped(command))</code>")
    line("<button type=\"button\" data-copy hidden>Copy</button></div>")
  }

  /// Adds a legend: signs with their colours and meanings.
  package mutating func legend(_ signs: [(sign: String, colour: String, meaning: String)]) {
    line("<div class=\"key\">")
    for (sign, colour, meaning) in signs {
      line(
        "<span class=\"\(colour)\"><i class=\"disc\" data-sign=\"\(escaped(sign))\"></i>"
          + "<b>\(escaped(meaning))</b></span>")
    }
    line("</div>")
  }

  /// An entry of a table of contents.
  package struct Entry {
    /// The anchor that it links to.
    package let id: String
    package let title: String
    package let count: String?
    package let entries: [Entry]

    package init(_ title: String, id: String, count: String? = nil, entries: [Entry] = []) {
      self.title = title
      self.id = id
      self.count = count
      self.entries = entries
    }
  }

  /// Adds a table of contents of two levels.
  package mutating func contents(_ entries: [Entry]) {
    line("<ul class=\"contents\">")
    for entry in entries {
      raw("<li>\(Self.link(entry))")
      if !entry.entries.isEmpty {
        raw("<ul>")
        for part in entry.entries { raw("<li>\(Self.link(part))</li>") }
        raw("</ul>")
      }
      line("</li>")
    }
    line("</ul>")
  }

  private static func link(_ entry: Entry) -> String {
    let count = entry.count.map { " <span class=\"faint\">\(escaped($0))</span>" } ?? ""
    return "<a href=\"#\(entry.id)\">\(escaped(entry.title))</a>\(count)"
  }
}

/// Returns the anchor of something with an id, such as `rule-TREE-001`.
///
/// Different ids have different anchors, whatever characters they have: all but ASCII letters, ASCII
/// digits, `.`, `-` and `_` are encoded as `~` and the hexadecimal value of each byte.
package func anchor(_ kind: String, _ id: String) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var bytes = Array("\(kind)-".utf8)
  for byte in id.utf8 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      bytes.append(byte)
    default: bytes += [UInt8(ascii: "~"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
