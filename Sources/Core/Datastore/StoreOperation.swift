public import JSON

/// An operation on a store.
public struct StoreOperation: Hashable, Sendable {
  public var store: StoreName
  public var action: StoreAction

  public init(_ store: StoreName, _ action: StoreAction) {
    self.store = store
    self.action = action
  }
}

/// The action of an operation.
///
/// Only the syntax is checked here: bodies may be anything, ids and revision ids any text. The
/// store validates them.
public enum StoreAction: Hashable, Sendable {
  // Lifecycle. `open` creates the store if needed and is idempotent; nil leaves the choice to the
  // store.
  case open(revisionIDs: RevisionIDProfile? = nil, collation: CollationName? = nil)
  case close
  case destroy
  case info

  // Documents.
  case create(id: DocumentID?, body: JSONValue)
  case update(id: DocumentID, rev: RevisionID, body: JSONValue)
  /// A body requires the capability `tombstoneBodies`.
  case delete(id: DocumentID, rev: RevisionID, body: JSONValue? = nil)
  /// Without a revision, reads the live winner.
  case read(id: DocumentID, rev: RevisionID? = nil)
  case list(from: DocumentID? = nil, limit: Int64? = nil, descending: Bool = false)
  case leaves(id: DocumentID)

  // Replication.
  case changes(since: UpdateSequence? = nil, limit: Int64? = nil)
  case revsDiff([RevisionQuery])
  case getRevisions([RevisionQuery])
  case insertRevisions([RevisionRecord])
  case readLocal(id: DocumentID)
  /// Without a body, deletes the local document.
  case writeLocal(id: DocumentID, body: JSONValue?)

  // Capabilities.
  case resolve(id: DocumentID, leaves: [RevisionID], keep: RevisionID, body: JSONValue? = nil)
  case compact
  case purge(id: DocumentID, revs: [RevisionID])
  case historyLimit(Int64)
  /// `create`, `update`, `delete`, `resolve` and `writeLocal`, applied atomically.
  case batch([StoreAction])
  /// Without a filter, no write is rejected.
  case setValidation(refuse: Filter?)
  case flush
  /// One turn of the implementation's own replicator between this store and a remote store.
  case replicate(ReplicationTurn)

  // Attachments.
  /// `create`, `update` or `resolve` with all attachments of the new revision. Otherwise a new
  /// revision has no attachments, except that the child of a conflict resolution keeps those of its
  /// parent.
  indirect case attaching([RevisionAttachment], to: StoreAction)
  /// Reads bytes of an attachment from an offset on, limited by `limit` and by the store; without a
  /// revision, from the live winner.
  case readAttachment(
    id: DocumentID, rev: RevisionID? = nil, name: JSONString, offset: Int64? = nil,
    limit: Int64? = nil)
  /// Uploads bytes in base64 of content that a later write references by its digest. Bytes from the
  /// offset on are replaced; an empty upload only returns the stored length.
  case putBlob(digest: JSONString, offset: Int64, bytes: JSONString)

  /// Finds documents by their content.
  case finding(FindAction)

  /// An operation of a family that another module defines.
  case family(AnyFamilyOperation)
}

extension StoreAction {
  /// The name of the operation as encoded in JSON.
  public var name: String {
    switch self {
    case .open: "open"
    case .close: "close"
    case .destroy: "destroy"
    case .info: "info"
    case .create: "create"
    case .update: "update"
    case .delete: "delete"
    case .read: "read"
    case .list: "list"
    case .leaves: "leaves"
    case .changes: "changes"
    case .revsDiff: "revsDiff"
    case .getRevisions: "getRevisions"
    case .insertRevisions: "insertRevisions"
    case .readLocal: "readLocal"
    case .writeLocal: "writeLocal"
    case .resolve: "resolve"
    case .compact: "compact"
    case .purge: "purge"
    case .historyLimit: "historyLimit"
    case .batch: "batch"
    case .setValidation: "setValidation"
    case .flush: "flush"
    case .replicate: "replicate"
    case .attaching(_, let write): write.name
    case .readAttachment: "readAttachment"
    case .putBlob: "putBlob"
    case .finding(let action): action.name
    case .family(let operation): operation.base.name
    }
  }

  /// The capabilities without which the operation is `unsupported`: those of its row, and those of
  /// its arguments.
  public var capabilities: Set<Capability> {
    (OperationTable.current[name]?.capabilities ?? []).union(capabilitiesOfArguments)
  }

  private var capabilitiesOfArguments: Set<Capability> {
    switch self {
    case .batch(let writes): writes.reduce(into: []) { $0.formUnion($1.capabilities) }
    case .delete(_, _, let body): body == nil ? [] : [.tombstoneBodies]
    case .attaching(_, let write): write.capabilities.union([.attachment])
    case .finding(let action): action.capabilitiesOfArguments
    case .family(let operation): operation.base.capabilitiesOfArguments
    case .getRevisions(let queries):
      queries.contains { $0.attachmentsSince != nil } ? [.attachment] : []
    case .insertRevisions(let records):
      records.contains { !$0.attachments.isEmpty } ? [.attachment] : []
    default: []
    }
  }
}

extension StoreOperation: CustomStringConvertible {
  public var description: String { json.serialized() }
}
