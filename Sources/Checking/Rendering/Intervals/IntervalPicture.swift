/// Operations of several connections as a drawing: a lane for each connection, a bar from each
/// request to its response.
public struct IntervalPicture: Sendable {
  /// One operation.
  public struct Bar: Sendable {
    /// The lane, from 0.
    public var lane: Int
    /// The place of the request in the order of all.
    public var call: Int64
    /// The place of the response; nil if none arrived or its time does not matter.
    public var end: Int64?
    /// A few words inside or beside the bar.
    public var words: String
    /// Whether the bar stands out.
    public var isMarked: Bool

    /// Creates a bar.
    public init(lane: Int, call: Int64, end: Int64?, _ words: String, isMarked: Bool) {
      self.lane = lane
      self.call = call
      self.end = end
      self.words = words
      self.isMarked = isMarked
    }
  }

  let lanes: [String]
  let bars: [Bar]

  /// Creates a drawing; the bars are numbered in their order.
  public init(lanes: [String], bars: [Bar]) {
    self.lanes = lanes
    self.bars = bars
  }

  private static let pitch = 86
  private static let laneHeight = 46
  private static let left = 130
  private static let top = 16

  /// The places of requests and responses without the gaps between them.
  private var columns: [Int64: Int] {
    let places = Set(bars.flatMap { [$0.call] + ($0.end.map { [$0] } ?? []) }).sorted()
    return Dictionary(uniqueKeysWithValues: places.enumerated().map { ($1, $0) })
  }

  var svg: String {
    let columns = columns
    let width = Self.left + (columns.count + 2) * Self.pitch
    let height = Self.top + lanes.count * Self.laneHeight + 8
    var markup = Markup()
    markup.line(
      "<svg class=\"schedule\" width=\"\(width)\" height=\"\(height)\" role=\"img\" "
        + "aria-label=\"operations by connection\">")
    for (lane, name) in lanes.enumerated() {
      let middle = Self.top + lane * Self.laneHeight + Self.laneHeight / 2
      markup.line(
        "<text class=\"head\" x=\"8\" y=\"\(middle + 4)\" style=\"text-anchor:start\">"
          + "\(escaped(name.printable))</text>"
          + "<path class=\"lane\" d=\"M\(Self.left - 12) \(middle)H\(width)\"/>")
    }
    for (number, bar) in bars.enumerated() {
      let start = Self.left + (columns[bar.call] ?? 0) * Self.pitch
      let end = bar.end.flatMap { columns[$0] }.map { Self.left + $0 * Self.pitch } ?? width - 10
      let top = Self.top + bar.lane * Self.laneHeight + 8
      let open = bar.end == nil ? " stroke-dasharray=\"5 4\"" : ""
      markup.line(
        "<g class=\"interval\(bar.isMarked ? " marked" : "")\"><rect x=\"\(start)\" y=\"\(top)\" "
          + "width=\"\(max(end - start, 14))\" height=\"\(Self.laneHeight - 16)\" rx=\"5\"\(open)/>"
          + "<text x=\"\(start + 7)\" y=\"\(top + 19)\">\(number + 1) "
          + "\(escaped(bar.words.printable.cut(to: max(3, (end - start) / 8))))</text></g>")
    }
    markup.line("</svg>")
    return markup.text
  }
}
