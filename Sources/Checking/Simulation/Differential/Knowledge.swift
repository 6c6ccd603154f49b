internal import Datastore
internal import JSON

/// The names and sequences that a client has received or sent. Its next operations use only these.
struct Knowledge {
  /// Revisions of each document that were created or sent, each once, in the order of appearance.
  private(set) var revisions: [Key: [RevisionID]] = [:]
  /// The paths that were sent; later records extend them.
  private(set) var paths: [Key: [[RevisionID]]] = [:]
  /// The known parent of each revision; nil for a revision of a write with an unknown outcome.
  private(set) var parents: [Key: [RevisionID: RevisionID?]] = [:]
  /// The leaves of each document as last received.
  private(set) var leaves: [Key: [Leaf]] = [:]
  /// Sequences of each store, in the order of appearance.
  private(set) var sequences: [StoreName: [UpdateSequence]] = [:]
  /// Document ids that a store chose.
  private(set) var madeDocuments: [StoreName: [DocumentID]] = [:]

  /// The content of each revision that the store made; nil if it is not known completely.
  private(set) var made: [Key: [RevisionID: Content?]] = [:]

  /// The content of a revision without attachments.
  struct Content: Hashable {
    var deleted: Bool
    var body: JSONValue
  }

  struct Key: Hashable {
    var store: StoreName
    var id: DocumentID
  }

  /// Records an operation and its outcome.
  mutating func note(_ operation: StoreOperation, _ outcome: Outcome) {
    let store = operation.store
    guard case .ok(let result) = outcome else { return }
    if case .destroy = operation.action { forget(store) }
    note(result, of: operation.action, in: store)
  }

  private mutating func note(
    _ result: OperationResult, of action: StoreAction, in store: StoreName
  ) {
    switch (result, action) {
    case (_, .attaching(_, let write)):
      note(result, of: write, in: store)
      if case .written(let id, let rev) = result {
        made[Key(store: store, id: id), default: [:]][rev] = .some(nil)
      }
    case (.written(let id, let rev), _):
      let key = Key(store: store, id: id)
      note(rev, key)
      made[key, default: [:]][rev] = .some(action.content)
      switch action {
      case .update(_, let parent, _), .delete(_, let parent, _): note(parent, of: rev, key)
      default: note(nil, of: rev, key)
      }
      if case .create(nil, _) = action { madeDocuments[store, default: []].append(id) }
    case (.leaves(let seen), .leaves(let id)): leaves[Key(store: store, id: id)] = seen
    case (.changes(let page), _):
      for row in page.rows {
        leaves[Key(store: store, id: row.id)] = row.leaves.array
        note(row.seq, store)
      }
      note(page.last, store)
    case (.info(let info), _): note(info.last, store)
    case (.resolved(let rev, let tombstones), .resolve(let id, _, _, _)):
      let key = Key(store: store, id: id)
      for rev in [rev] + tombstones {
        note(rev, key)
        made[key, default: [:]][rev] = .some(nil)
        note(nil, of: rev, key)
      }
    case (.inserted(let results), .insertRevisions(let records)):
      // Rejected records are not extended: their revisions may be invalid.
      for (record, error) in zip(records, results) where error == nil {
        note(record, Key(store: store, id: record.id))
      }
    case (.batch(let results), .batch(let writes)):
      for (result, write) in zip(results, writes) { note(result, of: write, in: store) }
    default: break
    }
  }

  private mutating func note(_ record: RevisionRecord, _ key: Key) {
    for rev in record.path { note(rev, key) }
    for (child, parent) in zip(record.path, record.path.dropFirst()) {
      note(parent, of: child, key)
    }
    if !paths[key, default: []].contains(record.path) {
      paths[key, default: []].append(record.path)
    }
  }

  private mutating func note(_ rev: RevisionID, _ key: Key) {
    if !revisions[key, default: []].contains(rev) { revisions[key, default: []].append(rev) }
  }

  /// The first known parent is kept, as in a store.
  private mutating func note(_ parent: RevisionID?, of rev: RevisionID, _ key: Key) {
    if parents[key, default: [:]][rev] == nil { parents[key, default: [:]][rev] = .some(parent) }
  }

  private mutating func note(_ sequence: UpdateSequence, _ store: StoreName) {
    if !sequences[store, default: []].contains(sequence) {
      sequences[store, default: []].append(sequence)
    }
  }

  /// Forgets a replaced store, except its sequences, because clients may still send them.
  private mutating func forget(_ store: StoreName) {
    for key in revisions.keys where key.store == store {
      revisions[key] = nil
      paths[key] = nil
      parents[key] = nil
      leaves[key] = nil
      made[key] = nil
    }
    madeDocuments[store] = nil
  }
}

extension StoreAction {
  /// The content of the revision that a write makes; nil for other operations.
  fileprivate var content: Knowledge.Content? {
    switch self {
    case .create(_, let body), .update(_, _, let body): .init(deleted: false, body: body)
    case .delete(_, _, let body): .init(deleted: true, body: body ?? [:])
    default: nil
    }
  }
}
