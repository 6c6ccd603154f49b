/// The class of an event, and its character in every diagram.
enum Mark: String, CaseIterable, Hashable {
  case write = "W"
  case delete = "D"
  case resolve = "M"
  case purge = "P"
  case other = "o"
  case refused = "!"
  case unknown = "?"
  case stored = "+"
  case checkpoint = "*"
  case requestOut = ">"
  case requestIn = "i"
  case answerIn = "<"
  case lost = "x"
  case twice = "2"
  case late = "~"
  case spoilt = "e"
  case blocked = "#"
  case sessionBegan = "("
  case sessionEnded = ")"
  case crash = "X"
  case restart = "^"
  case partition = "/"
  case heal = "="
  case directive = "@"
  case noReturn = "N"
  case finding = "E"

  /// What the character means.
  var meaning: String {
    switch self {
    case .write: "client write"
    case .delete: "delete"
    case .resolve: "resolve"
    case .purge: "purge"
    case .other: "other operation"
    case .refused: "rejected or failed"
    case .unknown: "outcome unknown"
    case .stored: "revisions stored with their ids"
    case .checkpoint: "checkpoint saved"
    case .requestOut: "request sent"
    case .requestIn: "request received"
    case .answerIn: "response received"
    case .lost: "message lost"
    case .twice: "message duplicated"
    case .late: "message delayed"
    case .spoilt: "error status or malformed response"
    case .blocked: "replica down or partitioned"
    case .sessionBegan: "session begins"
    case .sessionEnded: "session ends"
    case .crash: "crash"
    case .restart: "restart"
    case .partition: "partition"
    case .heal: "partition healed"
    case .directive: "disk, clock, copies"
    case .noReturn: "point of no return"
    case .finding: "finding"
    }
  }

  /// The part of the palette that it is drawn in.
  var colour: String {
    switch self {
    case .write, .resolve, .stored: "live"
    case .delete, .purge: "dead"
    case .refused, .lost, .crash, .noReturn, .finding, .spoilt, .unknown: "bad"
    case .twice, .late, .blocked, .partition, .directive: "odd"
    case .checkpoint, .restart, .heal: "good"
    case .other, .requestOut, .requestIn, .answerIn, .sessionBegan, .sessionEnded: "quiet"
    }
  }

  /// Whether the event is only one end of a message.
  var isMessage: Bool {
    switch self {
    case .requestOut, .requestIn, .answerIn: true
    default: false
    }
  }
}
