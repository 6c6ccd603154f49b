internal import Datastore
internal import JSON
internal import RevisionTree

/// The complete state of one store, as a value.
struct ModelStore: Hashable {
  let revisionIDs: RevisionIDProfile
  var collation: Collation
  /// Unique for each creation of a store.
  let incarnation: JSONString
  /// The part after the number in each sequence of this incarnation.
  let sequenceEnding: String
  /// The maximum length of content inside an operation or a response, in bytes.
  let inlineBytesMax: Int
  var isOpen = true
  // The large members come last, because two states are compared in this order and usually differ in
  // one of the first members.
  /// The number of changes so far; `changedAt` of a document is the number of its latest change.
  var lastChange: Int64 = 0
  var locals: [DocumentID: JSONValue] = [:]
  /// Partial uploads, by the digest of the complete content.
  var uploads: [JSONString: [UInt8]] = [:]
  /// The maximum number of revisions kept of a branch; nil for no limit.
  var historyLimit: Int64?
  /// The revisions that the validation rejects.
  var refused: Filter?
  /// The created indexes, by name.
  var indexes: [JSONString: IndexDefinition] = [:]
  var documents: [DocumentID: ModelDocument] = [:]
  /// The content of attachments as stored, by digest.
  var blobs: [JSONString: [UInt8]] = [:]
  /// Empty in a store that follows the rules.
  var deviationMemory = DeviationMemory()

  init(
    revisionIDs: RevisionIDProfile, collation: Collation, incarnation: JSONString,
    inlineBytesMax: Int
  ) {
    self.revisionIDs = revisionIDs
    self.collation = collation
    self.incarnation = incarnation
    self.inlineBytesMax = inlineBytesMax
    sequenceEnding = "-" + incarnation.string.prefix(8)
  }
}

/// One document: its revisions, the stored bodies, and the position of its latest change.
struct ModelDocument: Hashable {
  var changedAt: Int64 = 0
  var tree: RevisionTree
  /// Bodies of revisions; a known revision without a body is a stub or was compacted.
  var bodies: [Revision: JSONValue] = [:]
  /// Attachments of revisions that have some, as stubs in their given order.
  var attachments: [Revision: [RevisionAttachment]] = [:]

  init(collation: Collation) { tree = RevisionTree(collation: collation) }

  /// The leaves as returned to clients, the winner first.
  var leaves: [Leaf] {
    let live = tree.liveLeafCount
    return tree.leaves.enumerated().map { place, leaf in
      Leaf(rev: leaf.id, deleted: place >= live)
    }
  }

  /// Whether a known revision may be the same edit as a new one: its parent is not known yet, and
  /// all its other properties are equal.
  func mayBeEdit(
    _ revision: Revision, deleted: Bool, _ body: JSONValue, attachments: [RevisionAttachment]
  ) -> Bool {
    tree.parent(of: revision) == nil && tree.isDeleted(revision) ?? deleted == deleted
      && bodies[revision]?.isSameValue(as: body) ?? true
      && (bodies[revision] == nil
        || (self.attachments[revision] ?? []).agree(with: attachments))
  }
}

extension ModelStore {
  /// Performs an action if the store is open, and returns nil if it is closed.
  mutating func performIfOpen(
    _ action: StoreAction, _ decisions: inout Decisions
  ) throws(Faults) -> OperationResult? {
    isOpen ? try perform(action, &decisions) : nil
  }

  /// The outcome of an action that changes nothing, on the open store; nil for others.
  func outcome(ofRead action: StoreAction, _ decisions: inout Decisions) -> Outcome? {
    guard isOpen else { return nil }
    do throws(Faults) { return try answer(action).map { .ok($0) } } catch {
      return .error(decisions.error(of: error))
    }
  }

  /// The result of an action that changes nothing; nil for an action that may change the store.
  func answer(_ action: StoreAction) throws(Faults) -> OperationResult? {
    switch action {
    case .info: info()
    case .read(let id, let rev): try read(id, rev)
    case .list(let from, let limit, let descending):
      try list(from: from, limit: limit, descending: descending)
    case .leaves(let id): try leaves(of: id)
    case .changes(let since, let limit): try changes(since: since, limit: limit)
    case .revsDiff(let queries): try revsDiff(queries)
    case .getRevisions(let queries): try getRevisions(queries)
    case .readLocal(let id): try readLocal(id)
    case .readAttachment(let id, let rev, let name, let offset, let limit):
      try readAttachment(id, rev, name: name, offset: offset, limit: limit)
    default: nil
    }
  }

  /// Performs an action on the open store; a rejected action changes nothing.
  mutating func perform(
    _ action: StoreAction, _ decisions: inout Decisions
  ) throws(Faults) -> OperationResult {
    switch action {
    case .open, .close, .destroy: return .done
    case .create(let id, let body):
      return try create(id, body, attachments: [], decisions: &decisions)
    case .update(let id, let rev, let body):
      return try edit(id, rev, deleted: false, body: body, attachments: [], decisions: &decisions)
    case .delete(let id, let rev, let body):
      return try edit(
        id, rev, deleted: true, body: body ?? [:], attachments: [], decisions: &decisions)
    case .insertRevisions(let records): return insertRevisions(records, &decisions)
    case .writeLocal(let id, let body): return try writeLocal(id, body)
    case .resolve(let id, let leaves, let keep, let body):
      return try resolve(
        id, leaves: leaves, keep: keep, body, attachments: nil, decisions: &decisions)
    case .compact: return compact(&decisions)
    case .purge(let id, let revs): return try purge(id, revs)
    case .historyLimit(let limit): return try setHistoryLimit(limit)
    case .batch(let writes): return try batch(writes, &decisions)
    case .setValidation(let refuse):
      refused = refuse
      return .done
    case .flush: return .done
    case .attaching(let attachments, let write):
      return try perform(write, attachments, decisions: &decisions)
    case .putBlob(let digest, let offset, let bytes):
      return try putBlob(digest, offset: offset, bytes)
    case .finding(let action): return try perform(action)
    case .info, .read, .list, .leaves, .changes, .revsDiff, .getRevisions, .readLocal,
      .readAttachment, .replicate, .family:
      guard let result = try answer(action) else {
        throw Faults(DatastoreError(.unsupported(what: action.name)))
      }
      return result
    }
  }

  /// Performs a write that specifies the attachments of the new revision.
  private mutating func perform(
    _ write: StoreAction, _ attachments: [RevisionAttachment], decisions: inout Decisions
  ) throws(Faults) -> OperationResult {
    switch write {
    case .create(let id, let body):
      return try create(id, body, attachments: attachments, decisions: &decisions)
    case .update(let id, let rev, let body):
      return try edit(
        id, rev, deleted: false, body: body, attachments: attachments, decisions: &decisions)
    case .resolve(let id, let leaves, let keep, let body):
      return try resolve(
        id, leaves: leaves, keep: keep, body, attachments: attachments, decisions: &decisions)
    default:
      throw Faults(
        DatastoreError(
          .badRequest(path: "attachments"), "\(write.name) does not accept attachments"))
    }
  }
}
