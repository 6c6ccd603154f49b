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

    func covers(_ id: DocumentID, _ document: ModelDocument) -> Bool {
      document.changedAt <= through || documents[id] == document.changedAt
    }

    /// The part of the coverage that existed at a position.
    ///
    /// Without the documents that make no difference: most coverages then have no documents.
    func upTo(_ position: Int64) -> Coverage {
      Coverage(
        through: min(through, position),
        documents: documents.filter { $0.value <= position && $0.value > through })
    }

    /// Keeps only what another coverage covers, too.
    mutating func formIntersection(_ other: Coverage) {
      let both = min(through, other.through)
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
  private var coverage: [UpdateSequence: Coverage] = [:]
  /// The position of the model at which each sequence was first returned; it cannot cover later
  /// changes.
  private var shownAt: [UpdateSequence: Int64] = [:]
  /// Records the changes of the latest operation in the model, and returns whether there are any.
  mutating func follow(_ store: ModelStore) -> Bool {
    let isNew = followed != store.incarnation
    if isNew {
      followed = store.incarnation
      if let incarnation { pastIncarnations.insert(incarnation) }
      incarnation = nil
      pastSequences.formUnion(coverage.keys)
      coverage = [:]
      shownAt = [:]
      boundaries = []
    }
    guard store.lastChange > boundaries.last ?? 0 else { return isNew }
    boundaries.append(store.lastChange)
    return true
  }

  /// Whether this incarnation has returned a sequence.
  func knows(_ sequence: UpdateSequence) -> Bool { coverage[sequence] != nil }

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
    guard case .changes(_, let limit) = action, page.rows.count <= limit ?? .max,
      Set(page.rows.map { $0.id }).count == page.rows.count,
      page.rows.allSatisfy({ isRight($0, in: store, rows) })
    else { return false }
    var covered = Coverage()
    if let since {
      if let known = coverage[since] {
        covered = known
      } else if !pastSequences.contains(since) || !profiles.contains(.incarnationSequences) {
        // The meaning of the sequence is unknown, so nothing is guaranteed or recorded.
        return true
      }
    }
    let required = store.documents.filter { id, document in
      !covered.covers(id, document) && rows?.keys.contains(id) ?? true
    }
    let shown = Set(page.rows.map { $0.id })
    guard page.more || required.allSatisfy({ shown.contains($0.key) }),
      isLastRight(page, since: since, isDense: profiles.contains(.denseChanges))
    else { return false }
    if profiles.contains(.denseChanges), !isDense(page, required, in: store) { return false }
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
    guard let covered = coverage[since] else { return nil }
    let pending = whole.rows.filter { row in
      store.documents[row.id].map { !covered.covers(row.id, $0) } ?? false
    }
    let rows = Array(pending.prefix(Int(clamping: limit ?? .max)))
    let more = rows.count < pending.count
    return ChangesPage(rows: rows, last: more ? rows.last?.seq ?? since : whole.last, more: more)
  }

  private mutating func learn(_ sequence: UpdateSequence, _ covered: Coverage) {
    let position = shownAt[sequence] ?? boundaries.last ?? 0
    shownAt[sequence] = position
    let limited = covered.upTo(position)
    // A client may have reached the sequence in each of these ways.
    coverage[sequence]?.formIntersection(limited)
    if coverage[sequence] == nil { coverage[sequence] = limited }
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
    _ page: ChangesPage, _ required: [DocumentID: ModelDocument], in store: ModelStore
  ) -> Bool {
    let due = required.values.map { operation(of: $0.changedAt) }.sorted()
    let shown = page.rows.compactMap { required[$0.id].map { operation(of: $0.changedAt) } }
    return shown.count == page.rows.count && shown == Array(due.prefix(shown.count))
      && page.more == (shown.count < due.count)
  }

  /// The operation that made the change at a position, counted in operations that changed
  /// something.
  private func operation(of position: Int64) -> Int {
    boundaries.firstIndex { position <= $0 } ?? boundaries.count
  }
}
