internal import Datastore
internal import JSON
internal import Scenarios

/// A timeline as SVG: time goes down, each replica has a lane, each event a line of text.
///
/// Read `+Lanes` for what stays for a while (crashes, partitions, sessions) and `+Events` for what
/// happens at once.
struct Diagram {
  let timeline: Timeline
  let items: [Excerpt.Item]
  let isDetailed: Bool
  let pitch: Int

  static let rowHeight = 24
  static let timeWidth = 72
  static let stepWidth = 80
  static let wordsWidth = 500

  init(_ timeline: Timeline, _ excerpt: Excerpt, isDetailed: Bool) {
    self.timeline = timeline
    items = excerpt.items
    self.isDetailed = isDetailed
    pitch = timeline.lanes.count <= 4 ? 88 : timeline.lanes.count <= 8 ? 56 : 36
  }

  var height: Int { items.count * Self.rowHeight + 8 }

  var width: Int { wordsX + Self.wordsWidth }

  /// The middle of a lane.
  func x(_ lane: Int) -> Int { Self.timeWidth + 46 + lane * pitch }

  /// The middle of a line.
  func y(_ item: Int) -> Int { item * Self.rowHeight + Self.rowHeight / 2 + 4 }

  /// Where marks of what concerns all stand.
  var worldX: Int { Self.timeWidth + 16 }

  var stepX: Int { x(timeline.lanes.count - 1) + 42 }

  var wordsX: Int { stepX + Self.stepWidth }

  /// The names of the replicas, to stand above the picture.
  var heads: String {
    var markup = Markup()
    markup.line("<svg class=\"heads\" width=\"\(width)\" height=\"30\" aria-hidden=\"true\">")
    let room = max(3, pitch / 8)
    for (lane, name) in timeline.lanes.enumerated() {
      markup.line(
        "<text class=\"head\" x=\"\(x(lane))\" y=\"20\">\(escaped(name.name.cut(to: room)))"
          + "<title>\(escaped(name.name))</title></text>")
    }
    markup.line("<text class=\"faint end\" x=\"\(Self.timeWidth)\" y=\"20\">seconds</text>")
    markup.line("<text class=\"faint\" x=\"\(stepX)\" y=\"20\">step</text></svg>")
    return markup.text
  }

  var svg: String {
    var markup = Markup()
    markup.line(
      "<svg class=\"timeline\" width=\"\(width)\" height=\"\(height)\" role=\"img\" "
        + "aria-label=\"timeline\">")
    drawBands(&markup)
    drawLanes(&markup)
    drawSessions(&markup)
    for (place, item) in items.enumerated() { drawLine(item, at: place, &markup) }
    var places: [Int: Int] = [:]
    for (place, item) in items.enumerated() {
      if case .row(let row) = item { places[row] = place }
    }
    drawMessages(places, &markup)
    for (place, item) in items.enumerated() {
      if case .row(let row) = item { drawMark(timeline.rows[row], y(place), markup: &markup) }
    }
    markup.line("</svg>")
    return markup.text
  }

  /// The text of a line, and the field that the pointer hits.
  private func drawLine(_ item: Excerpt.Item, at place: Int, _ markup: inout Markup) {
    let y = y(place)
    guard case .row(let number) = item else {
      guard case .gap(let left) = item else { return }
      let end = x(timeline.lanes.count - 1) + 12
      markup.line(
        "<path class=\"gap\" d=\"M\(x(0) - 12) \(y)H\(end)\"/>"
          + "<text class=\"faint\" x=\"\(wordsX)\" y=\"\(y + 4)\">"
          + "⋯ \(count(left, "event")) not shown</text>")
      return
    }
    let row = timeline.rows[number]
    let colour = [.finding, .noReturn].contains(row.mark) ? " finding" : ""
    markup.raw(
      "<g class=\"row\(colour)\" data-i=\"\(number)\"><rect x=\"0\" y=\"\(y - Self.rowHeight / 2)\" "
        + "width=\"100%\" height=\"\(Self.rowHeight)\"/>")
    if isNewTime(place, row) {
      markup.raw(
        "<text class=\"time end\" x=\"\(Self.timeWidth)\" y=\"\(y + 4)\">\(seconds(row.time))</text>"
      )
    }
    let step = escaped(row.step.cut(to: 11))
    markup.raw("<text class=\"step\" x=\"\(stepX)\" y=\"\(y + 4)\">\(step)</text>")
    let words = escaped(row.words.cut(to: 66))
    let isQuiet = !row.isTransition
    markup.line(
      "<text class=\"words\(isQuiet ? " faint" : "")\" x=\"\(wordsX)\" y=\"\(y + 4)\">"
        + "\(words)</text></g>")
  }

  private func isNewTime(_ place: Int, _ row: Row) -> Bool {
    guard place > 0, case .row(let before) = items[place - 1] else { return true }
    return timeline.rows[before].time / 1_000_000 != row.time / 1_000_000
  }
}
