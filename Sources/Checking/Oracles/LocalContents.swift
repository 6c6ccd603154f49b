internal import Datastore
internal import JSON

/// Checks that clients read each local document as it was written last at the same replica.
///
/// Local documents have no revision ids and are not replicated, so equal contents are required of
/// one replica only, under ids that differ in every byte that counts.
struct LocalContents: Oracle {
  /// By replica, the possible bodies of each local document of clients; no entry if unknown. Nil in
  /// an entry means that the document is absent.
  private var bodies: [Int: [DocumentID: [JSONValue?]]] = [:]

  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    switch observation {
    case .client(let replica, _, let operation, let outcome):
      switch operation.action {
      case .writeLocal(let id, let body): write(id, body, outcome: outcome, at: replica)
      case .destroy: bodies[replica] = nil
      case .readLocal(let id):
        guard !isExpected(id, outcome, at: replica) else { return nil }
        return .alteredLocal(id, replica: history.replicas[replica])
      default: break
      }
      return nil
    case .restored(let replica):
      bodies[replica] = nil
      return nil
    default: return nil
    }
  }

  private mutating func write(
    _ id: DocumentID, _ body: JSONValue?, outcome: Outcome, at replica: Int
  ) {
    switch outcome {
    case .ok: bodies[replica, default: [:]][id] = [body]
    case .unknown: bodies[replica]?[id]?.append(body)
    case .error: break
    }
  }

  private func isExpected(_ id: DocumentID, _ outcome: Outcome, at replica: Int) -> Bool {
    guard let possible = bodies[replica]?[id] else { return true }
    switch outcome {
    case .ok(.local(let body)):
      return possible.contains { $0?.isSameValue(as: body) ?? false }
    case .error(let error):
      guard case .notFound = error.kind else { return true }
      return possible.contains { $0 == nil }
    default: return true
    }
  }
}
