internal import Datastore
internal import JSON

/// A session that is complete has met the same two stores at its end as at its beginning.
///
/// It asks both who they are before it reads the first page, and again when all is copied. If a store
/// never was at the end who it was at the beginning, what was copied went into, or came from, a store
/// that is gone. What was asked twice is answered twice, and nobody knows which answer counted; so
/// one incarnation that was there both times is enough. A replicator that asks only once is not checked.
struct StoreIdentity: Oracle {
  private var sessions: [Int: Session] = [:]

  private struct Session {
    var facts: SessionFacts
    /// Whether it has read from the feed, for which it had to know both stores.
    var hasStarted = false
    var first: [Bool: Set<JSONString>] = [:]
    var last: [Bool: Set<JSONString>] = [:]
  }

  mutating func observe(_ observation: Observation, _ history: History) -> OracleFinding? {
    switch observation {
    case .sessionBegan(let number, let facts): sessions[number] = Session(facts: facts)
    case .session(let number, let isSource, let operation, let outcome):
      switch (operation.action, outcome) {
      case (.changes, _): sessions[number]?.hasStarted = true
      case (.info, .ok(.info(let info))):
        if sessions[number]?.hasStarted == true {
          sessions[number]?.last[isSource, default: []].insert(info.incarnation)
        } else {
          sessions[number]?.first[isSource, default: []].insert(info.incarnation)
        }
      default: break
      }
    case .sessionEnded(let number, let end):
      guard let session = sessions.removeValue(forKey: number), end.isComplete else { return nil }
      return check(session, history)
    default: break
    }
    return nil
  }

  private func check(_ session: Session, _ history: History) -> OracleFinding? {
    for (isSource, replica) in [(true, session.facts.source), (false, session.facts.target)] {
      guard let first = session.first[isSource], let last = session.last[isSource],
        first.isDisjoint(with: last)
      else { continue }
      return .replacedStore(session: session.facts.name, replica: history.replicas[replica])
    }
    return nil
  }
}
