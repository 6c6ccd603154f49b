internal import Datastore
internal import Digest
internal import JSON

/// The record of earlier sessions on one side: a local document with a history, newest first.
///
/// It records the side on which it is stored. Two copies of one store have the same incarnation;
/// without the side, a session in one direction could continue from the checkpoint of a session in
/// the opposite direction.
struct CheckpointHistory: Hashable {
  var entries: [Entry] = []

  /// The progress of a session at a save.
  struct Entry: Hashable {
    var session: JSONString
    /// A sequence of the source, meaningful to the source only.
    var recorded: UpdateSequence
  }

  static let entriesMax = 50
  /// The maximum number of entries of one session: the newest, and the one before it in case one
  /// side lacks the newest.
  static let entriesOfSessionMax = 2

  init() {}

  /// Reads a local document. Anything that is not a history of this side counts as empty, which
  /// costs work but no data.
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

  /// The newest entry that the other side also has, with equal session and sequence: after one side
  /// was restored from a copy, a session id alone can stand for two positions.
  func newestEntry(sharedWith other: CheckpointHistory) -> Entry? {
    entries.first { other.entries.contains($0) }
  }

  /// The id of the local document that two stores share: a digest of all parameters that
  /// distinguish sessions.
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
