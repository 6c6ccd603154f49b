internal import Datastore
internal import Digest
internal import JSON

/// What both sides remember of earlier sessions: a local document with a history, newest first.
///
/// It says on which side it lies. Two copies of one store have one incarnation, and without the side
/// a session from the one to the other would go on from what a session back recorded.
struct CheckpointHistory: Hashable {
  var entries: [Entry] = []

  /// How far a session had come when it saved.
  struct Entry: Hashable {
    var session: JSONString
    /// A sequence of the source, and meaningful to it only.
    var recorded: UpdateSequence
  }

  static let entriesMax = 50
  /// What one session keeps: its newest, and the one before in case a side misses the newest.
  static let entriesOfSessionMax = 2

  init() {}

  /// Reads a local document; what is not a history of this side is none, which costs work, not data.
  init(_ body: JSONValue, of side: ReplicationSide) {
    guard let object = body.objectValue, object["side"]?.textValue == JSONString(side.rawValue),
      let history = object["history"]?.arrayValue
    else { return }
    for element in history {
      guard let object = element.objectValue, let session = object["session"]?.textValue,
        let recorded = object["recorded"],
        let sequence = try? UpdateSequence(recorded, path: "recorded")
      else { continue }
      entries.append(Entry(session: session, recorded: sequence))
    }
  }

  /// The local document of a side.
  func json(of side: ReplicationSide) -> JSONValue {
    let history = entries.map { entry -> JSONValue in
      ["session": .string(entry.session), "recorded": entry.recorded.json]
    }
    return ["version": 1, "side": .text(side.rawValue), "history": .array(history)]
  }

  /// The history after one more save.
  func adding(_ entry: Entry) -> CheckpointHistory {
    var next = CheckpointHistory()
    next.entries = [entry]
    var ofSession = 1
    for old in entries where next.entries.count < Self.entriesMax && old != entry {
      if old.session == entry.session {
        ofSession += 1
        if ofSession > Self.entriesOfSessionMax { continue }
      }
      next.entries.append(old)
    }
    return next
  }

  /// The newest entry that the other side has too, session and sequence both: after one side was
  /// restored from a copy, a session id alone can stand for two positions.
  func newestEntry(sharedWith other: CheckpointHistory) -> Entry? {
    entries.first { other.entries.contains($0) }
  }

  /// The id of the local document that two stores share: a digest of everything that makes a
  /// session another one.
  static func id(
    source: JSONString, target: JSONString, _ configuration: ReplicatorConfiguration
  ) -> DocumentID {
    let parameters: JSONValue = [
      "source": .string(source), "target": .string(target),
      "parameters": configuration.checkpointParameters,
    ]
    let digest = DigestAlgorithm.sha256.digest(of: parameters.serializedBytes(sortingNames: true))
    return DocumentID(JSONString("replication-" + digest.prefix(16).hexadecimal))
  }
}
