/// A schedule of serial queues as a diagram: a lane for each queue, a line for each step.
public struct SchedulePicture: Sendable {
  /// What a step does, and how it is drawn.
  public enum Mark: String, CaseIterable, Sendable {
    case call = ">"
    case look = "?"
    case insertion = "+"
    case save = "s"
    case merge = "m"
    case completion = "c"
    case other = "o"

    var meaning: String {
      switch self {
      case .call: "a call"
      case .look: "a look"
      case .insertion: "an insertion"
      case .save: "a save"
      case .merge: "a merge"
      case .completion: "a completion"
      case .other: "another operation"
      }
    }

    /// The class of its colour in pages.
    var colour: String {
      switch self {
      case .call, .other: "quiet"
      case .look: "live"
      case .insertion: "odd"
      case .save, .completion: "good"
      case .merge: "dead"
      }
    }
  }

  public struct Step: Sendable {
    public var lane: Int
    public var mark: Mark
    public var words: String
    /// The step that put it on its queue; nil if it is not to be shown.
    public var cause: Int?

    public init(lane: Int, _ mark: Mark, _ words: String, cause: Int? = nil) {
      self.lane = lane
      self.mark = mark
      self.words = words
      self.cause = cause
    }
  }

  /// A lane that cannot go on at the end, and the one it waits for.
  public struct Wait: Sendable {
    public var lane: Int
    public var other: Int
    public var words: String

    public init(lane: Int, other: Int, _ words: String) {
      self.lane = lane
      self.other = other
      self.words = words
    }
  }

  public let lanes: [String]
  public let steps: [Step]
  public let waits: [Wait]

  public init(lanes: [String], steps: [Step], waits: [Wait] = []) {
    self.lanes = lanes
    self.steps = steps
    self.waits = waits
  }

  // MARK: As text

  /// What the signs of some pictures mean, in one line.
  public static func legend(of pictures: [SchedulePicture]) -> String {
    let used = Set(pictures.flatMap { $0.steps.map { $0.mark } })
    let phrases = Mark.allCases.filter { used.contains($0) }.map { "\($0.rawValue) \($0.meaning)" }
    let isStuck = pictures.contains { !$0.waits.isEmpty }
    return (phrases + (isStuck ? ["x waits forever"] : [])).joined(separator: "   ")
  }

  /// A line with the names of the lanes, and one for each step.
  public var lines: [String] {
    let head = "   " + lanes.map { "  \($0.printable)" }.joined()
    let body = steps.enumerated().map { number, step in
      line("\(number + 1)", step.lane, sign: step.mark.rawValue, words: step.words)
    }
    return [head] + body + waits.map { line("", $0.lane, sign: "x", words: $0.words) }
  }

  private func line(_ number: String, _ lane: Int, sign: String, words: String) -> String {
    let columns = lanes.enumerated().map { place, name in
      "  " + (place == lane ? sign : ".").padded(to: name.printable.unicodeScalars.count)
    }
    return number.indented(to: 3) + columns.joined() + "  " + words.printable
  }

  // MARK: As a drawing

  private static let rowHeight = 24
  private static let pitch = 104
  private static let numberWidth = 34
  private static let wordsWidth = 460

  private func x(_ lane: Int) -> Int { Self.numberWidth + 48 + lane * Self.pitch }

  private func y(_ row: Int) -> Int { 34 + row * Self.rowHeight + Self.rowHeight / 2 }

  private var wordsX: Int { x(lanes.count - 1) + 56 }

  /// A drawing for a page with the style of `SchedulePage`.
  var svg: String {
    let rows = steps.count + waits.count
    let (width, height) = (wordsX + Self.wordsWidth, y(rows) - 4)
    var markup = Markup()
    markup.line(
      "<svg class=\"schedule\" width=\"\(width)\" height=\"\(height)\" role=\"img\" "
        + "aria-label=\"schedule\">")
    for (lane, name) in lanes.enumerated() {
      markup.line(
        "<text class=\"head\" x=\"\(x(lane))\" y=\"20\">\(escaped(name.printable))</text>"
          + "<path class=\"lane\" d=\"M\(x(lane)) 30V\(height)\"/>")
    }
    for (row, step) in steps.enumerated() {
      drawCause(of: step, row, &markup)
      markup.line(
        "<g class=\"mark \(step.mark.colour)\"><circle cx=\"\(x(step.lane))\" cy=\"\(y(row))\" "
          + "r=\"8\"/><text x=\"\(x(step.lane))\" y=\"\(y(row) + 4)\">"
          + "\(escaped(step.mark.rawValue))</text></g>")
      drawWords("\(row + 1)", step.words, row: row, tone: "", markup: &markup)
    }
    for (place, wait) in waits.enumerated() { draw(wait, steps.count + place, markup: &markup) }
    markup.line("</svg>")
    return markup.text
  }

  private func drawWords(
    _ number: String, _ words: String, row: Int, tone: String, markup: inout Markup
  ) {
    markup.line(
      "<text class=\"time end\" x=\"\(Self.numberWidth - 10)\" y=\"\(y(row) + 4)\">\(number)</text>"
        + "<text class=\"words\(tone)\" x=\"\(wordsX)\" y=\"\(y(row) + 4)\">"
        + "\(escaped(words.printable.cut(to: 72)))</text>")
  }

  /// An arrow from the step that put a block on a queue to where it begins.
  private func drawCause(of step: Step, _ row: Int, _ markup: inout Markup) {
    guard let cause = step.cause, steps.indices.contains(cause), steps[cause].lane != step.lane
    else { return }
    let side = steps[cause].lane < step.lane ? 1 : -1
    let (startX, startY) = (x(steps[cause].lane) + side * 9, y(cause))
    let (endX, endY) = (x(step.lane) - side * 10, y(row))
    let bend = endX - side * 30
    markup.line(
      "<path class=\"answer\" d=\"M\(startX) \(startY)C\(bend) \(startY) \(bend) \(endY) "
        + "\(endX) \(endY)\"/>")
  }

  private func draw(_ wait: Wait, _ row: Int, markup: inout Markup) {
    let side = wait.lane < wait.other ? 1 : wait.lane > wait.other ? -1 : 0
    let (from, to) = (x(wait.lane), x(wait.other) - side * 6)
    markup.line(
      "<path class=\"wait\" d=\"M\(from) \(y(row))H\(to)\"/>"
        + "<path class=\"cross\" d=\"M\(from - 5) \(y(row) - 5)l10 10m0 -10l-10 10\"/>")
    drawWords("", wait.words, row: row, tone: " stuck", markup: &markup)
  }
}
