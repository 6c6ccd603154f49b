internal import Datastore
internal import JSON

/// The feed of a source as one client reads it with one filter.
final class Feed {
  /// The last row of a document.
  struct Row {
    var position: Int
    var place: Place
    var leaves: [RevisionID]
    var isAsked = false
    /// Whether the client may filter rows, because the feed has the documents.
    var hasDocument: Bool
  }

  let source: DatabaseState
  let filter: JSONString
  /// The rows that no checkpoint covers yet.
  private(set) var latest: [DocumentID: Row] = [:]
  /// The number of documents that no target was asked for.
  private(set) var waitingCount = 0
  /// The position of each sequence, by its digest.
  private(set) var positions: [UInt64: Int] = [:]
  /// The request without `style`.
  var withoutStyle: Place = 0
  /// The number of requests of `_revs_diff` in sequence with one document while others wait.
  var singleCount = 0
  private var position = 0
  private var queue: [(position: Int, document: DocumentID)] = []
  private var head = 0

  init(_ source: DatabaseState, filter: JSONString) {
    self.source = source
    self.filter = filter
  }

  /// Forgets all rows, because the client reads from a new position.
  func restart(at since: SequenceName) {
    (latest, positions, queue) = ([:], [:], [])
    (head, waitingCount, singleCount) = (0, 0, 0)
    positions[since.digest] = position
  }

  /// Adds a row after all others.
  func list(_ document: DocumentID, _ row: Row) {
    position += 1
    var row = row
    row.position = position
    if latest[document].map(\.isAsked) ?? true { waitingCount += 1 }
    latest[document] = row
    queue.append((position, document))
  }

  /// Records the position of a sequence: all rows so far are at or before it.
  func mark(_ sequence: SequenceName) { positions[sequence.digest] = position }

  /// Records that a target was asked for a document.
  func ask(_ document: DocumentID) {
    guard let row = latest[document], !row.isAsked else { return }
    latest[document]?.isAsked = true
    waitingCount -= 1
  }

  /// Returns the rows up to a position whose documents have no later row, in order.
  func rows(upTo position: Int) -> [(document: DocumentID, row: Row)] {
    queue[head...].prefix { $0.position <= position }.compactMap { item in
      guard let row = latest[item.document], row.position == item.position else { return nil }
      return (item.document, row)
    }
  }

  /// Removes the rows up to a position.
  func drop(upTo position: Int) {
    while head < queue.count, queue[head].position <= position {
      let item = queue[head]
      head += 1
      guard let row = latest[item.document], row.position == item.position else { continue }
      latest[item.document] = nil
      if !row.isAsked { waitingCount -= 1 }
    }
    if head > 1024, head * 2 > queue.count {
      queue.removeFirst(head)
      head = 0
    }
  }
}
