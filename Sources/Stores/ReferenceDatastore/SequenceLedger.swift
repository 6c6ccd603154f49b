internal import Datastore
internal import JSON
internal import RevisionTree

/// The meaning of the sequences of one store under test.
///
/// A sequence is opaque, but it implies a guarantee: a client that continues from it has already
/// received certain changes. The ledger stores this coverage for every returned sequence. After a
/// `since`, the store must return every document whose latest change is not covered.
struct SequenceLedger: Hashable {
  /// The changes that a client has received when it reaches a sequence.
  private struct Coverage: Hashable {
    /// All changes up to this position of the model.
    var through: Int64 = 0
    /// Changes of single documents; those up to `through` make no difference.
    var documents: [DocumentID: Int64] = [:]

    func covers(_ id: DocumentID, changedAt position: Int64) -> Bool {
      position <= through || documents[id] == position
    }

    /// The part of the coverage that existed at a position.
    ///
    /// Without the documents that make no difference: most coverages then have no documents.
    func upTo(_ position: Int64) -> Coverage {
      if documents.isEmpty { return Coverage(through: min(through, position)) }
      return Coverage(
        through: min(through, position),
        documents: documents.filter { $0.value <= position && $0.value > through })
    }

    /// Keeps only what another coverage covers, too.
    mutating func formIntersection(_ other: Coverage) {
      let both = min(through, other.through)
      if documents.isEmpty, other.documents.isEmpty {
        through = both
        return
      }
      var shared = documents.filter {
        $0.value <= other.through || other.documents[$0.key] == $0.value
      }
      for (id, position) in other.documents where position <= through { shared[id] = position }
      (through, documents) = (both, shared)
    }
  }

  /// The last position of each operation that changed something: the order of the changes of one
  /// operation is unspecified.
  private(set) var boundaries: [Int64] = []
  /// The incarnation of the model's store that the ledger belongs to.
  private var followed: JSONString?
  /// The incarnation of the implementation, once returned, and all its earlier ones.
  private var incarnation: JSONString?
  private var pastIncarnations: Set<JSONString> = []
  private var pastSequences: Set<UpdateSequence> = []
  private var meanings: [UpdateSequence: Meaning] = [:]

  /// What is known of a sequence that was returned.
  private struct Meaning: Hashable {
    var coverage: Coverage
    /// The position of the model at which the sequence was first returned; it cannot cover later
    /// changes.
    let shownAt: Int64
  }

  /// Whether all changes of the model are recorded.
  func isCurrent(_ store: ModelStore) -> Bool {
    followed == store.incarnation && store.lastChange <= boundaries.last ?? 0
  }

  /// Records the changes of the latest operation in the model.
  mutating func follow(_ store: ModelStore) {
    if followed != store.incarnation {
      followed = store.incarnation
      if let incarnation { pastIncarnations.insert(incarnation) }
      incarnation = nil
      pastSequences.formUnion(meanings.keys)
      meanings = [:]
      boundaries = []
    }
    if store.lastChange > boundaries.last ?? 0 { boundaries.append(store.lastChange) }
  }

  /// Whether this incarnation has returned a sequence.
  func knows(_ sequence: UpdateSequence) -> Bool { meanings[sequence] != nil }

  /// Checks `incarnation` and records the coverage of `last`.
  mutating func admit(_ info: StoreInfo) -> Bool {
    guard incarnation ?? info.incarnation == info.incarnation,
      !pastIncarnations.contains(info.incarnation)
    else { return false }
    incarnation = info.incarnation
    learn(info.last, Coverage(through: boundaries.last ?? 0))
    return true
  }

  /// Checks a page of changes and records the coverage of its sequences.
  ///
  /// - Parameter rows: the rows of the whole feed of a store with deviations; nil for the rows of
  ///   the rules.
  mutating func admit(
    _ page: ChangesPage, of store: ModelStore, since: UpdateSequence?, _ action: StoreAction,
    profiles: Set<Profile>, rows: [DocumentID: ChangesRow]? = nil
  ) -> Bool {
    let shown = Set(page.rows.lazy.map { $0.id })
    guard case .changes(_, let limit) = action, page.rows.count <= limit ?? .max,
      shown.count == page.rows.count, page.rows.allSatisfy({ isRight($0, in: store, rows) })
    else { return false }
    var covered = Coverage()
    if let since {
      if let known = meanings[since] {
        covered = known.coverage
      } else if !pastSequences.contains(since) || !profiles.contains(.incarnationSequences) {
        // The meaning of the sequence is unknown, so nothing is guaranteed or recorded.
        return true
      }
    }
    // The changes that the client has not received.
    var pending: [(id: DocumentID, position: Int64)] = []
    for (id, document) in store.documents {
      let position = document.changedAt
      if covered.covers(id, changedAt: position) || rows?.keys.contains(id) == false { continue }
      pending.append((id, position))
    }
    guard page.more || pending.allSatisfy({ shown.contains($0.id) }),
      isLastRight(page, since: since, isDense: profiles.contains(.denseChanges))
    else { return false }
    if profiles.contains(.denseChanges), !isDense(page, pending) { return false }
    for row in page.rows {
      guard let position = store.documents[row.id]?.changedAt else { continue }
      covered.documents[row.id] = position
      // Later changes come after the sequence of a row, whatever the order of the rows. Changes of
      // the same call have the order of the rows, if rows have an order.
      var reached = covered
      let isOrdered = profiles.contains(.denseChanges)
      let through = isOrdered ? boundaries.last { $0 < position } ?? 0 : position
      reached.through = max(reached.through, through)
      learn(row.seq, reached)
    }
    learn(page.last, page.more ? covered : Coverage(through: boundaries.last ?? 0))
    return true
  }

  /// The page that a store without repetitions returns after a sequence; nil for a sequence with an
  /// unknown meaning.
  ///
  /// - Parameter whole: the whole feed of the model.
  func page(
    of store: ModelStore, since: UpdateSequence, limit: Int64?, from whole: ChangesPage
  ) -> ChangesPage? {
    guard let covered = meanings[since]?.coverage else { return nil }
    let pending = whole.rows.filter { row in
      store.documents[row.id].map { !covered.covers(row.id, changedAt: $0.changedAt) } ?? false
    }
    let rows = Array(pending.prefix(Int(clamping: limit ?? .max)))
    let more = rows.count < pending.count
    return ChangesPage(rows: rows, last: more ? rows.last?.seq ?? since : whole.last, more: more)
  }

  private mutating func learn(_ sequence: UpdateSequence, _ covered: Coverage) {
    guard let place = meanings.index(forKey: sequence) else {
      let position = boundaries.last ?? 0
      meanings[sequence] = Meaning(coverage: covered.upTo(position), shownAt: position)
      return
    }
    // A client may have reached the sequence in each of these ways.
    let limited = covered.upTo(meanings.values[place].shownAt)
    meanings.values[place].coverage.formIntersection(limited)
  }

  private func isRight(
    _ row: ChangesRow, in store: ModelStore, _ rows: [DocumentID: ChangesRow]?
  ) -> Bool {
    if let rows {
      return rows[row.id].map {
        $0.deleted == row.deleted && $0.leaves.agree(with: row.leaves)
      } ?? false
    }
    guard let document = store.documents[row.id] else { return false }
    return row.deleted == document.tree.isWinnerDeleted
      && document.leaves.agree(with: row.leaves)
  }

  /// If more pages follow, the next page begins after the last row, or where this one began.
  ///
  /// A store with several shards may write the place of a page without rows in another way; what the
  /// new sequence covers shows in the next page.
  private func isLastRight(_ page: ChangesPage, since: UpdateSequence?, isDense: Bool) -> Bool {
    guard page.more else { return true }
    guard let expected = page.rows.last?.seq ?? (isDense ? since : nil) else { return true }
    return page.last == expected
  }

  /// Whether a page has exactly the first pending changes, those of one operation in any order.
  private func isDense(
    _ page: ChangesPage, _ pending: [(id: DocumentID, position: Int64)]
  ) -> Bool {
    let positions = Dictionary(uniqueKeysWithValues: pending.map { ($0.id, $0.position) })
    let due = pending.map { operation(of: $0.position) }.sorted()
    let shown = page.rows.compactMap { positions[$0.id].map { operation(of: $0) } }
    return shown.count == page.rows.count && shown == Array(due.prefix(shown.count))
      && page.more == (shown.count < due.count)
  }

  /// The operation that made the change at a position, counted in operations that changed
  /// something.
  private func operation(of position: Int64) -> Int {
    boundaries.firstIndex { position <= $0 } ?? boundaries.count
  }
}
