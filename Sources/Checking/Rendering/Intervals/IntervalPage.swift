/// A self-contained page about operations of several connections that contradict each other.
public struct IntervalPage: Sendable {
  /// One operation in the table.
  public struct Row: Sendable {
    /// The connection.
    public var connection: String
    /// From the request to the response.
    public var time: String
    /// The operation with its outcome.
    public var words: String
    /// The request as JSON.
    public var request: String
    /// The response as JSON.
    public var response: String

    /// Creates a row.
    public init(
      connection: String, time: String, words: String, request: String, response: String
    ) {
      self.connection = connection
      self.time = time
      self.words = words
      self.request = request
      self.response = response
    }
  }

  /// The states that are possible at a point.
  public struct Stage: Sendable {
    /// The point in words.
    public var point: String
    /// Each state in words; none is the contradiction.
    public var states: [String]

    /// Creates a stage.
    public init(_ point: String, _ states: [String]) {
      self.point = point
      self.states = states
    }
  }

  let sentence: String
  let command: String
  let program: String?
  let picture: IntervalPicture
  let rows: [Row]
  let stages: [Stage]

  /// - Parameters:
  ///   - sentence: the finding, in one sentence.
  ///   - command: the command that repeats the run.
  ///   - program: the name and version of the program; nil for none.
  public init(
    sentence: String, command: String, program: String? = nil, _ picture: IntervalPicture,
    rows: [Row], stages: [Stage]
  ) {
    self.sentence = sentence
    self.command = command
    self.program = program
    self.picture = picture
    self.rows = rows
    self.stages = stages
  }

  public var html: String {
    var page = Page(
      "Concurrent clients", kind: "concurrent clients",
      purpose: "This page shows a few operations of several clients whose outcomes contradict each "
        + "other.", heading: sentence, program: program)
    page.isWide = true
    page.style = Self.style
    page.remark = "This page needs no network"
    return page.html {
      $0.command(command.printable)
    } body: { markup in
      markup.line("<main>")
      markup.card(
        "Operations by connection", id: "lanes",
        note:
          "A bar reaches from the request to the response. The time of the response of a dashed "
          + "bar does not matter, or no response arrived."
      ) { $0.line("<div class=\"scroll\">\(picture.svg)</div>") }
      addRows(&markup)
      addStages(&markup)
      markup.line("</main>")
    }
  }

  private func addRows(_ markup: inout Markup) {
    markup.card("Operations", id: "operations", note: "In the order of the requests.") { markup in
      markup.line("<div class=\"scroll\"><table><thead><tr>")
      for name in ["", "connection", "time", "effect or result", "request and response"] {
        markup.element("th", "", content: name)
      }
      markup.line("</tr></thead><tbody>")
      for (number, row) in rows.enumerated() {
        markup.raw("<tr>")
        for cell in ["\(number + 1)", row.connection, row.time, row.words] {
          markup.element("td", "", content: cell.printable)
        }
        markup.line("<td><details><summary>JSON</summary>")
        markup.element("pre", "", content: row.request.printable)
        markup.element("pre", "", content: row.response.printable)
        markup.line("</details></td></tr>")
      }
      markup.line("</tbody></table></div>")
    }
  }

  private func addStages(_ markup: inout Markup) {
    guard !stages.isEmpty else { return }
    markup.card(
      "Possible states", id: "states",
      note: "The leaves of the documents that the rules permit after each response, whatever the "
        + "order of the operations was."
    ) { markup in
      markup.line("<div class=\"scroll\"><table><tbody>")
      for stage in stages {
        markup.raw("<tr>")
        markup.element("th", "", content: stage.point.printable)
        markup.line("<td>")
        if stage.states.isEmpty {
          markup.element("strong", "class=\"none\"", content: "none: this is the contradiction")
        }
        for state in stage.states {
          markup.element("p", "class=\"state\"", content: state.printable)
        }
        markup.line("</td></tr>")
      }
      markup.line("</tbody></table></div>")
    }
  }

  /// What this page needs beside the style of all pages.
  private static let style = """
    td, th { vertical-align: top; text-align: left; }
    .interval rect { fill: var(--card, transparent); stroke: currentColor; stroke-opacity: .5; }
    .interval.marked rect { stroke: #c62828; stroke-opacity: 1; stroke-width: 2; }
    .interval text { font-size: 12px; fill: currentColor; text-anchor: start; }
    .state { margin: 0 0 4px; }
    .none { color: #c62828; }
    details > pre { margin: 4px 12px; white-space: pre-wrap; }
    """
}
