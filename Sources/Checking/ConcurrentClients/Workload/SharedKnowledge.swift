internal import Datastore
internal import JSON

/// What the clients of a run know together about the documents.
///
/// It makes contention: a client edits the leaf that another one has just written or is about to
/// edit.
struct SharedKnowledge {
  struct Document {
    /// The leaves by the latest answer, the latest last; true for a tombstone.
    var leaves: [(rev: RevisionID, deleted: Bool)] = []
    /// Revisions that were leaves once.
    var former: [RevisionID] = []
    /// The paths to the first revision, where they are known.
    var paths: [RevisionID: [RevisionID]] = [:]
  }

  private(set) var documents: [DocumentID: Document] = [:]
  /// Records that some client inserts or has inserted, so that others insert them again.
  private(set) var records: [RevisionRecord] = []

  private static let remembered = 16

  subscript(id: DocumentID) -> Document { documents[id] ?? Document() }

  /// Notes an operation that is about to begin: another client may insert the same records at once.
  mutating func announce(_ action: StoreAction) {
    guard case .insertRevisions(let inserted) = action else { return }
    for record in inserted where !records.contains(record) { records.append(record) }
    if records.count > Self.remembered { records.removeFirst(records.count - Self.remembered) }
  }

  mutating func note(_ operation: StoreOperation, _ outcome: Outcome) {
    guard let result = outcome.result else { return }
    note(operation.action, result)
  }

  private mutating func note(_ action: StoreAction, _ result: OperationResult) {
    switch (action, result) {
    case (.attaching(_, let write), _): note(write, result)
    case (.batch(let writes), .batch(let results)):
      for (write, result) in zip(writes, results) { note(write, result) }
    case (.create, .written(let id, let rev)):
      let isFirst = rev.text.string.hasPrefix("1-")
      add(rev, of: id, deleted: false, below: nil, path: isFirst ? [rev] : nil)
    case (.update(_, let parent, _), .written(let id, let rev)):
      add(rev, of: id, deleted: false, below: parent, path: path(of: parent, id, to: rev))
    case (.delete(_, let parent, _), .written(let id, let rev)):
      add(rev, of: id, deleted: true, below: parent, path: path(of: parent, id, to: rev))
    case (.resolve(let id, let leaves, let keep, let body), .resolved(let rev, let tombstones)):
      for leaf in leaves where leaf != keep || body != nil { retire(leaf, of: id) }
      for tombstone in tombstones {
        add(tombstone, of: id, deleted: true, below: nil, path: nil)
      }
      if body != nil {
        add(rev, of: id, deleted: false, below: keep, path: path(of: keep, id, to: rev))
      }
    case (.insertRevisions(let inserted), .inserted(let errors)):
      for (record, error) in zip(inserted, errors) where error == nil {
        guard let tip = record.path.first else { continue }
        add(
          tip, of: record.id, deleted: record.deleted,
          below: record.path.count > 1 ? record.path[1] : nil, path: record.path)
      }
    case (.leaves(let id), .leaves(let leaves)):
      documents[id, default: Document()].leaves =
        leaves.reversed().map { ($0.rev, $0.deleted) }
    case (.changes, .changes(let page)):
      for row in page.rows {
        documents[row.id, default: Document()].leaves =
          row.leaves.reversed().map { ($0.rev, $0.deleted) }
      }
    case (.getRevisions, .revisions(let answers)):
      for case .records(let found) in answers.map(\.found) {
        for record in found {
          if let tip = record.path.first { setPath(record.path, of: tip, record.id) }
        }
      }
    case (.purge(let id, _), .purged(let removed)):
      documents[id]?.leaves.removeAll { removed.contains($0.rev) }
      for rev in removed { documents[id]?.paths[rev] = nil }
    default: break
    }
  }

  private func path(of parent: RevisionID, _ id: DocumentID, to child: RevisionID) -> [RevisionID]?
  {
    documents[id]?.paths[parent].map { [child] + $0 }
  }

  private mutating func setPath(_ path: [RevisionID], of rev: RevisionID, _ id: DocumentID) {
    guard path.last?.text.string.hasPrefix("1-") == true else { return }
    documents[id, default: Document()].paths[rev] = path
  }

  private mutating func add(
    _ rev: RevisionID, of id: DocumentID, deleted: Bool, below parent: RevisionID?,
    path: [RevisionID]?
  ) {
    if let parent { retire(parent, of: id) }
    documents[id, default: Document()].leaves.removeAll { $0.rev == rev }
    documents[id]?.leaves.append((rev, deleted))
    if let path { setPath(path, of: rev, id) }
  }

  private mutating func retire(_ rev: RevisionID, of id: DocumentID) {
    documents[id, default: Document()].leaves.removeAll { $0.rev == rev }
    documents[id]?.former.append(rev)
    if let count = documents[id]?.former.count, count > Self.remembered {
      documents[id]?.former.removeFirst()
    }
  }
}
