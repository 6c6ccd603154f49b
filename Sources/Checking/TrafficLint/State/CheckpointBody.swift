internal import JSON

/// A checkpoint document, as CouchDB and its relatives write it.
struct CheckpointBody {
  struct Entry {
    var session: JSONValue?
    var sequence: SequenceName?
  }

  static let historyMax = 50

  let session: JSONValue?
  /// The sequence up to which the target has everything: `source_last_seq`, in PouchDB `last_seq`.
  let sequence: SequenceName?
  let history: [Entry]
  /// All sequences of the document.
  let sequences: [SequenceName]
  /// What is wrong with the form; nil if nothing.
  let flaw: String?

  init(_ body: JSONObject) {
    session = body["session_id"]
    sequence = (body["source_last_seq"] ?? body["last_seq"]).flatMap { SequenceName($0) }
    let entries = body["history"]?.arrayValue
    history = (entries ?? []).map { value in
      let entry = value.objectValue ?? [:]
      let sequence = entry["recorded_seq"] ?? entry["last_seq"]
      return Entry(session: entry["session_id"], sequence: sequence.flatMap { SequenceName($0) })
    }
    let names: [JSONString] = [
      "source_last_seq", "last_seq", "recorded_seq", "start_last_seq", "end_last_seq",
    ]
    sequences = ([body] + (entries ?? []).compactMap(\.objectValue)).flatMap { object in
      names.compactMap { object[$0].flatMap { SequenceName($0) } }
    }
    if session?.textValue == nil {
      flaw = "the checkpoint has no session_id"
    } else if sequence == nil {
      flaw = "the checkpoint has no source_last_seq"
    } else if entries == nil {
      flaw = "the checkpoint has no history"
    } else if history.contains(where: { $0.session?.textValue == nil || $0.sequence == nil }) {
      flaw = "an entry of the history has no session_id or no recorded_seq"
    } else {
      flaw = nil
    }
  }

  /// Whether the document is a checkpoint at all: clients may have other local documents.
  var isCheckpoint: Bool { sequence != nil && (session != nil || !history.isEmpty) }

  /// Returns the newest sequence that two sides have in common, or 0.
  static func common(_ source: CheckpointBody?, _ target: CheckpointBody?) -> SequenceName {
    guard let source, let target else { return .zero }
    if source.session != nil, source.session == target.session {
      return source.sequence ?? .zero
    }
    for entry in source.history where entry.session != nil {
      if target.history.contains(where: { $0.session == entry.session }) {
        return entry.sequence ?? .zero
      }
    }
    return .zero
  }
}
