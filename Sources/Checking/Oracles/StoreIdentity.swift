internal import Datastore
internal import JSON

/// Checks that a complete session had the same two stores at its end as at its beginning.
///
/// A session identifies both stores before it reads the first page, and again after the last copy.
/// If no incarnation of a store occurs both at the beginning and at the end, data was copied to or
/// from a store that no longer exists. (A repeated request has two responses, and the oracle cannot
/// observe which one the session used.) A replicator that identifies the stores only once is not
/// checked.
struct StoreIdentity: Oracle {
  private var sessions: [Int: Session] = [:]

  private struct Session {
    var facts: SessionFacts
    /// Whether it has read the feed, for which it must have identified both stores.
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
