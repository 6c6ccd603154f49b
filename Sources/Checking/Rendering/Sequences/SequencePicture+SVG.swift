extension SequencePicture {
  private static let rowHeight = 24
  private static let timeWidth = 58
  private static let wordsWidth = 840
  /// The characters of an event that the drawing shows; its title has all of them.
  private static let wordsMax = 104

  private var pitch: Int { lanes.count <= 4 ? 104 : lanes.count <= 8 ? 72 : 44 }

  private func x(_ lane: Int) -> Int { Self.timeWidth + 48 + lane * pitch }

  private func y(_ row: Int) -> Int { 34 + row * Self.rowHeight + Self.rowHeight / 2 }

  private var wordsX: Int { x(lanes.count - 1) + 52 }

  /// The drawing, for a page with `style`.
  func svg(title: String) -> String {
    let (width, height) = (wordsX + Self.wordsWidth, y(rows.count) - 4)
    var markup = Markup()
    markup.line(
      "<svg class=\"sequence\" width=\"\(width)\" height=\"\(height)\" role=\"img\" "
        + "aria-label=\"\(escaped(title))\">")
    for span in spans { draw(span, &markup) }
    for (lane, name) in lanes.enumerated() {
      let shown = escaped(name.printable.cut(to: max(3, pitch / 8)))
      markup.line(
        "<text class=\"head\" x=\"\(x(lane))\" y=\"20\">\(shown)"
          + "<title>\(escaped(name.printable))</title></text>"
          + "<path class=\"lane\" d=\"M\(x(lane)) 30V\(height)\"/>")
    }
    markup.line(
      "<text class=\"faint end\" x=\"\(Self.timeWidth)\" y=\"20\">\(escaped(unit))</text>")
    for (place, row) in rows.enumerated() { drawWords(of: row, place, &markup) }
    for message in messages { draw(message, &markup) }
    for (place, row) in rows.enumerated() { drawPeer(of: row, place, &markup) }
    for (place, row) in rows.enumerated() { drawSign(of: row, place, &markup) }
    markup.line("</svg>")
    return markup.text
  }

  private func drawWords(of row: Row, _ place: Int, _ markup: inout Markup) {
    let y = y(place)
    let words = row.words.printable
    let tone = row.isLoss ? " stuck" : row.lane == nil ? " faint" : ""
    markup.raw("<g class=\"event\(row.isLoss ? " lossy" : "")\"")
    if !row.id.isEmpty { markup.raw(" id=\"\(row.id)\"") }
    markup.raw(
      "><rect x=\"0\" y=\"\(y - Self.rowHeight / 2)\" width=\"100%\" height=\"\(Self.rowHeight)\"/>"
    )
    if place == 0 || rows[place - 1].time != row.time {
      markup.raw(
        "<text class=\"time end\" x=\"\(Self.timeWidth)\" y=\"\(y + 4)\">\(escaped(row.time))"
          + "</text>")
    }
    markup.line(
      "<text class=\"words\(tone)\" x=\"\(wordsX)\" y=\"\(y + 4)\">"
        + "\(escaped(words.cut(to: Self.wordsMax)))</text><title>\(escaped(words))</title></g>")
  }

  private func drawSign(of row: Row, _ place: Int, _ markup: inout Markup) {
    guard let lane = row.lane else { return }
    let colour = row.isLoss ? "bad" : row.sign.colour
    markup.line(
      "<g class=\"mark \(colour)\"><circle cx=\"\(x(lane))\" cy=\"\(y(place))\" r=\"8\"/>"
        + "<text x=\"\(x(lane))\" y=\"\(y(place) + 4)\">\(escaped(row.sign.letter))</text></g>")
  }

  private func drawPeer(of row: Row, _ place: Int, _ markup: inout Markup) {
    guard let lane = row.lane, let (peer, isResult) = row.peer, peer != lane else { return }
    let (from, to) = isResult ? (lane, peer) : (peer, lane)
    let side = from < to ? 1 : -1
    let start = x(from) + side * (isResult ? 9 : 0)
    let end = x(to) - side * (isResult ? 2 : 10)
    let kind = row.isLoss ? "loss" : isResult ? "answer" : "request"
    markup.line("<path class=\"\(kind)\" d=\"M\(start) \(y(place))H\(end)\"/>")
  }

  private func draw(_ message: Message, _ markup: inout Markup) {
    guard rows.indices.contains(message.from), let lane = rows[message.from].lane,
      lane != message.lane
    else { return }
    let side = lane < message.lane ? 1 : -1
    let (startX, startY) = (x(lane) + side * 9, y(message.from))
    guard let to = message.to, rows.indices.contains(to) else {
      // Lost on its way.
      let endX = x(lane) + side * min(56, pitch - 16)
      markup.line(
        "<path class=\"stub\" d=\"M\(startX) \(startY)H\(endX)\"/>"
          + "<path class=\"cross\" d=\"M\(endX - 4) \(startY - 4)l8 8m0 -8l-8 8\"/>")
      return
    }
    markup.line(
      "<path class=\"\(message.kind.rawValue)\" d=\"M\(startX) \(startY)"
        + "L\(x(message.lane) - side * 10) \(y(to))\"/>")
  }

  private func draw(_ span: Span, _ markup: inout Markup) {
    let (top, bottom) = (y(span.rows.lowerBound) - 10, y(span.rows.upperBound) + 10)
    let (left, width) = span.kind == .outage ? (x(span.lane) - 14, 28) : (x(span.lane) + 12, 4)
    markup.line(
      "<rect class=\"\(span.kind.rawValue)\" x=\"\(left)\" y=\"\(top)\" width=\"\(width)\" "
        + "height=\"\(bottom - top)\" rx=\"3\"><title>\(escaped(span.words.printable))</title></rect>"
    )
  }

  /// The styles of the drawing, for pages that contain one.
  package static let style = #"""
    .event rect { fill: transparent; }
    .event:hover rect { fill: var(--pick); }
    .event:target rect { fill: var(--pick); }
    .event.lossy rect { fill: var(--fail); fill-opacity: .10; }
    .event.lossy:target rect { fill-opacity: .22; }
    .event.lossy .words { font-weight: 600; }
    .outage { fill: var(--fail); fill-opacity: .12; stroke: var(--fail); stroke-opacity: .35;
      stroke-dasharray: 2 4; }
    .queue { fill: var(--odd); fill-opacity: .55; }
    .loss { stroke: var(--fail); stroke-width: 1.8; marker-end: url(#tip-fail); }
    td.bad { font-weight: 600; }
    th.bad { color: var(--fail); }
    .key { margin-bottom: 12px; }
    """#
}
