internal import Datastore
internal import JSON

/// What a store contains according to its outcomes, as far as fingerprints of states need it.
///
/// It is built from outcomes and not read from the store: a read would change the run, and would take
/// most of its time. A write with an unknown outcome shows when a client or a session lists the
/// leaves of its document.
struct ShadowStore {
  /// A document: its revisions, and the number of the latest change.
  struct Document {
    /// Whether each known revision is a deletion; nil for a stub.
    var revisions: [RevisionID: Bool?] = [:]
    /// The revisions that have a child.
    var parents: Set<RevisionID> = []
    var changedAt = 0

    /// The state of a revision at this store.
    func standing(of rev: RevisionID) -> Int {
      guard revisions[rev] != nil else { return 0 }
      return parents.contains(rev) ? 1 : 2
    }
  }

  /// A checkpoint: the store whose feed it continues, and the number of its changes that it covers.
  struct Checkpoint {
    var source: Int
    var position: Int
  }

  private(set) var documents: [DocumentID: Document] = [:]
  /// The latest checkpoint for the feed of each store.
  private(set) var checkpoints: [Int: Int] = [:]
  private var changes = 0
  /// The number of changes that each returned sequence covers.
  private var positions: [UpdateSequence: Int] = [:]

  /// The number of changes of this store that a sequence covers; nil for a sequence of another one.
  func position(of sequence: UpdateSequence) -> Int? { positions[sequence] }

  /// Records a checkpoint that was written to this store.
  mutating func save(_ checkpoint: Checkpoint) {
    checkpoints[checkpoint.source] = checkpoint.position
  }

  /// Forgets all checkpoints.
  mutating func loseCheckpoints() { checkpoints = [:] }

  /// Follows an operation, and returns the documents whose revisions it showed or changed.
  mutating func follow(_ action: StoreAction, _ result: OperationResult) -> [DocumentID] {
    switch (action, result) {
    case (.destroy, _):
      self = ShadowStore()
      return []
    case (.attaching(_, let write), _): return follow(write, result)
    case (.batch(let writes), .batch(let results)):
      return zip(writes, results).flatMap { follow($0, $1) }
    case (.create, .written(let id, let rev)): add([rev], to: id, deleted: false)
    case (.update(_, let parent, _), .written(let id, let rev)):
      add([rev, parent], to: id, deleted: false)
    case (.delete(_, let parent, _), .written(let id, let rev)):
      add([rev, parent], to: id, deleted: true)
    case (.resolve(let id, let leaves, let keep, _), .resolved(let rev, let tombstones)):
      if rev != keep { add([rev, keep], to: id, deleted: false) }
      for (leaf, tombstone) in zip(leaves.filter({ $0 != keep }), tombstones) {
        add([tombstone, leaf], to: id, deleted: true)
      }
    case (.insertRevisions(let records), .inserted(let errors)):
      for (record, error) in zip(records, errors) where error == nil {
        add(record.path, to: record.id, deleted: record.deleted)
      }
      return records.map(\.id)
    case (.purge(let id, _), .purged(let revs)):
      for rev in revs { documents[id]?.revisions[rev] = nil }
    case (.leaves(let id), .leaves(let leaves)): show(leaves, of: id)
    case (.changes, .changes(let page)):
      for row in page.rows {
        show(row.leaves.array, of: row.id)
        positions[row.seq] = documents[row.id]?.changedAt
      }
      let last = page.rows.last.flatMap { documents[$0.id]?.changedAt }
      positions[page.last] = page.more ? last ?? 0 : changes
      return page.rows.map(\.id)
    default: return []
    }
    return action.documents
  }

  /// Adds a revision with its ancestors, newest first.
  private mutating func add(_ path: [RevisionID], to id: DocumentID, deleted: Bool) {
    guard let rev = path.first else { return }
    changes += 1
    var document = documents.removeValue(forKey: id) ?? Document()
    document.changedAt = changes
    if document.revisions[rev] ?? nil == nil { document.revisions[rev] = .some(deleted) }
    for ancestor in path.dropFirst() {
      if document.revisions[ancestor] == nil { document.revisions[ancestor] = .some(nil) }
      document.parents.insert(ancestor)
    }
    documents[id] = document
  }

  /// Adds leaves that are not known.
  private mutating func show(_ leaves: [Leaf], of id: DocumentID) {
    for leaf in leaves where documents[id]?.revisions[leaf.rev] == nil {
      add([leaf.rev], to: id, deleted: leaf.deleted)
    }
  }
}
