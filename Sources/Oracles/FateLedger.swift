public import Datastore
public import JSON

/// What became of one acknowledged write.
public struct LedgerEntry: Hashable, Sendable {
  public var step: Text
  /// Where it was acknowledged.
  public var replica: Int
  public var id: DocumentID
  public var rev: RevisionID
  public var fate: Fate
  /// The replicas at which it is lost.
  public var missing: [Int]

  public enum Fate: String, CaseIterable, Hashable, Sendable {
    /// It is what `read` answers.
    case winning
    /// It is a live leaf beside the winner.
    case conflict
    /// A live leaf descends from it.
    case superseded
    /// Only tombstones descend from it, or it is one.
    case deleted
    /// Its document was purged, or refused by somebody's validation.
    case exempt
    /// Its replica was destroyed or set back before anyone else had it.
    case forgiven
    /// Nobody knows it any more.
    case lost
  }
}

/// Every acknowledged write ends as winner, conflict, superseded, deleted by a client, or purged;
/// anything else is loss. And whatever is there was written by somebody.
struct FateLedger: Oracle {
  func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for (number, (store, name)) in zip(stores, history.replicas).enumerated() {
      // What is equal to a store without fault has none.
      if number > 0, findings.isEmpty, store == stores[0] { continue }
      let place = Place(store)
      for key in history.written {
        guard let write = history.writes[key] else { continue }
        let fate = Self.fate(of: key, write, place, history)
        if fate == .lost {
          let origin = history.replicas[write.replica]
          findings.append(
            OracleFinding(
              "fate", write.deleted ? "lost deletion" : "lost write",
              "\(name) does not know \(key.rev) of \(key.id), which step \(write.step) wrote at "
                + "\(origin) with success", about: key.id))
        }
      }
      findings += strangers(place, name, history)
    }
    return findings
  }

  static func entries(_ stores: [FinalStore], _ history: History) -> [LedgerEntry] {
    let places = stores.map { Place($0) }
    return history.written.compactMap { key in
      guard let write = history.writes[key] else { return nil }
      let fates = places.map { fate(of: key, write, $0, history) }
      let worst = fates.first { $0 == .lost } ?? fates.first ?? .lost
      return LedgerEntry(
        step: write.step, replica: write.replica, id: key.id, rev: key.rev, fate: worst,
        missing: fates.indices.filter { fates[$0] == .lost })
    }
  }

  /// A store at the end, by revision.
  private struct Place {
    /// For each revision the strongest claim on it: a winning, a live, a deleted branch.
    var claims: [RevisionKey: LedgerEntry.Fate] = [:]
    var documents: [FinalDocument]

    init(_ store: FinalStore) {
      documents = store.documents
      for document in store.documents {
        for record in document.records {
          for (depth, rev) in record.path.enumerated() {
            let claim: LedgerEntry.Fate =
              record.deleted
              ? .deleted
              : depth > 0 ? .superseded : rev == document.winner ? .winning : .conflict
            let key = RevisionKey(id: document.id, rev: rev)
            if let held = claims[key], held != .deleted { continue }
            claims[key] = claim
          }
        }
      }
    }
  }

  private static func fate(
    of key: RevisionKey, _ write: History.Write, _ place: Place, _ history: History
  ) -> LedgerEntry.Fate {
    if let claim = place.claims[key] { return claim }
    if history.exempt.contains(key.id) { return .exempt }
    return write.isForgiven ? .forgiven : .lost
  }

  /// Revisions that no client wrote, and bodies that are not what was written.
  private func strangers(_ place: Place, _ name: Text, _ history: History) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for document in place.documents {
      for record in document.records {
        for (depth, rev) in record.path.enumerated() {
          let key = RevisionKey(id: document.id, rev: rev)
          if let write = history.writes[key] {
            guard depth == 0 else { continue }
            if write.deleted != record.deleted {
              findings.append(
                OracleFinding(
                  "fate", "turned",
                  "\(rev) of \(document.id) is \(record.deleted ? "deleted" : "live") at \(name), "
                    + "and step \(write.step) wrote the opposite", about: document.id))
            } else if let body = write.body, !body.isSameValue(as: record.body) {
              findings.append(
                OracleFinding(
                  "fate", "altered",
                  "\(name) holds another body of \(rev) of \(document.id) than step "
                    + "\(write.step) wrote", about: document.id))
            }
          } else if !isAttempted(record, depth, history) {
            findings.append(
              OracleFinding(
                "fate", record.deleted ? "stranger, deleted" : "stranger",
                "\(name) holds \(rev) of \(document.id), which nobody wrote", about: document.id))
          }
        }
      }
    }
    return findings
  }

  /// Whether a write with an unknown outcome may have made the revision.
  private func isAttempted(_ record: RevisionRecord, _ depth: Int, _ history: History) -> Bool {
    guard let attempts = history.attempts[record.id] else { return false }
    let parent = depth + 1 < record.path.count ? record.path[depth + 1] : nil
    return attempts.contains { attempt in
      if depth == 0 {
        guard attempt.deleted == record.deleted else { return false }
        if let body = attempt.body, !body.isSameValue(as: record.body) { return false }
      }
      return attempt.parent == nil || attempt.parent == parent
    }
  }
}
