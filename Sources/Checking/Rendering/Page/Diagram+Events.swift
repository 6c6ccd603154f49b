internal import Datastore
internal import JSON
internal import Scenarios

extension Diagram {
  func drawMark(_ row: Row, _ y: Int, markup: inout Markup) {
    let colour = row.mark.colour
    guard let lane = row.lane else {
      let end = x(timeline.lanes.count - 1) + 26
      markup.line(
        "<path class=\"all \(colour)\" d=\"M\(worldX) \(y)H\(end)\"/>"
          + disc(row.mark, worldX, y: y))
      return
    }
    if row.mark.isMessage {
      markup.line("<circle class=\"dot \(colour)\" cx=\"\(x(lane))\" cy=\"\(y)\" r=\"3\"/>")
    } else {
      markup.line(disc(row.mark, x(lane), y: y))
    }
  }

  private func disc(_ mark: Mark, _ x: Int, y: Int) -> String {
    "<g class=\"mark \(mark.colour)\"><circle cx=\"\(x)\" cy=\"\(y)\" r=\"8\"/>"
      + "<text x=\"\(x)\" y=\"\(y + 4)\">\(escaped(mark.rawValue))</text></g>"
  }

  /// A way of a message, to tell the first arrival from the second.
  private struct Way: Hashable {
    var number: Int64
    var isAnswer: Bool
    /// Where it left; answers to a request that came twice are two.
    var from: Int?
  }

  /// Draws what went from one replica to another; `places` are those of shown rows.
  func drawMessages(_ places: [Int: Int], _ markup: inout Markup) {
    var late: Set<Way> = []
    var seen: Set<Way> = []
    for (place, item) in items.enumerated() {
      guard case .row(let number) = item else { continue }
      let row = timeline.rows[number]
      drawFlow(row, y(place), markup: &markup)
      guard let message = row.message, let lane = row.lane else { continue }
      let isAnswer = message.leg == .answer
      switch message.end {
      case .departure, .ignored: break
      case .mishap:
        if row.mark == .late {
          late.insert(Way(number: message.number, isAnswer: isAnswer))
        } else if [.lost, .blocked, .spoilt].contains(row.mark) {
          drawStub(from: lane, to: message.other, y(place), &markup)
        }
      case .arrival(let from):
        let isSecond =
          !seen.insert(Way(number: message.number, isAnswer: isAnswer, from: from)).inserted
        let isLate = late.contains(Way(number: message.number, isAnswer: isAnswer))
        let kind =
          (isAnswer ? "answer" : "request") + (isLate ? " late" : "") + (isSecond ? " again" : "")
        let start = from.flatMap { places[$0] }
        if isDetailed {
          drawArrow(kind, from: (message.other, start), to: (lane, place), &markup)
        }
      }
    }
  }

  /// In a short picture, what a session stored came from its source.
  private func drawFlow(_ row: Row, _ y: Int, markup: inout Markup) {
    guard !isDetailed, row.mark == .stored, let lane = row.lane, let session = row.session,
      let directive = timeline.sessions[session]
    else { return }
    let source = timeline.lane(directive.source)
    guard source != lane, timeline.lane(directive.target) == lane else { return }
    let side = source < lane ? 1 : -1
    let (from, to) = (x(source) + side * 4, x(lane) - side * 10)
    markup.line(
      "<circle class=\"dot live\" cx=\"\(x(source))\" cy=\"\(y)\" r=\"3\"/>"
        + "<path class=\"flow\" d=\"M\(from) \(y)H\(to)\"/>")
  }

  private func drawArrow(
    _ kind: String, from start: (lane: Int, place: Int?), to end: (lane: Int, place: Int),
    _ markup: inout Markup
  ) {
    guard start.lane != end.lane else { return }
    let side = start.lane < end.lane ? 1 : -1
    let (endX, endY) = (x(end.lane) - side * 6, y(end.place))
    let way: String
    if let place = start.place {
      let (startX, startY) = (x(start.lane) + side * 5, y(place))
      // What is late falls first, and arrives level.
      let bend = startX + side * 14
      way =
        kind.contains("late")
        ? "M\(startX) \(startY)C\(bend) \(endY) \(bend) \(endY) \(endX) \(endY)"
        : "M\(startX) \(startY)L\(endX) \(endY)"
    } else {
      // It left where nothing is shown.
      way = "M\(endX - side * 26) \(endY)H\(endX)"
    }
    markup.line("<path class=\"\(kind)\" d=\"\(way)\"/>")
  }

  /// A message that does not come far.
  private func drawStub(from lane: Int, to other: Int, _ y: Int, _ markup: inout Markup) {
    guard lane != other else { return }
    let side = lane < other ? 1 : -1
    let (from, to) = (x(lane) + side * 9, x(lane) + side * min(44, pitch - 14))
    markup.line(
      "<path class=\"stub\" d=\"M\(from) \(y)H\(to)\"/>"
        + "<path class=\"cross\" d=\"M\(to - 4) \(y - 4)L\(to + 4) \(y + 4)"
        + "M\(to + 4) \(y - 4)L\(to - 4) \(y + 4)\"/>")
  }
}
