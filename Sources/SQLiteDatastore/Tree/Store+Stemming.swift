internal import Datastore

// The history limit cuts a document's tree from below. A revision stays when some leaf is fewer
// than `limit` steps above it; every step is one generation, so for each leaf above it this is a
// comparison of two generations. With limit 2:
//
//     1-a ─ 2-b ─ 3-c ─ 4-d        4-d and 3-c stay for the leaf 4-d,
//       └── 2-x                    2-x and 1-a for the leaf 2-x; 2-b goes, and 3-c is a root
//
// With `lowest` and `highest` the generations of the lowest and the highest leaf, no revision up to
// `lowest - limit` stays, and every one above `highest - limit` does. A document with one leaf, or
// with leaves of one generation, is done with the first rule: a range of an index. Only what lies
// between the two bounds is followed down from the lower leaves, at most `limit` steps each.

extension Store {
  /// Removes what the history limit no longer keeps and answers the numbers of the revisions.
  func stem(_ document: Int64) throws(DatastoreError) -> [Int64] {
    guard let limit = row.historyLimit, let span = try leafSpan(of: document) else { return [] }
    var removed: [Int64] = []
    if span.lowerBound > limit {
      removed = try numbers(.deleteUpTo, document, span.lowerBound - limit)
    }
    guard span.upperBound > span.lowerBound, span.upperBound > limit else { return removed }
    let doubtful = try numbers(.revisionsUpTo, document, span.upperBound - limit)
    guard !doubtful.isEmpty else { return removed }
    let kept = try kept(in: document, limit: limit, highest: span.upperBound)
    for revision in doubtful where !kept.contains(revision) {
      try run(.deleteRevision, [.integer(revision)])
      removed.append(revision)
    }
    return removed
  }

  /// The revisions that leaves below the highest generation keep.
  ///
  /// The leaves are taken from the lowest up: one that meets a revision kept for a lower leaf needs
  /// nothing below it that is not kept already.
  private func kept(
    in document: Int64, limit: Int64, highest: Int64
  ) throws(DatastoreError) -> Set<Int64> {
    var leaves: [(revision: Int64, generation: Int64)] = []
    var rows = try rows(.leaves, [.integer(document), .integer(-1)])
    while try rows.next() {
      let leaf = try rows.leaf(0)
      if leaf.name.generation < highest { leaves.append((leaf.revision, leaf.name.generation)) }
    }
    leaves.sort { ($0.generation, $0.revision) < ($1.generation, $1.revision) }
    var kept: Set<Int64> = []
    for leaf in leaves {
      var next: Int64? = leaf.revision
      var stepCount: Int64 = 0
      while let revision = next, stepCount < limit, kept.insert(revision).inserted {
        next = try parent(of: revision)
        stepCount += 1
      }
    }
    return kept
  }

  /// The parent of a revision, or nil for a root.
  func parent(of revision: Int64) throws(DatastoreError) -> Int64? {
    var rows = try rows(.parentOf, [.integer(revision)])
    return try rows.next() ? rows.optionalInteger(0) : nil
  }

  private func leafSpan(of document: Int64) throws(DatastoreError) -> ClosedRange<Int64>? {
    var rows = try rows(.leafSpan, [.integer(document)])
    guard try rows.next(), !rows.isNull(0) else { return nil }
    return rows.integer(0)...rows.integer(1)
  }

  private func numbers(
    _ query: Query, _ document: Int64, _ generation: Int64
  ) throws(DatastoreError) -> [Int64] {
    var rows = try rows(query, [.integer(document), .integer(generation)])
    var numbers: [Int64] = []
    while try rows.next() { numbers.append(rows.integer(0)) }
    return numbers
  }
}
