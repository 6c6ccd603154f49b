public import JSON

/// An operation on a store.
public struct StoreOperation: Hashable, Sendable {
  /// The name of the store.
  public var store: StoreName
  /// What the store is to do.
  public var action: StoreAction

  /// Creates an operation.
  public init(_ store: StoreName, _ action: StoreAction) {
    self.store = store
    self.action = action
  }
}

/// The action of an operation.
///
/// Only the syntax is checked here: bodies may be anything, ids and revision ids any text. The
/// store validates them.
///
/// Indirect, because operations are copied more often than they are made.
public indirect enum StoreAction: Hashable, Sendable {
  // Lifecycle. `open` creates the store if needed and is idempotent; nil leaves the choice to the
  // store.
  /// Opens a store, and creates it if it does not exist. An argument that differs from the property
  /// of an existing store is `badRequest`.
  case open(revisionIDs: RevisionIDProfile? = nil, collation: CollationName? = nil)
  /// Closes the store; its data remains.
  case close
  /// Removes the store with its data.
  case destroy
  /// Returns counts and positions of the store.
  case info

  // Documents.
  /// Creates a document; without an id, the store chooses one.
  case create(id: DocumentID?, body: JSONValue)
  /// Adds a live child to a leaf.
  case update(id: DocumentID, rev: RevisionID, body: JSONValue)
  /// A body requires the capability `tombstoneBodies`.
  case delete(id: DocumentID, rev: RevisionID, body: JSONValue? = nil)
  /// Without a revision, reads the live winner.
  case read(id: DocumentID, rev: RevisionID? = nil)
  /// Lists live documents in the byte order of their ids, beginning with `from`.
  case list(from: DocumentID? = nil, limit: Int64? = nil, descending: Bool = false)
  /// Returns the leaves of a document.
  case leaves(id: DocumentID)

  // Replication.
  /// Returns documents in the order of their latest change, after a position.
  case changes(since: UpdateSequence? = nil, limit: Int64? = nil)
  /// Returns the revisions that the store does not have.
  case revsDiff([RevisionQuery])
  /// Returns revisions with their histories.
  case getRevisions([RevisionQuery])
  /// Stores replicated revisions with their histories.
  case insertRevisions([RevisionRecord])
  /// Reads a local document, which is never replicated.
  case readLocal(id: DocumentID)
  /// Without a body, deletes the local document.
  case writeLocal(id: DocumentID, body: JSONValue?)

  // Capabilities.
  /// Ends a conflict: keeps one leaf of exactly these live leaves, or gives it a child with `body`,
  /// and deletes the others.
  case resolve(id: DocumentID, leaves: [RevisionID], keep: RevisionID, body: JSONValue? = nil)
  /// Removes the bodies of revisions that are not leaves.
  case compact
  /// Removes leaves, and the ancestors that no other leaf needs.
  case purge(id: DocumentID, revs: [RevisionID])
  /// Keeps, from the next change of a document on, the revisions that are fewer steps above some
  /// leaf.
  case historyLimit(Int64)
  /// `create`, `update`, `delete`, `resolve` and `writeLocal`, applied atomically.
  case batch([StoreAction])
  /// Without a filter, no write is rejected.
  case setValidation(refuse: Filter?)
  /// Makes all acknowledged writes durable.
  case flush
  /// One turn of the implementation's own replicator between this store and a remote store.
  case replicate(ReplicationTurn)

  // Attachments.
  /// `create`, `update` or `resolve` with all attachments of the new revision. Otherwise a new
  /// revision has no attachments, except that the child of a conflict resolution keeps those of its
  /// parent.
  case attaching([RevisionAttachment], to: StoreAction)
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
  /// Whether the operation changes nothing in a correct store; false for operations of
  /// other families.
  package var isRead: Bool {
    switch self {
    case .info, .read, .list, .leaves, .changes, .revsDiff, .getRevisions, .readLocal,
      .readAttachment, .finding(.find):
      true
    default: false
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
    case .attaching(let attachments, let write):
      write.capabilities.union(attachments.capabilities).union([.attachment])
    case .readAttachment(_, _, _, let offset, let limit):
      offset == nil && limit == nil ? [] : [.attachmentPieces]
    case .finding(let action): action.capabilitiesOfArguments
    case .family(let operation): operation.base.capabilitiesOfArguments
    case .getRevisions(let queries):
      queries.contains { $0.attachmentsSince != nil } ? [.attachment] : []
    case .insertRevisions(let records):
      records.reduce(into: []) { $0.formUnion($1.attachments.capabilities) }
    default: []
    }
  }
}

extension StoreOperation: CustomStringConvertible {
  public var description: String { json.serialized() }
}
