internal import Datastore
internal import JSON

/// What the transcript says about one client.
final class ClientState {
  let number: Int32
  let name: JSONString
  /// The databases that the client uses, in the order of their first use.
  private(set) var contacts: [Contact] = []
  /// The feeds that the client reads, in the order of their first use.
  private(set) var feeds: [Feed] = []
  /// The checkpoints that the client uses.
  var checkpoints: [DocumentID: CheckpointState] = [:]
  /// The ids of the checkpoints, in the order of their first use.
  var checkpointOrder: [DocumentID] = []
  /// The digests of the sequences in checkpoints that the client read or wrote.
  var checkpointSequences: Set<UInt64> = []
  /// The last exchange of the client.
  var lastPlace: Place = 0

  init(_ name: JSONString, number: Int32) {
    self.name = name
    self.number = number
  }

  func contact(_ database: DatabaseState) -> Contact {
    if let contact = contacts.first(where: { $0.database === database }) { return contact }
    let contact = Contact(database)
    contacts.append(contact)
    return contact
  }

  func feed(_ source: DatabaseState, filter: JSONString) -> Feed {
    if let feed = feeds.first(where: { $0.source === source && $0.filter == filter }) {
      return feed
    }
    let feed = Feed(source, filter: filter)
    feeds.append(feed)
    return feed
  }

  func checkpoint(_ id: DocumentID) -> CheckpointState {
    if let checkpoint = checkpoints[id] { return checkpoint }
    let checkpoint = CheckpointState(id)
    checkpoints[id] = checkpoint
    checkpointOrder.append(id)
    return checkpoint
  }

  /// The targets for a source: other databases that the client asks or writes.
  func targets(of source: DatabaseState) -> [Contact] {
    contacts.filter { $0.isTarget && isPaired(source, $0.database) }
  }

  /// Whether the client may replicate between two databases: it uses a checkpoint in both, or none in
  /// one of them.
  ///
  /// A client that pulls from one database into a local store, and pushes from there to another one,
  /// has a checkpoint in each.
  func isPaired(_ source: DatabaseState, _ target: DatabaseState) -> Bool {
    guard source !== target else { return false }
    return sharesCheckpoint(source, target) || !usesCheckpoint(source) || !usesCheckpoint(target)
  }

  /// Whether the client uses a checkpoint with the same id in two databases.
  func sharesCheckpoint(_ source: DatabaseState, _ target: DatabaseState) -> Bool {
    checkpointOrder.contains { id in
      let databases = checkpoints[id]?.databases ?? []
      return databases.contains { $0 === source } && databases.contains { $0 === target }
    }
  }

  /// Records that the client works on after the writes of its checkpoints.
  func follow() {
    for id in checkpointOrder {
      guard let checkpoint = checkpoints[id] else { continue }
      for place in checkpoint.writes.indices where !checkpoint.writes[place].isPaired {
        let write = checkpoint.writes[place]
        if contact(write.database).sessionStart < write.place {
          checkpoint.writes[place].isFollowed = true
        }
      }
    }
  }

  /// Whether the client uses a checkpoint in a database.
  func usesCheckpoint(_ database: DatabaseState) -> Bool {
    checkpointOrder.contains { id in
      checkpoints[id]?.databases.contains { $0 === database } ?? false
    }
  }
}
