internal import Datastore
internal import JSON
internal import Scenarios

extension Diagram {
  /// A stretch of the picture, from one height to another.
  private struct Stretch {
    var from: Int
    var to: Int
  }

  /// The state of the scene from a line on.
  private func stretches(where holds: (Scene) -> Bool) -> [Stretch] {
    var stretches: [Stretch] = []
    var start: Int?
    for (place, item) in items.enumerated() {
      guard case .row(let row) = item else { continue }
      let isSo = holds(timeline.scenes[timeline.rows[row].scene])
      if isSo, start == nil { start = place == 0 ? 0 : y(place) }
      if !isSo, let from = start {
        stretches.append(Stretch(from: from, to: y(place)))
        start = nil
      }
    }
    if let start { stretches.append(Stretch(from: start, to: height)) }
    return stretches
  }

  /// What concerns all replicas: partitions, and the calm at the end.
  func drawBands(_ markup: inout Markup) {
    let left = x(0) - 26
    let across = x(timeline.lanes.count - 1) + 26 - left
    for stretch in stretches(where: { !$0.isWhole }) {
      markup.line(
        "<rect class=\"cut\" x=\"\(left)\" y=\"\(stretch.from)\" width=\"\(across)\" "
          + "height=\"\(stretch.to - stretch.from)\"/>")
    }
    for stretch in stretches(where: { $0.isCalm }) {
      markup.line(
        "<rect class=\"calm\" x=\"\(left)\" y=\"\(stretch.from)\" width=\"\(across)\" "
          + "height=\"\(stretch.to - stretch.from)\"/>")
    }
    for lane in timeline.lanes.indices.dropLast() {
      for stretch in stretches(where: { !$0.isOpenAfter(lane) }) {
        let wall = (x(lane) + x(lane + 1)) / 2
        markup.line("<path class=\"wall\" d=\"M\(wall) \(stretch.from)V\(stretch.to)\"/>")
      }
    }
  }

  func drawLanes(_ markup: inout Markup) {
    for lane in timeline.lanes.indices {
      for stretch in stretches(where: { $0.isUp[lane] }) {
        markup.line("<path class=\"lane\" d=\"M\(x(lane)) \(stretch.from)V\(stretch.to)\"/>")
      }
      for stretch in stretches(where: { !$0.isUp[lane] }) {
        markup.line(
          "<rect class=\"outage\" x=\"\(x(lane) - 9)\" y=\"\(stretch.from)\" width=\"18\" "
            + "height=\"\(stretch.to - stretch.from)\" rx=\"3\"/>")
      }
    }
  }

  /// A bar beside the lane of the replica that drives a session, from its beginning to its end.
  func drawSessions(_ markup: inout Markup) {
    var ends: [JSONString: Int] = [:]
    let ended = Set(timeline.rows.filter { $0.mark == .sessionEnded }.map { $0.session })
    for (place, item) in items.enumerated() {
      guard case .row(let number) = item, let session = timeline.rows[number].session,
        timeline.rows[number].mark != .blocked
      else { continue }
      ends[session] = place
    }
    // When each bar of a lane is free again, so that sessions at one time stand side by side.
    var free = timeline.lanes.map { _ in [Int](repeating: -1, count: 4) }
    for (place, item) in items.enumerated() {
      guard case .row(let number) = item else { continue }
      let row = timeline.rows[number]
      guard row.mark == .sessionBegan, let lane = row.lane, let session = row.session,
        let last = ends[session]
      else { continue }
      let end = ended.contains(session) ? last : items.count - 1
      guard end > place else { continue }
      let bar = free[lane].firstIndex { $0 < place } ?? free[lane].count - 1
      free[lane][bar] = end
      markup.line(
        "<rect class=\"session\" x=\"\(x(lane) + 11 + bar * 6)\" y=\"\(y(place))\" width=\"4\" "
          + "height=\"\(y(end) - y(place))\" rx=\"2\"><title>\(escaped(row.words))</title></rect>")
    }
  }
}
