public import JSON

/// The result of a successful operation; the operation determines the case.
///
/// Indirect, because results are copied more often than they are made.
public indirect enum OperationResult: Hashable, Sendable {
  /// Success without a value.
  case done
  /// Of `info`.
  case info(StoreInfo)
  /// Of `create`, `update` and `delete`.
  case written(id: DocumentID, rev: RevisionID)
  /// Of `read`.
  case document(DocumentRevision)
  /// Of `list`: live documents in the byte order of their ids.
  case list([ListRow])
  /// Of `leaves`: the winner first, the others in unspecified order.
  case leaves([Leaf])
  /// Of `changes`.
  case changes(ChangesPage)
  /// Only documents with missing revisions.
  case revsDiff([Difference])
  /// One answer per requested revision, in the order of the request.
  case revisions([RevisionAnswer])
  /// One answer per record, in order; nil is success.
  case inserted([DatastoreError?])
  /// Of `readLocal`.
  case local(body: JSONValue)
  /// Of `resolve`: the new winner, and the tombstones of the other leaves.
  case resolved(rev: RevisionID, tombstones: [RevisionID])
  /// Of `purge`: the revisions that were removed.
  case purged([RevisionID])
  /// One result per write, in order.
  case batch([OperationResult])
  /// Of `replicate`.
  case turn(ReplicationTurn.Answer)
  /// Of `readAttachment`.
  case attachment(AttachmentPiece)
  /// Of `putBlob`: the number of stored bytes of the content, from its beginning.
  case held(Int64)
  /// Of an operation that finds documents.
  case found(FindAnswer)
  /// Of an operation of a family that another module defines.
  case family(AnyFamilyAnswer)
}

/// Counts and positions of a store.
public struct StoreInfo: Hashable, Sendable {
  /// Documents whose winner is live.
  public var documents: Int64
  /// Documents whose winner is deleted.
  public var deletedDocuments: Int64
  /// The position after all changes so far.
  public var last: UpdateSequence
  /// Unique for each creation of a store.
  public var incarnation: JSONString

  /// Creates the result of `info`.
  public init(
    documents: Int64, deletedDocuments: Int64, last: UpdateSequence, incarnation: JSONString
  ) {
    self.documents = documents
    self.deletedDocuments = deletedDocuments
    self.last = last
    self.incarnation = incarnation
  }
}

/// One revision as returned by `read`.
public struct DocumentRevision: Hashable, Sendable {
  /// The id of the document.
  public var id: DocumentID
  /// The id of the revision.
  public var rev: RevisionID
  /// True if the revision is a tombstone.
  public var deleted: Bool
  /// The body.
  public var body: JSONValue
  /// The complete set of attachments, as stubs.
  public var attachments: [RevisionAttachment]

  /// Creates a revision.
  public init(
    id: DocumentID, rev: RevisionID, deleted: Bool = false, body: JSONValue,
    attachments: [RevisionAttachment] = []
  ) {
    self.id = id
    self.rev = rev
    self.deleted = deleted
    self.body = body
    self.attachments = attachments
  }
}

/// A live document and its winner.
public struct ListRow: Hashable, Sendable {
  /// The id of the document.
  public var id: DocumentID
  /// The winner.
  public var rev: RevisionID

  /// Creates a row.
  public init(id: DocumentID, rev: RevisionID) {
    self.id = id
    self.rev = rev
  }
}

/// The end of a branch.
public struct Leaf: Hashable, Sendable {
  /// The id of the revision.
  public var rev: RevisionID
  /// True if the revision is a tombstone.
  public var deleted: Bool

  /// Creates a leaf, live by default.
  public init(rev: RevisionID, deleted: Bool = false) {
    self.rev = rev
    self.deleted = deleted
  }
}

/// A page of documents in the order of their latest change.
public struct ChangesPage: Hashable, Sendable {
  /// The documents, each once.
  public var rows: [ChangesRow]
  /// The start of the next page; always a valid `since`.
  public var last: UpdateSequence
  /// Whether another page follows.
  public var more: Bool

  /// Creates a page.
  public init(rows: [ChangesRow], last: UpdateSequence, more: Bool) {
    self.rows = rows
    self.last = last
    self.more = more
  }
}

/// A document at its latest change.
public struct ChangesRow: Hashable, Sendable {
  /// The position of the change.
  public var seq: UpdateSequence
  /// The id of the document.
  public var id: DocumentID
  /// Whether the winner is deleted.
  public var deleted: Bool
  /// All leaves, the winner first.
  public var leaves: Leaves

  /// Creates a row.
  public init(seq: UpdateSequence, id: DocumentID, deleted: Bool, leaves: Leaves) {
    self.seq = seq
    self.id = id
    self.deleted = deleted
    self.leaves = leaves
  }
}

/// The revisions of one document that the store does not have.
public struct Difference: Hashable, Sendable {
  /// The id of the document.
  public var id: DocumentID
  /// The unknown revisions, each once, in unspecified order.
  public var missing: [RevisionID]
  /// Leaves below the highest missing generation, in unspecified order.
  public var possibleAncestors: [RevisionID]

  /// Creates a difference.
  public init(id: DocumentID, missing: [RevisionID], possibleAncestors: [RevisionID]) {
    self.id = id
    self.missing = missing
    self.possibleAncestors = possibleAncestors
  }
}

/// The answer for one requested revision.
public struct RevisionAnswer: Hashable, Sendable {
  /// The id of the document.
  public var id: DocumentID
  /// The requested revision.
  public var rev: RevisionID
  /// The answer.
  public var found: Found

  /// Creates an answer.
  public init(id: DocumentID, rev: RevisionID, found: Found) {
    self.id = id
    self.rev = rev
    self.found = found
  }

  /// The maximum length of a response to `getRevisions` with more than one record from the bundled
  /// stores, in bytes: the bodies, the contents of attachments, and the revision ids of the paths
  /// plus 3 bytes each. A longer response is `tooLarge` with this limit, which approximates a line
  /// of the adapter protocol.
  public static let bytesMax: Int64 = 1 << 26

  /// What the store has of a requested revision.
  public enum Found: Hashable, Sendable {
    /// One record; with `latest` one for each leaf that descends from the revision.
    case records([RevisionRecord])
    /// The revision is unknown.
    case missing
    /// The revision is known, but its body is not stored.
    case bodyMissing
  }
}
