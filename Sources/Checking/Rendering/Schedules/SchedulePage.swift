/// A self-contained page of tables and schedules.
public struct SchedulePage: Sendable {
  public struct Table: Sendable {
    public var title: String
    public var note: String
    public var head: [String]
    public var rows: [[String]]

    public init(_ title: String, _ note: String, head: [String], rows: [[String]]) {
      self.title = title
      self.note = note
      self.head = head
      self.rows = rows
    }
  }

  /// Some schedules under one heading.
  public struct Chapter: Sendable {
    public var title: String
    public var isOpen: Bool
    public var pictures: [(caption: String, picture: SchedulePicture)]

    public init(
      _ title: String, isOpen: Bool, _ pictures: [(caption: String, picture: SchedulePicture)]
    ) {
      self.title = title
      self.isOpen = isOpen
      self.pictures = pictures
    }
  }

  let title: String
  let command: String
  let tables: [Table]
  let chapters: [Chapter]

  public init(_ title: String, command: String, tables: [Table], chapters: [Chapter]) {
    self.title = title
    self.command = command
    self.tables = tables
    self.chapters = chapters
  }

  public var html: String {
    let title = title.printable.cut(to: 80)
    return Page.html(title: title, style: "\(FailurePage.style)\n\(Self.style)", runsScript: false)
    { markup in
      addBody(&markup)
    }
  }

  private func addBody(_ markup: inout Markup) {
    markup.line(FailurePage.arrowTips)
    markup.line("<header>")
    markup.element("p", "class=\"kicker\"", content: "Touchstone · schedules")
    markup.element("h1", "", content: title.printable)
    markup.line("<div class=\"command\"><code>\(escaped(command.printable))</code></div></header>")
    markup.line("<main>")
    for table in tables { add(table, &markup) }
    addLegend(&markup)
    for chapter in chapters { add(chapter, &markup) }
    markup.line("</main>")
  }

  private func add(_ table: Table, _ markup: inout Markup) {
    markup.line("<section class=\"card\"><div class=\"top\">")
    markup.element("h2", "", content: table.title.printable)
    markup.element("div", "class=\"faint\"", content: table.note.printable)
    markup.line("</div><div class=\"inner\"><table><thead><tr>")
    let isNumber = table.head.indices.map { column in
      table.rows.allSatisfy { $0.indices.contains(column) && $0[column].isNumber }
    }
    for (column, name) in table.head.enumerated() {
      markup.element("th", isNumber[column] ? "class=\"number\"" : "", content: name.printable)
    }
    markup.line("</tr></thead><tbody>")
    for row in table.rows {
      markup.raw("<tr>")
      for (column, cell) in row.enumerated() {
        let isRight = isNumber.indices.contains(column) && isNumber[column]
        markup.element("td", isRight ? "class=\"number\"" : "", content: cell.printable)
      }
      markup.line("</tr>")
    }
    markup.line("</tbody></table></div></section>")
  }

  private func addLegend(_ markup: inout Markup) {
    let used = Set(chapters.flatMap { $0.pictures.flatMap { $0.picture.steps.map { $0.mark } } })
    markup.line("<section class=\"card\"><div class=\"inner key\">")
    for mark in SchedulePicture.Mark.allCases where used.contains(mark) {
      markup.line(
        "<span class=\"\(mark.colour)\"><i data-sign=\"\(escaped(mark.rawValue))\"></i>"
          + "<b>\(mark.meaning)</b></span>")
    }
    markup.line("</div></section>")
  }

  private func add(_ chapter: Chapter, _ markup: inout Markup) {
    markup.line("<section class=\"card\"><details\(chapter.isOpen ? " open" : "")>")
    markup.element("summary", "", content: chapter.title.printable)
    markup.line("<div class=\"inner\">")
    for (caption, picture) in chapter.pictures {
      markup.element("h3", "", content: caption.printable)
      markup.line("<div class=\"scroll\">\(picture.svg)</div>")
    }
    markup.line("</div></details></section>")
  }

  /// What schedules need beside the style of the other pages.
  private static let style = """
    main { display: block; }
    section .inner { padding: 14px 18px; overflow-x: auto; }
    section th, section td { white-space: nowrap; }
    section h3 { font-size: 13px; font-weight: 600; margin: 14px 0 6px; }
    section h3:first-child { margin-top: 0; }
    details > .inner { padding-top: 2px; }
    .scroll { max-height: none; min-height: 0; }
    .schedule .head { text-anchor: middle; font-weight: 600; }
    .wait { stroke: var(--fail); stroke-width: 1.4; stroke-dasharray: 4 4; }
    .words.stuck { fill: var(--fail); }
    """
}

extension String {
  /// Whether it is digits, with commas between them, or a dash for no number.
  fileprivate var isNumber: Bool {
    self == "-" || !isEmpty && utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ",") }
  }
}
