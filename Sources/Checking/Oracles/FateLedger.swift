public import Datastore
public import JSON

/// The final state of one acknowledged write.
public struct LedgerEntry: Hashable, Sendable {
  public var step: JSONString
  /// The replica that acknowledged it.
  public var replica: Int
  public var id: DocumentID
  public var rev: RevisionID
  public var fate: Fate
  /// The replicas that lost it.
  public var missing: [Int]

  public enum Fate: String, CaseIterable, Hashable, Sendable {
    /// Current: `read` returns it.
    case winning
    /// In conflict: it is a live leaf beside the winner.
    case conflict
    /// Superseded: a live leaf descends from it.
    case superseded
    /// Deleted: only tombstones descend from it, or it is one.
    case deleted
    /// Purged: its document was purged, or rejected by a validation.
    case exempt
    /// Excused: its replica was destroyed or restored before another one had it.
    case forgiven
    /// Lost: no replica has it.
    case lost
  }
}

/// Checks that every acknowledged write ends as current, in conflict, superseded, deleted by a
/// client, or purged; otherwise it is lost. And that every revision was written by a client.
struct FateLedger: Oracle {
  func conclude(_ stores: [FinalStore], _ history: History) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for (number, (store, name)) in zip(stores, history.replicas).enumerated() {
      // A store that equals one without findings has no findings, unless the revisions that may be
      // missing depend on the replica.
      if number > 0, findings.isEmpty, !history.hasCuts, store == stores[0] { continue }
      let place = Place(store, number)
      for key in history.written {
        guard let write = history.writes[key] else { continue }
        let fate = Self.fate(of: key, write, place, history: history)
        if fate == .lost {
          findings.append(
            .lostWrite(
              key.id, key.rev, isDeletion: write.deleted, step: write.step,
              origin: history.replicas[write.replica], replica: name))
        }
      }
      findings += strangers(place, name, history: history)
    }
    return findings
  }

  static func entries(_ stores: [FinalStore], _ history: History) -> [LedgerEntry] {
    let places = stores.enumerated().map { Place($1, $0) }
    return history.written.compactMap { key in
      guard let write = history.writes[key] else { return nil }
      let fates = places.map { fate(of: key, write, $0, history: history) }
      let worst = fates.first { $0 == .lost } ?? fates.first ?? .lost
      return LedgerEntry(
        step: write.step, replica: write.replica, id: key.id, rev: key.rev, fate: worst,
        missing: fates.indices.filter { fates[$0] == .lost })
    }
  }

  /// A store at the end, by revision.
  private struct Place {
    /// The strongest state of each revision: in a winning, a live, or a deleted branch.
    var claims: [RevisionKey: LedgerEntry.Fate] = [:]
    var documents: [FinalDocument]
    let replica: Int

    init(_ store: FinalStore, _ replica: Int) {
      documents = store.documents
      self.replica = replica
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
    of key: RevisionKey, _ write: History.Write, _ place: Place, history: History
  ) -> LedgerEntry.Fate {
    if let claim = place.claims[key] { return claim }
    if history.exempt.contains(key.id) { return .exempt }
    if write.isForgiven { return .forgiven }
    return cut(key, place, history: history) ?? .lost
  }

  /// Returns the final state of a revision that the store may have forgotten or never received; nil
  /// if it must have the revision.
  ///
  /// A replica that acknowledged the revision forgets it by its own history limit only.
  private static func cut(
    _ key: RevisionKey, _ place: Place, history: History
  ) -> LedgerEntry.Fate? {
    let isKnown = history.known[place.replica].contains(key)
    let limit = isKnown ? history.limits[place.replica] : history.leastLimit
    guard let document = place.documents.first(where: { $0.id == key.id }) else { return nil }
    var fate: LedgerEntry.Fate?
    for leaf in document.leaves
    where history.mayLack(
      key.rev, of: key.id, under: leaf.rev, limit: limit, takesEnds: !isKnown)
    {
      guard leaf.deleted else { return .superseded }
      fate = .deleted
    }
    return fate
  }

  /// Reports revisions that no client wrote, and bodies that differ from the written ones.
  private func strangers(_ place: Place, _ name: JSONString, history: History) -> [OracleFinding] {
    var findings: [OracleFinding] = []
    for document in place.documents {
      for record in document.records {
        for (depth, rev) in record.path.enumerated() {
          let key = RevisionKey(id: document.id, rev: rev)
          if let write = history.writes[key] {
            guard depth == 0, !write.isAmbiguous else { continue }
            if write.deleted != record.deleted {
              findings.append(
                .wrongState(
                  document.id, rev, isDeleted: record.deleted, step: write.step, replica: name))
            } else if let body = write.body, !body.isSameValue(as: record.body) {
              findings.append(.alteredBody(document.id, rev, step: write.step, replica: name))
            }
          } else if !isBrought(record, depth, history: history),
            !isAttempted(record, depth, history: history)
          {
            findings.append(
              .stranger(document.id, rev, isDeleted: record.deleted, replica: name))
          }
        }
      }
    }
    return findings
  }

  /// Whether a client inserted the revision: as an ancestor, or as a leaf with this content by an
  /// `insertRevisions` with an unknown outcome.
  private func isBrought(_ record: RevisionRecord, _ depth: Int, history: History) -> Bool {
    let key = RevisionKey(id: record.id, rev: record.path[depth])
    guard depth == 0 else { return history.origins[key] != nil }
    // Without the leaf above it, which was purged, an ancestor is a leaf.
    if history.exempt.contains(record.id), history.origins[key] != nil { return true }
    return history.unsureTips[key]?.contains { tip in
      tip.deleted == record.deleted && tip.body?.isSameValue(as: record.body) != false
    } ?? false
  }

  /// Whether a write with an unknown outcome may have made the revision.
  private func isAttempted(_ record: RevisionRecord, _ depth: Int, history: History) -> Bool {
    guard let attempts = history.attempts[record.id] else { return false }
    let parent = depth + 1 < record.path.count ? record.path[depth + 1] : nil
    // A path cut by a history limit does not show the parent.
    let isCut =
      parent == nil && record.path.count > 0
      && history.leastLimit.map { Int64(depth) + 1 >= $0 } ?? false
    return attempts.contains { attempt in
      if depth == 0 {
        guard attempt.deleted == record.deleted else { return false }
        if let body = attempt.body, !body.isSameValue(as: record.body) { return false }
      }
      if isCut, let before = attempt.parent?.generation, before < .max {
        return record.path[depth].generation == before + 1
      }
      return attempt.parent == nil || attempt.parent == parent
    }
  }
}
