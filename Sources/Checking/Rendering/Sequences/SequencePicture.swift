/// Requests between participants as a drawing: a lane for each participant, a line for each event,
/// and an arrow for each message. Time goes down.
package struct SequencePicture: Sendable {
  /// What an event is, and how it is drawn.
  package struct Sign: Hashable, Sendable {
    package let letter: String
    /// The class of its colour in pages.
    package let colour: String
    package let meaning: String

    package init(_ letter: String, _ colour: String, meaning: String) {
      self.letter = letter
      self.colour = colour
      self.meaning = meaning
    }
  }

  /// One line.
  package struct Row: Sendable {
    /// The time or the number of the event.
    package var time: String
    /// The lane of the event; nil for a remark.
    package var lane: Int?
    package var sign: Sign
    package var words: String
    /// Whether something was lost here.
    package var isLoss: Bool
    /// Its anchor; empty for none.
    package var id: String
    /// The lane of an immediate request that caused it, or that has its result; nil for none.
    package var peer: (lane: Int, isResult: Bool)?

    package init(
      _ time: String, lane: Int?, sign: Sign, words: String, isLoss: Bool = false, id: String = "",
      peer: (lane: Int, isResult: Bool)? = nil
    ) {
      self.time = time
      self.lane = lane
      self.sign = sign
      self.words = words
      self.isLoss = isLoss
      self.id = id
      self.peer = peer
    }
  }

  /// A message between two lanes.
  package struct Message: Sendable {
    package enum Kind: String, Sendable {
      case request, answer
      /// A request that was sent before.
      case again
      /// A message with a loss.
      case loss
    }

    package var kind: Kind
    /// The row that sent it.
    package var from: Int
    /// The row that received it; nil if it was lost.
    package var to: Int?
    /// The lane it was sent to.
    package var lane: Int

    package init(_ kind: Kind, from: Int, to: Int?, lane: Int) {
      self.kind = kind
      self.from = from
      self.to = to
      self.lane = lane
    }
  }

  /// A state of a lane from one row to another.
  package struct Span: Sendable {
    package enum Kind: String, Sendable {
      case outage
      case queue
    }

    package var kind: Kind
    package var lane: Int
    package var rows: ClosedRange<Int>
    package var words: String

    package init(_ kind: Kind, lane: Int, rows: ClosedRange<Int>, words: String) {
      self.kind = kind
      self.lane = lane
      self.rows = rows
      self.words = words
    }
  }

  package var lanes: [String]
  package var rows: [Row] = []
  package var messages: [Message] = []
  package var spans: [Span] = []
  /// The unit of the column of times.
  package var unit: String

  package init(lanes: [String], unit: String) {
    self.lanes = lanes
    self.unit = unit
  }

  /// The picture with these rows only, in order; a remark counts the rows left out between them.
  package func keeping(_ isKept: (Int) -> Bool) -> SequencePicture {
    var kept = SequencePicture(lanes: lanes, unit: unit)
    var places: [Int: Int] = [:]
    var missing = 0
    func remark() -> Row {
      Row("", lane: nil, sign: Self.none, words: "⋯ \(count(missing, "event")) not shown")
    }
    for (place, row) in rows.enumerated() {
      guard isKept(place) else {
        missing += 1
        continue
      }
      if missing > 0 { kept.rows.append(remark()) }
      missing = 0
      places[place] = kept.rows.count
      kept.rows.append(row)
    }
    if missing > 0 { kept.rows.append(remark()) }
    for message in messages {
      guard let from = places[message.from] else { continue }
      var message = message
      message.from = from
      if let to = message.to {
        guard let to = places[to] else { continue }
        message.to = to
      }
      kept.messages.append(message)
    }
    for span in spans {
      let rows = span.rows.compactMap { places[$0] }
      guard let first = rows.first, let last = rows.last else { continue }
      kept.spans.append(Span(span.kind, lane: span.lane, rows: first...last, words: span.words))
    }
    return kept
  }

  private static let none = Sign("", "quiet", meaning: "")

  /// The signs that occur, in the order of their first event.
  package var signs: [Sign] {
    var signs: [Sign] = []
    for row in rows where row.lane != nil && !signs.contains(row.sign) { signs.append(row.sign) }
    return signs
  }
}

extension Markup {
  /// Adds a legend of the signs of some pictures.
  package mutating func legend(of pictures: [SequencePicture]) {
    var signs: [SequencePicture.Sign] = []
    for sign in pictures.flatMap(\.signs) where !signs.contains(sign) { signs.append(sign) }
    legend(signs.map { ($0.letter, $0.colour, $0.meaning) })
  }

  /// Adds a drawing, and the same events as a table for readers without pictures.
  ///
  /// - Parameter title: what it shows, for readers without pictures.
  package mutating func picture(_ picture: SequencePicture, title: String) {
    line("<div class=\"scroll\">")
    raw(picture.svg(title: title.printable))
    line("</div>")
    fold("\(count(picture.rows.count, "event")) as a table") { markup in
      markup.table(
        [picture.unit, "where", "what", "event"],
        picture.rows.map { row in
          [
            Cell(row.time), Cell(row.lane.map { picture.lanes[$0] } ?? ""), Cell(row.sign.meaning),
            Cell(row.words, tone: row.isLoss ? "bad" : ""),
          ]
        })
    }
  }
}
