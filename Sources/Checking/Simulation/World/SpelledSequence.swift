internal import Datastore
internal import JSON
internal import Replication

/// Sequences that a peer encodes differently in every response, as clusters do: equal positions
/// have different encodings, and only the peer can decode them.
extension UpdateSequence {
  func spelledAnew(at time: UInt64) -> UpdateSequence {
    .text(JSONString("~\(time)~\(json.serialized())"))
  }

  /// The store's own encoding.
  var plain: UpdateSequence {
    guard case .text(let text) = self, text.utf8.first == UInt8(ascii: "~") else { return self }
    let parts = text.utf8.split(separator: UInt8(ascii: "~"), maxSplits: 1)
    guard parts.count == 2, let json = try? JSONValue.parse(parts[1]),
      let sequence = try? UpdateSequence(json, path: "")
    else { return self }
    return sequence
  }
}

extension PeerRequest {
  /// The request with the sequence in the store's own encoding.
  var withPlainSequence: PeerRequest {
    guard case .changes(let since?, let limit, let filter) = self else { return self }
    return .changes(since: since.plain, limit: limit, filter: filter)
  }
}

extension Outcome {
  /// The outcome with all sequences in a new encoding.
  func withSequences(spelledAnewAt time: UInt64) -> Outcome {
    switch self {
    case .ok(.changes(var page)):
      page.last = page.last.spelledAnew(at: time)
      for place in page.rows.indices {
        page.rows[place].seq = page.rows[place].seq.spelledAnew(at: time)
      }
      return .ok(.changes(page))
    case .ok(.info(var info)):
      info.last = info.last.spelledAnew(at: time)
      return .ok(.info(info))
    default: return self
    }
  }
}
