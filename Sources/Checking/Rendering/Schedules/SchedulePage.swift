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
  let purpose: String
  let sentence: String
  let command: String
  let program: String?
  let tables: [Table]
  let chapters: [Chapter]

  /// - Parameters:
  ///   - title: the title of the window.
  ///   - purpose: what the page is, in one sentence.
  ///   - sentence: the result, in one sentence.
  ///   - command: the command that computes the page.
  ///   - program: the name and version of the program; nil for none.
  public init(
    _ title: String, purpose: String, sentence: String, command: String, program: String? = nil,
    tables: [Table], chapters: [Chapter]
  ) {
    self.title = title
    self.purpose = purpose
    self.sentence = sentence
    self.command = command
    self.program = program
    self.tables = tables
    self.chapters = chapters
  }

  public var html: String {
    var page = Page(
      title.printable.cut(to: 80), kind: "schedules", purpose: purpose, heading: sentence,
      program: program)
    page.isWide = true
    page.style = Self.style
    page.remark = "This page needs no network"
    return page.html {
      $0.element("p", "class=\"exact\"", content: title.printable)
      $0.command(command.printable)
    } body: {
      addBody(&$0)
    }
  }

  private func addBody(_ markup: inout Markup) {
    markup.arrowTips()
    markup.line("<main>")
    markup.card("Contents") { markup in
      markup.contents(
        tables.enumerated().map { Markup.Entry($1.title.printable, id: "table-\($0 + 1)") }
          + [
            Markup.Entry(
              "Schedules", id: "schedules",
              entries: chapters.enumerated().map {
                Markup.Entry($1.title.printable, id: "chapter-\($0 + 1)")
              })
          ])
    }
    for (place, table) in tables.enumerated() { add(table, place, markup: &markup) }
    markup.card("Schedules", id: "schedules", note: "An example for each outcome.") { markup in
      addLegend(&markup)
      for (place, chapter) in chapters.enumerated() { add(chapter, place, markup: &markup) }
    }
    markup.line("</main>")
  }

  private func add(_ table: Table, _ place: Int, markup: inout Markup) {
    markup.card(
      table.title.printable, id: "table-\(place + 1)", note: table.note.printable
    ) { markup in
      markup.table(
        table.head, table.rows.map { row in row.map { Markup.Cell($0) } })
    }
  }

  private func addLegend(_ markup: inout Markup) {
    let used = Set(chapters.flatMap { $0.pictures.flatMap { $0.picture.steps.map { $0.mark } } })
    markup.legend(
      SchedulePicture.Mark.allCases.filter { used.contains($0) }
        .map { ($0.rawValue, $0.colour, $0.meaning) })
  }

  private func add(_ chapter: Chapter, _ place: Int, markup: inout Markup) {
    markup.fold(chapter.title, id: "chapter-\(place + 1)", isOpen: chapter.isOpen) { markup in
      for (caption, picture) in chapter.pictures {
        markup.element("h3", "", content: caption.printable)
        markup.line("<div class=\"scroll\">\(picture.svg)</div>")
      }
    }
  }

  /// What this page needs beside the style of all pages.
  private static let style = """
    td, th { white-space: nowrap; }
    .contents ul { display: block; }
    h3:first-child { margin-top: 0; }
    details > .inner { padding-top: 2px; }
    .key { margin-bottom: 12px; }
    """
}
