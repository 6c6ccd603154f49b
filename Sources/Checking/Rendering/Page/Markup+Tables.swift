/// Tables, lists and the arrow heads of drawings.
extension Markup {
  /// A cell of a table.
  package struct Cell: ExpressibleByStringLiteral, Sendable {
    let text: String
    let tone: String
    let link: String?

    /// - Parameters:
    ///   - tone: the class of its colour, such as `bad`; empty for none.
    ///   - link: the anchor on the same page that it links to; nil for none.
    package init(_ text: String, tone: String = "", link: String? = nil) {
      self.text = text.printable
      self.tone = tone
      self.link = link
    }

    package init(stringLiteral text: String) { self.init(text) }
  }

  /// Adds a table in a box that scrolls; columns of numbers are aligned to the right.
  ///
  /// - Parameters:
  ///   - rows: the cells of each row, as many as names in the head.
  ///   - namesRows: whether the first cell of a row is its name.
  package mutating func table(_ head: [String], _ rows: [[Cell]], namesRows: Bool = false) {
    line("<div class=\"scroll\"><table><thead><tr>")
    let isNumber = head.indices.map { column in
      rows.allSatisfy { $0.indices.contains(column) && $0[column].text.isNumber }
    }
    for (column, name) in head.enumerated() {
      element("th", isNumber[column] ? "class=\"number\"" : "", content: name.printable)
    }
    line("</tr></thead><tbody>")
    for row in rows {
      raw("<tr>")
      for (column, cell) in row.enumerated() {
        let isRight = isNumber.indices.contains(column) && isNumber[column]
        add(cell, isName: namesRows && column == 0, isRight: isRight)
      }
      line("</tr>")
    }
    line("</tbody></table></div>")
  }

  private mutating func add(_ cell: Cell, isName: Bool, isRight: Bool) {
    let kinds = [isRight ? "number" : "", cell.tone].filter { !$0.isEmpty }
    let kind = kinds.isEmpty ? "" : " class=\"\(kinds.joined(separator: " "))\""
    let name = isName ? "th scope=\"row\"" : "td"
    let text = escaped(cell.text)
    let content = cell.link.map { "<a href=\"#\($0)\">\(text)</a>" } ?? text
    line("<\(name)\(kind)>\(content)</\(isName ? "th" : "td")>")
  }

  /// Adds a part that folds.
  ///
  /// - Parameters:
  ///   - id: its anchor; empty for none.
  ///   - tone: the class of its title; empty for none.
  package mutating func fold(
    _ title: String, id: String = "", tone: String = "", isOpen: Bool = false,
    _ addContent: (inout Markup) -> Void
  ) {
    line("<details\(id.isEmpty ? "" : " id=\"\(id)\"")\(isOpen ? " open" : "")>")
    element("summary", tone.isEmpty ? "" : "class=\"\(tone)\"", content: title.printable)
    line("<div class=\"inner\">")
    addContent(&self)
    line("</div></details>")
  }

  /// Adds the heads of arrows, which drawings refer to by name.
  package mutating func arrowTips() {
    raw("<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\">")
    for colour in ["quiet", "odd", "live", "fail"] {
      raw(
        "<marker id=\"tip-\(colour)\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
          + "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
          + "<path d=\"M0 0L8 4L0 8Z\" style=\"fill:var(--\(colour))\"/></marker>")
    }
    line("</svg>")
  }
}

extension String {
  /// Whether it is digits, with commas between them, or a dash for no number.
  fileprivate var isNumber: Bool {
    self == "-" || !isEmpty && utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ",") }
  }
}
