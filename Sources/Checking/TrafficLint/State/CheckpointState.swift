internal import Datastore
internal import JSON

/// What one client does with the checkpoint documents of one id.
final class CheckpointState {
  struct Write {
    var database: DatabaseState
    var place: Place
    var session: JSONValue?
    var sequence: SequenceName
    var isComplete = false
    /// Whether the other side got a checkpoint after this one, or before it.
    var isPaired = false
    /// Whether the client worked on in the same session after this write.
    var isFollowed = false
  }

  let id: DocumentID

  /// The databases whose document was read or written.
  var databases: [DatabaseState] = []
  var readDatabases: [DatabaseState] = []
  /// The last write to each database.
  var writes: [Write] = []
  /// The feeds that the client read after it read the checkpoint.
  var feeds: [Feed] = []
  /// Whether a document was a checkpoint: clients may have other local documents.
  var isConfirmed = false
  var isReadReported = false
  var isOneSideReported = false
  /// The number of sessions that ended after the write of one side, as after a crash.
  var looseCount = 0

  init(_ id: DocumentID) { self.id = id }

  func use(_ database: DatabaseState) {
    if !databases.contains(where: { $0 === database }) { databases.append(database) }
  }
}
