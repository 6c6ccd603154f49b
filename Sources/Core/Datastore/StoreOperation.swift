public import JSON

/// Something that can be done to a store.
public struct StoreOperation: Hashable, Sendable {
  public var store: StoreName
  public var action: StoreAction

  public init(_ store: StoreName, _ action: StoreAction) {
    self.store = store
    self.action = action
  }
}

/// What an operation does to its store.
///
/// Nothing here is checked beyond its spelling: bodies may be anything, ids and revision ids any
/// text. Validating them is the store's work.
public enum StoreAction: Hashable, Sendable {
  // The life of a store. `open` creates and is idempotent; nil asks for nothing in particular.
  case open(revisionIDs: RevisionIDProfile? = nil, collation: CollationName? = nil)
  case close
  case destroy
  case info

  // Documents.
  case create(id: DocumentID?, body: JSONValue)
  case update(id: DocumentID, rev: RevisionID, body: JSONValue)
  /// A body needs the capability `tombstoneBodies`.
  case delete(id: DocumentID, rev: RevisionID, body: JSONValue? = nil)
  /// Without a revision the live winner.
  case read(id: DocumentID, rev: RevisionID? = nil)
  case list(from: DocumentID? = nil, limit: Int64? = nil, descending: Bool = false)
  case leaves(id: DocumentID)

  // Replication.
  case changes(since: UpdateSequence? = nil, limit: Int64? = nil)
  case revsDiff([RevisionQuery])
  case getRevisions([RevisionQuery])
  case insertRevisions([RevisionRecord])
  case readLocal(id: DocumentID)
  /// Without a body the local document is deleted.
  case writeLocal(id: DocumentID, body: JSONValue?)

  // Capabilities.
  case resolve(id: DocumentID, leaves: [RevisionID], keep: RevisionID, body: JSONValue? = nil)
  case compact
  case purge(id: DocumentID, revs: [RevisionID])
  case historyLimit(Int64)
  /// `create`, `update`, `delete`, `resolve` and `writeLocal`, all or nothing.
  case batch([StoreAction])
  /// Without a filter nothing is refused.
  case setValidation(refuse: Filter?)
  case flush
  /// One turn of the implementation's own replicator between this store and one that it reaches by
  /// requests.
  case replicate(ReplicationTurn)

  // Attachments.
  /// `create`, `update` or `resolve` with all attachments of the new revision; without this a new
  /// revision has none, but the child of a resolution keeps those of its parent.
  indirect case attaching([RevisionAttachment], to: StoreAction)
  /// Bytes of an attachment from an offset on, as many as the limit and the store allow; without a
  /// revision of the live winner.
  case readAttachment(
    id: DocumentID, rev: RevisionID? = nil, name: JSONString, offset: Int64? = nil,
    limit: Int64? = nil)
  /// Brings some bytes in base64 of content that a later write names by its digest. What was there
  /// from the offset on is replaced; no bytes only ask how many are there.
  case putBlob(digest: JSONString, offset: Int64, bytes: JSONString)

  /// Documents by what is in them.
  case finding(FindAction)

  /// An operation of a family that another module defines.
  case family(AnyFamilyOperation)
}

extension StoreAction {
  /// The name of the operation as JSON spells it.
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

  /// The capabilities without which the operation is `unsupported`: those of its row, and those that
  /// its arguments need.
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
