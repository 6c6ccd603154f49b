internal import Datastore
internal import JSON

/// Checks that no work is repeated without need: a session resumes from a common checkpoint, and
/// saves its progress.
struct Waste: Oracle {
  private var sessions: [Int: Session] = [:]
  /// The checkpoints in the local documents of sessions, by replica.
  private var remembered: [Int: [DocumentID: [Entry]]] = [:]
  private var copies: [Int: [DocumentID: [Entry]]] = [:]

  private struct Entry: Hashable {
    var session: JSONString
    var recorded: JSONValue
  }

  private struct Session {
    var facts: SessionFacts
    var checkpoint: DocumentID?
    var hasStarted = false
    /// The end of the feed.
    var end: UpdateSequence?
    var start: UpdateSequence?
    /// Each response of both sides to the session; their order of arrival is not observable.
    var read: [Bool: [[Entry]]] = [:]
    /// The checkpoints that it saved there, in any order: a delayed message can arrive after a
    /// newer one.
    var savedAtSource: [JSONValue] = []
  }

  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    switch observation {
    case .sessionBegan(let number, let facts):
      if !facts.isHalfSeen, facts.continuesFeed { sessions[number] = Session(facts: facts) }
    case .sessionEnded(let number, let end):
      guard let session = sessions.removeValue(forKey: number) else { return nil }
      return checkEnd(session, end)
    case .copied(let replica): copies[replica] = remembered[replica]
    case .restored(let replica): remembered[replica] = copies[replica]
    case .lostCheckpoints(let replica): remembered[replica] = nil
    case .received(let number, _, let page): sessions[number]?.end = page.more ? nil : page.last
    case .session(let number, let isSource, let operation, let outcome):
      guard var session = sessions.removeValue(forKey: number) else { return nil }
      defer { sessions[number] = session }
      return note(operation.action, outcome, isSource: isSource, session: &session)
    case .client, .application: break
    }
    return nil
  }

  private mutating func note(
    _ action: StoreAction, _ outcome: Outcome, isSource: Bool, session: inout Session
  ) -> OracleFinding? {
    switch (action, outcome) {
    case (.readLocal(let id), .ok(.local(let body))):
      session.checkpoint = id
      session.read[isSource, default: []].append(Self.entries(body))
    case (.readLocal(let id), .error):
      session.checkpoint = id
      session.read[isSource, default: []].append([])
    case (.writeLocal(let id, let body?), .ok):
      let entries = Self.entries(body)
      let replica = isSource ? session.facts.source : session.facts.target
      remembered[replica, default: [:]][id] = entries
      if isSource, let entry = entries.first { session.savedAtSource.append(entry.recorded) }
    case (.changes(let since, _), _) where isSource:
      guard !session.hasStarted else { return nil }
      session.hasStarted = true
      session.start = since
      if since == nil, let lefts = session.read[true], let rights = session.read[false],
        lefts.allSatisfy({ left in
          rights.allSatisfy { right in left.contains { right.contains($0) } }
        })
      {
        return .rescan(session: session.facts.name)
      }
    default: break
    }
    return nil
  }

  private func checkEnd(_ session: Session, _ end: SessionEnd) -> OracleFinding? {
    guard end.isComplete, !end.saysUnsaved, let reached = session.end, reached != session.start,
      !session.savedAtSource.contains(reached.json)
    else { return nil }
    return .unsavedCheckpoint(session: session.facts.name, reached: reached)
  }

  private static func entries(_ body: JSONValue) -> [Entry] {
    (body.objectValue?["history"]?.arrayValue ?? []).compactMap { element in
      guard let object = element.objectValue, let session = object["session"]?.textValue,
        let recorded = object["recorded"]
      else { return nil }
      return Entry(session: session, recorded: recorded)
    }
  }
}
