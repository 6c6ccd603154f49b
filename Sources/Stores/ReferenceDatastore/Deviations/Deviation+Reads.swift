internal import Datastore
internal import JSON
internal import RevisionTree

// Deviations in what a store reads.

extension Deviation {
  static let reads: [Deviation] = [
    Deviation(
      "winners-by-utf16", "Revision ids are ordered by UTF-16 code units.",
      breaks: ["REV-007"], of: [.pouchDB],
      effect: .response { performance in
        // The other collations are orders of numbers and of digits.
        guard let store = performance.storeBefore, store.collation.name == .bytes else { return }
        switch (performance.operation.action, performance.result) {
        case (.leaves(let id), .leaves(let leaves)?):
          performance.result = .leaves(store.orderedByUTF16(leaves, of: id))
        case (.read(let id, nil), .document(let found)?):
          guard let winner = store.leavesByUTF16(of: id).first, winner.rev != found.rev,
            let document = try? store.document(id, winner.rev)
          else { return }
          performance.result = .document(document)
        case (.list, .list(let rows)?):
          performance.result = .list(
            rows.map { row in
              ListRow(id: row.id, rev: store.leavesByUTF16(of: row.id).first?.rev ?? row.rev)
            })
        case (.changes, .changes(var page)?):
          for place in page.rows.indices {
            let row = page.rows[place]
            page.rows[place].leaves = Leaves(store.orderedByUTF16(row.leaves.array, of: row.id))
          }
          performance.result = .changes(page)
        default: break
        }
      }),
    Deviation(
      "list-by-utf16", "`list` is ordered by UTF-16 code units of the ids.",
      breaks: ["UNI-003"], of: [.pouchDB],
      effect: .response { performance in
        guard case .list(let from, _, let descending) = performance.operation.action,
          case .list(let listed)? = performance.result,
          var rows = from == nil ? listed : performance.rowsBeforeStart(listed)
        else { return }
        rows.sort { $0.id.text.precedesByUTF16($1.id.text) }
        if descending { rows.reverse() }
        if let from {
          rows.removeAll {
            descending
              ? from.text.precedesByUTF16($0.id.text) : $0.id.text.precedesByUTF16(from.text)
          }
        }
        performance.result = .list(rows)
      }),
    Deviation(
      "list-ends-at-u00ff", "`list` omits ids above the id that is the single character U+00FF.",
      breaks: ["LIST-001", "LIST-003", "UNI-003"], of: [.pouchDB],
      effect: .response { performance in
        guard case .list(let from, _, let descending) = performance.operation.action,
          from == nil || !descending, case .list(let rows)? = performance.result
        else { return }
        performance.result = .list(
          rows.filter { !"\u{ff}".utf8.lexicographicallyPrecedes($0.id.text.utf8) })
      }),
    Deviation(
      "list-page-counts-leaves",
      "A limit of `list` counts all live leaves, and each of their documents is listed once.",
      breaks: ["LIST-004"], of: [.cdtDatastore],
      effect: .response { performance in
        guard case .list(_, let limit?, _) = performance.operation.action,
          let store = performance.storeBefore, case .list(let rows)? = performance.result
        else { return }
        var left = Int(clamping: limit)
        var page: [ListRow] = []
        for row in rows where left > 0 {
          page.append(row)
          left -= store.documents[row.id]?.tree.liveLeaves.count ?? 1
        }
        performance.result = .list(page)
      }),
    Deviation(
      "tombstone-bodies-hidden", "A tombstone reads with an empty body, whatever body arrived.",
      breaks: ["REC-008"], of: [.cdtDatastore],
      effect: .response { performance in
        guard case .document(var document)? = performance.result, document.deleted else { return }
        document.body = [:]
        performance.result = .document(document)
      }),
    Deviation(
      "contradictory-path-kept",
      "A revision that arrives below another parent is stored in both places. What is returned for "
        + "the document is then not predicted.",
      breaks: ["TREE-005"], of: [.couchDB, .pouchDB],
      effect: .response { $0.keepContradictoryPaths() }),
  ]
}

extension ModelStore {
  /// The leaves of a document, ordered by UTF-16 code units of their suffixes.
  fileprivate func leavesByUTF16(of id: DocumentID) -> [Leaf] {
    guard let tree = documents[id]?.tree else { return [] }
    let leaves = tree.leaves.sorted { left, right in
      let deleted = (tree.isDeleted(left) ?? false, tree.isDeleted(right) ?? false)
      if deleted.0 != deleted.1 { return deleted.1 }
      if left.generation != right.generation { return left.generation > right.generation }
      return right.suffix.precedesByUTF16(left.suffix)
    }
    return leaves.map { Leaf(rev: $0.id, deleted: tree.isDeleted($0) ?? false) }
  }

  /// Leaves in this order, with the flags that they are shown with.
  fileprivate func orderedByUTF16(_ leaves: [Leaf], of id: DocumentID) -> [Leaf] {
    leavesByUTF16(of: id).map { leaf in leaves.first { $0.rev == leaf.rev } ?? leaf }
  }
}

extension Performance {
  /// The rows of the whole list, as earlier deviations show them.
  ///
  /// - Parameter listed: the rows from the requested beginning on.
  fileprivate func rowsBeforeStart(_ listed: [ListRow]) -> [ListRow]? {
    guard let store = storeBefore else { return nil }
    let declared = Set(start.deviations.map(\.id))
    let all: [ListRow]
    if declared.contains("flag-by-suffix") {
      all = store.listBySuffixFlags(nil, descending: false)
    } else {
      guard case .list(let rows)? = try? store.list(from: nil, limit: nil, descending: false) else {
        return nil
      }
      all = rows
    }
    let isByUTF16 = declared.contains("winners-by-utf16") && store.collation.name == .bytes
    return all.map { row in
      if let shown = listed.first(where: { $0.id == row.id }) { return shown }
      let winner = isByUTF16 ? store.leavesByUTF16(of: row.id).first?.rev : nil
      return ListRow(id: row.id, rev: winner ?? row.rev)
    }
  }
}

extension RevisionTree {
  /// Whether the path of a record has another parent for a known revision with a parent.
  fileprivate func contradicts(_ record: RevisionRecord) -> Bool {
    let path = record.path.compactMap { collation.revision($0) ?? Revision(anyInteger: $0) }
    return zip(path, path.dropFirst()).contains { child, parent in
      self.parent(of: child).map { $0 != parent } ?? false
    }
  }
}

extension JSONString {
  fileprivate func precedesByUTF16(_ other: JSONString) -> Bool {
    string.utf16.lexicographicallyPrecedes(other.string.utf16)
  }
}

extension Performance {
  /// Remembers paths that contradict known parents, and answers with them.
  fileprivate mutating func keepContradictoryPaths() {
    if case .insertRevisions(let records) = operation.action, let before = storeBefore {
      var merged: [DocumentID: RevisionTree] = [:]
      for record in records {
        let revisions = record.path.compactMap { before.collation.revision($0) }
        guard revisions.count == record.path.count, let path = RevisionPath(revisions) else {
          continue
        }
        var tree =
          merged[record.id] ?? before.documents[record.id]?.tree
          ?? RevisionTree(collation: before.collation)
        _ = tree.merge(path, deleted: record.deleted)
        merged[record.id] = tree
      }
      let ids = records.filter { merged[$0.id]?.contradicts($0) == true }.map(\.id)
      leaveUnpredictable(ids, because: "contradictory-path-kept")
    }
    switch (operation.action, result) {
    case (.insertRevisions(let records), .inserted(let results)?):
      guard var store, let before = storeBefore else { return }
      for (record, error) in zip(records, results) where error == nil {
        let path = record.path.compactMap { store.collation.revision($0) }
        guard path.count == record.path.count, let tree = before.documents[record.id]?.tree,
          let tip = path.first, !tree.contains(tip)
        else { continue }
        let contradicts = zip(path, path.dropFirst()).contains { child, parent in
          tree.parent(of: child).map { $0 != parent } ?? false
        }
        if contradicts {
          store.deviationMemory.contradictoryPaths[record.id, default: [:]][tip] = path
        }
      }
      self.store = store
    case (.getRevisions, .revisions(let answers)?):
      guard let memory = storeBefore?.deviationMemory.contradictoryPaths, !memory.isEmpty else {
        return
      }
      result = .revisions(
        answers.map { answer in
          answer.mappingRecords { record in
            guard let tip = record.path.first,
              let path = memory[record.id]?.first(where: { $0.key.id == tip })?.value
            else { return record }
            var record = record
            record.path = path.map(\.id)
            return record
          }
        })
    case (.revsDiff, .revsDiff(let differences)?):
      guard let memory = storeBefore?.deviationMemory.contradictoryPaths, !memory.isEmpty else {
        return
      }
      result = .revsDiff(
        differences.compactMap { difference in
          let known = Set((memory[difference.id] ?? [:]).values.flatMap { $0.map(\.id) })
          let missing = difference.missing.filter { !known.contains($0) }
          guard !missing.isEmpty else { return nil }
          return Difference(
            id: difference.id, missing: missing, possibleAncestors: difference.possibleAncestors)
        })
    default: break
    }
  }
}
