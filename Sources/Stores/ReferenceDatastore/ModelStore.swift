internal import Datastore
internal import JSON
internal import RevisionTree

/// All that one store is, as a value.
struct ModelStore: Hashable {
  let revisionIDs: RevisionIDProfile
  let collation: Collation
  /// Differs between any two creations.
  let incarnation: JSONString
  /// What stands after the number in each sequence of this incarnation.
  let sequenceEnding: String
  /// The longest content that stands in an operation or an answer.
  let inlineBytesMax: Int
  var isOpen = true
  var documents: [DocumentID: ModelDocument] = [:]
  var locals: [DocumentID: JSONValue] = [:]
  /// The content of attachments as it is stored, by its digest, each once.
  var blobs: [JSONString: [UInt8]] = [:]
  /// Content that is being brought piece by piece, by the digest that it is to have.
  var uploads: [JSONString: [UInt8]] = [:]
  /// The number of changes so far; the position of a document's latest change is one of them.
  var lastChange: Int64 = 0
  /// How many revisions of a branch are remembered; nil remembers all.
  var historyLimit: Int64?
  /// Which revisions the validation refuses.
  var refused: Filter?
  /// The indexes that were asked for, by their names.
  var indexes: [JSONString: IndexDefinition] = [:]

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

/// One document: its revisions, the bodies that are still here, and when it last changed.
struct ModelDocument: Hashable {
  var tree: RevisionTree
  /// Bodies of revisions; a known revision without one is known by name only, or was compacted.
  var bodies: [Revision: JSONValue] = [:]
  /// Attachments, as stubs in the order in which they were named, of revisions that have some.
  var attachments: [Revision: [RevisionAttachment]] = [:]
  var changedAt: Int64 = 0

  init(collation: Collation) { tree = RevisionTree(collation: collation) }

  /// The leaves as answers show them, the winner first.
  var leaves: [Leaf] {
    tree.leaves.map { Leaf(rev: $0.id, deleted: tree.isDeleted($0) ?? false) }
  }

  /// Whether a known revision may be the same edit as one that is made here: nobody has told its
  /// parent yet, and nothing else about it differs.
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
  /// Performs an action on the open store; one that is refused changes nothing.
  mutating func perform(
    _ action: StoreAction, _ decisions: inout Decisions
  ) throws(Faults) -> OperationResult {
    switch action {
    case .open, .close, .destroy: return .done
    case .info: return info()
    case .create(let id, let body):
      return try create(id, body, attachments: [], decisions: &decisions)
    case .update(let id, let rev, let body):
      return try edit(id, rev, deleted: false, body: body, attachments: [], decisions: &decisions)
    case .delete(let id, let rev, let body):
      return try edit(
        id, rev, deleted: true, body: body ?? [:], attachments: [], decisions: &decisions)
    case .read(let id, let rev): return try read(id, rev)
    case .list(let from, let limit, let descending):
      return try list(from: from, limit: limit, descending: descending)
    case .leaves(let id): return try leaves(of: id)
    case .changes(let since, let limit): return try changes(since: since, limit: limit)
    case .revsDiff(let queries): return try revsDiff(queries)
    case .getRevisions(let queries): return try getRevisions(queries)
    case .insertRevisions(let records): return insertRevisions(records, &decisions)
    case .readLocal(let id): return try readLocal(id)
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
    case .readAttachment(let id, let rev, let name, let offset, let limit):
      return try readAttachment(id, rev, name: name, offset: offset, limit: limit)
    case .putBlob(let digest, let offset, let bytes):
      return try putBlob(digest, offset: offset, bytes)
    case .finding(let action): return try perform(action)
    case .replicate, .family:
      throw Faults(DatastoreError(.unsupported(what: action.name)))
    }
  }

  /// Performs a write that says which attachments the new revision has.
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
          .badRequest(path: "attachments"), "\(write.name) makes no revision that has some"))
    }
  }
}
