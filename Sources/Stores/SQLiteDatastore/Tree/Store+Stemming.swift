internal import Datastore

// The history limit prunes a document's tree from below. A revision is kept if some leaf is fewer
// than `limit` steps above it; every step is one generation, so for each leaf this is a comparison
// of two generations. With limit 2:
//
//     1-a ─ 2-b ─ 3-c ─ 4-d        4-d and 3-c are kept for the leaf 4-d,
//       └── 2-x                    2-x and 1-a for the leaf 2-x; 2-b is removed, and 3-c is a root
//
// With `lowest` and `highest` the generations of the lowest and the highest leaf, no revision up to
// `lowest - limit` is kept, and every one above `highest - limit` is. For a document with one leaf,
// or with leaves of one generation, the first rule suffices: a range of an index. Only revisions
// between the two bounds are traced down from the lower leaves, at most `limit` steps each.

extension Store {
  /// Removes the revisions beyond the history limit, and returns them.
  func stem(
    _ document: Int64, _ leaves: ChangingDocument.Leaves
  ) throws(DatastoreError) -> [RevisionName] {
    guard let limit = row.historyLimit, let span = try span(of: leaves, document) else { return [] }
    var removed: [RevisionName] = []
    if span.lowerBound > limit {
      let bound = span.lowerBound - limit
      removed = try names(.deleteUpTo, document, generation: bound)
      if row.usesBlobs {
        try prepare(.deleteAttachmentsUpTo).integer(document).integer(bound).run()
      }
      if !removed.isEmpty { try prepare(.cutBelow).integer(document).integer(bound + 1).run() }
    }
    guard span.upperBound > span.lowerBound, span.upperBound > limit else { return removed }
    let doubtful = try names(.revisionsUpTo, document, generation: span.upperBound - limit)
    guard !doubtful.isEmpty else { return removed }
    let kept = try kept(in: document, limit: limit, highest: span.upperBound)
    for name in doubtful where !kept.contains(name) {
      try delete(name, of: document)
      try prepare(.cutFrom).integer(document).integer(name.generation + 1).bytes(name.text).run()
      removed.append(name)
    }
    return removed
  }

  /// The revisions that leaves below the highest generation keep.
  ///
  /// The leaves are processed from the lowest up: a trace that reaches a revision kept for a lower
  /// leaf can stop there.
  private func kept(
    in document: Int64, limit: Int64, highest: Int64
  ) throws(DatastoreError) -> Set<RevisionName> {
    var leaves = try rankedLeaves(of: document).map { $0.name }
    leaves.removeAll { $0.generation >= highest }
    leaves.sort { $0.generation < $1.generation }
    var kept: Set<RevisionName> = []
    for leaf in leaves {
      var next: RevisionName? = leaf
      var stepCount: Int64 = 0
      while let name = next, stepCount < limit, kept.insert(name).inserted {
        next = try parent(of: name, in: document)
        stepCount += 1
      }
    }
    return kept
  }

  /// The generations from the lowest leaf to the highest.
  private func span(
    of leaves: ChangingDocument.Leaves, _ document: Int64
  ) throws(DatastoreError) -> ClosedRange<Int64>? {
    switch leaves {
    case .none: return nil
    case .only(let leaf): return leaf.name.generation...leaf.name.generation
    case .ranked:
      var rows = try prepare(.leafSpan).integer(document).rows()
      guard try rows.next(), !rows.isNull(0) else { return nil }
      let (lowest, highest) = (rows.integer(0), rows.integer(1))
      // SQL orders a value that is not an integer differently.
      guard 1 <= lowest, lowest <= highest else {
        throw corrupt("contains leaves without a generation")
      }
      return lowest...highest
    }
  }

  private func names(
    _ query: Query, _ document: Int64, generation: Int64
  ) throws(DatastoreError) -> [RevisionName] {
    var rows = try prepare(query).integer(document).integer(generation).rows()
    return try rows.revisionNames()
  }
}
