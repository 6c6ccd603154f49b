internal import Datastore
internal import JSON
internal import Scenarios

extension FailurePage {
  func addTimeline(_ markup: inout Markup) {
    markup.line("<section class=\"card\"><div class=\"top\"><h2>Timeline</h2>")
    markup.line("<span class=\"space\"></span>")
    markup.line(
      "<button type=\"button\" data-turn=\"short\" aria-pressed=\"true\">Changes</button>"
        + "<button type=\"button\" data-turn=\"detailed\" aria-pressed=\"false\">Every message</button></div>"
    )
    for (name, excerpt) in [("short", short), ("detailed", detailed)] {
      let isDetailed = name == "detailed"
      let diagram = Diagram(timeline, excerpt, isDetailed: isDetailed)
      markup.line("<div class=\"timelines\" data-view=\"\(name)\"\(isDetailed ? " hidden" : "")>")
      markup.raw(diagram.heads)
      markup.raw(diagram.svg)
      markup.line("</div>")
    }
    markup.line("</section>")
  }

  /// The data of each shown row for the script.
  var data: String {
    var rows: [(JSONString, JSONValue)] = []
    for place in shownRows {
      let row = timeline.rows[place]
      let up = timeline.scenes[row.scene].isUp.map { $0 ? "1" : "0" }.joined()
      rows.append(
        (
          JSONString(String(place)),
          [
            "time": .text(seconds(row.time)),
            "replica": .text(row.lane.map { timeline.lanes[$0].name } ?? ""),
            "step": .text(row.step), "words": .text(row.words),
            "asked": .text(row.asked.printable.cut(to: 500)),
            "answered": .text(row.answered.printable.cut(to: 500)), "up": .text(up),
          ]
        ))
    }
    func places(_ excerpt: Excerpt) -> JSONValue {
      .array(excerpt.rows.map { .integer(Int64($0)) })
    }
    let data: JSONValue = [
      "views": ["short": places(short), "detailed": places(detailed)],
      "rows": .object(JSONObject(rows)),
    ]
    return data.serialized()
  }

  /// The rows of both timelines, in order.
  var shownRows: [Int] {
    let shown = Set(short.rows).union(detailed.rows)
    return timeline.rows.indices.filter { shown.contains($0) }
  }
}
