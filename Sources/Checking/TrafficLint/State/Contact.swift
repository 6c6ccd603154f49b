internal import Datastore
internal import JSON

/// What one client does with one database.
final class Contact {
  let database: DatabaseState
  /// Whether the client read the information of the database, or created it.
  var isRead = false
  /// The first use as a source or a target without reading the information.
  var unreadUse: Place = 0
  var isTarget = false
  /// The number of the session, from 1.
  var session: Int32 = 1
  /// The first exchange of the session.
  var sessionStart: Place = 0
  /// Whether the client read the feed or asked for revisions in this session.
  var hasWorked = false
  /// The checkpoints that were read in this session: nil for a missing document.
  var readCheckpoints: [(id: DocumentID, place: Place, body: JSONObject?)] = []

  init(_ database: DatabaseState) { self.database = database }

  /// Begins a session with the read of a checkpoint, if the client worked or read the same checkpoint
  /// since the last one began.
  func beginSession(_ checkpoint: DocumentID, at place: Place) {
    if hasWorked || readCheckpoints.contains(where: { $0.id == checkpoint }) {
      session += 1
      hasWorked = false
      readCheckpoints = []
      sessionStart = 0
    }
    if sessionStart == 0 { sessionStart = place }
  }
}
