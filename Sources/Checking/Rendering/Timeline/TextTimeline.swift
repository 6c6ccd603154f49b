public import Scenarios

/// A run as lines of text: one event a line, one column a replica, one character an event.
public struct TextTimeline {
  /// Whether every event has a line, and not only those with a change.
  public var isDetailed = false
  /// The largest number of columns of a line.
  public var width = 100

  public init() {}

  /// The lines of a run, after a legend of the characters that stand in them.
  public func lines(of trace: Trace) -> [String] {
    let timeline = Timeline(trace)
    let rows = timeline.rows.filter { isDetailed || $0.isTransition }
    let table = Table(timeline, rows, width: width)
    return table.legend + table.head + rows.map { table.line($0) }
      + table.remark(leftOut: timeline.rows.count - rows.count)
  }
}

/// The columns of a text timeline.
private struct Table {
  let timeline: Timeline
  let rows: [Row]
  let width: Int
  let timeWidth: Int
  let stepWidth: Int

  init(_ timeline: Timeline, _ rows: [Row], width: Int) {
    self.timeline = timeline
    self.rows = rows
    self.width = width
    timeWidth = max(7, (rows.map { seconds($0.time).utf8.count }.max() ?? 0))
    stepWidth = min(12, max(4, rows.map { $0.step.unicodeScalars.count }.max() ?? 0))
  }

  /// What the characters mean, as many to a line as fit.
  var legend: [String] {
    let used = Set(rows.map { $0.mark })
    var phrases = Mark.allCases.filter { used.contains($0) }.map { "\($0.rawValue) \($0.meaning)" }
    phrases.append(": adjacent replicas are partitioned")
    var lines: [String] = []
    for phrase in phrases {
      if let last = lines.last, last.utf8.count + phrase.utf8.count + 3 <= width {
        lines[lines.count - 1] += "   \(phrase)"
      } else {
        lines.append(phrase)
      }
    }
    return lines + [""]
  }

  /// The names of the replicas, numbered where they are longer than their column.
  var head: [String] {
    let names = timeline.lanes.map { $0.name }
    let isShort = names.allSatisfy { $0.unicodeScalars.count == 1 }
    let labels = isShort ? names : names.indices.map { String(UnicodeScalar(UInt8(49 + $0 % 9))) }
    var lines: [String] = []
    if !isShort {
      lines = names.enumerated().map { "\(labels[$0]) \($1)".cut(to: width) }
    }
    let columns = labels.joined(separator: " ")
    return lines + [
      "\("seconds".indented(to: timeWidth))  \(columns)  \("step".padded(to: stepWidth))  what"
    ]
  }

  func line(_ row: Row) -> String {
    let scene = timeline.scenes[row.scene]
    var columns = ""
    for lane in timeline.lanes.indices {
      if lane > 0 { columns += scene.isOpenAfter(lane - 1) ? " " : ":" }
      if row.lane == lane || row.lane == nil {
        columns += row.mark.rawValue
      } else {
        columns += scene.isUp[lane] ? "|" : " "
      }
    }
    let time = seconds(row.time).indented(to: timeWidth)
    let step = row.step.cut(to: stepWidth).padded(to: stepWidth)
    return "\(time)  \(columns)  \(step)  \(row.words)".cut(to: width)
  }

  func remark(leftOut: Int) -> [String] {
    leftOut == 0 ? [] : ["", "\(count(leftOut, "event")) without effect left out"]
  }
}
