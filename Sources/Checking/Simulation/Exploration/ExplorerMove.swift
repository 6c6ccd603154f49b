internal import Datastore
internal import JSON
internal import Replication

/// One possible next event.
enum ExplorerMove: Hashable {
  /// A client writes.
  case write(replica: Int, StoreAction)
  /// A session begins and reads both checkpoints.
  case begin(source: Int, target: Int)
  /// A store performs a request, and the session receives the response.
  case deliver(session: Int, RequestNumber)
  case spoil(session: Int, RequestNumber, Spoiling)
  /// A session's pause between two checkpoints is over.
  case save(session: Int)
  /// A store performs a request whose session no longer waits for it.
  case arrive(stray: Int)
  /// A replica crashes, which ends all sessions with it.
  case crash(replica: Int)

  /// A fault of a request.
  enum Spoiling: CaseIterable {
    /// The session receives no response. The request is still in flight and may arrive at any time
    /// or never. This covers lost requests, lost responses, late and duplicated messages.
    case lost
    /// The peer is busy and does nothing.
    case refused
    /// The response lacks its last item.
    case partial
  }
}

extension ExplorerMove {
  /// The move in words.
  func words(_ names: [JSONString]) -> String {
    switch self {
    case .write(let replica, let action):
      return "\(names[replica]): \(StoreOperation(ExplorerState.store, action).json.serialized())"
    case .begin(let source, let target):
      return "a session begins from \(names[source]) to \(names[target])"
    case .deliver(let session, let number):
      return "session \(session + 1): request \(number) is performed"
    case .spoil(let session, let number, .lost):
      return "session \(session + 1): request \(number) gets no response"
    case .spoil(let session, let number, .refused):
      return "session \(session + 1): request \(number) is rejected with status 503"
    case .spoil(let session, let number, .partial):
      return
        "session \(session + 1): request \(number) is performed, the response lacks its last item"
    case .save(let session): return "session \(session + 1): time to save a checkpoint"
    case .arrive: return "a request arrives whose session no longer waits for it"
    case .crash(let replica): return "\(names[replica]) crashes"
    }
  }
}
