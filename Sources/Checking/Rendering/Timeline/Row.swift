internal import Datastore
internal import JSON
internal import Scenarios

/// One event in the form of the diagrams.
struct Row {
  /// Nanoseconds since the beginning.
  var time: UInt64
  /// The replica, counted from 0; nil when it concerns all.
  var lane: Int?
  var mark: Mark
  var step: String
  /// What happened, in a few words.
  var words: String
  /// The request and the response, for details.
  var asked: String = ""
  var answered: String = ""
  /// Whether it belongs in a short diagram.
  var isTransition = false
  var session: JSONString?
  /// The documents that it names or changes.
  var documents: [DocumentID] = []
  /// The leaves of changed documents at the replica after the event.
  var changes: [Change] = []
  var message: Message?
  /// The running replicas and the open connections, as a place in `Timeline.scenes`.
  var scene: Int

  struct Change {
    var id: DocumentID
    var branches: [Trace.Branch]
  }

  /// The end of a message that an event is.
  struct Message {
    var number: Int64
    var leg: Trace.Leg
    /// The replica at the other end.
    var other: Int
    var end: End
  }

  enum End {
    case departure
    /// The row of the departure, where it is known.
    case arrival(from: Int?)
    /// The fault at its departure.
    case mishap
    /// The receiver no longer waits for it.
    case ignored
  }
}

/// The running replicas and the connections between them.
struct Scene: Hashable {
  var isUp: [Bool]
  /// By sender and receiver.
  var isOpen: [[Bool]]
  var isCalm = false

  init(count: Int) {
    isUp = Array(repeating: true, count: count)
    isOpen = Array(repeating: Array(repeating: true, count: count), count: count)
  }

  /// Whether adjacent replicas are connected, both ways.
  func isOpenAfter(_ lane: Int) -> Bool {
    isOpen[lane][lane + 1] && isOpen[lane + 1][lane]
  }

  var isWhole: Bool { isOpen.allSatisfy { row in row.allSatisfy { $0 } } }

  mutating func heal() {
    for lane in isOpen.indices { isOpen[lane] = isUp.map { _ in true } }
  }

  mutating func partition(_ groups: [[Int]]) {
    heal()
    for (place, group) in groups.enumerated() {
      for left in group {
        for right in groups[(place + 1)...].joined() {
          isOpen[left][right] = false
          isOpen[right][left] = false
        }
      }
    }
  }
}
