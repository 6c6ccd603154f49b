public import JSON

/// What a successful operation answers; which case follows from the operation.
public enum OperationResult: Hashable, Sendable {
  /// There is nothing to say beyond success.
  case done
  case info(StoreInfo)
  /// Of `create`, `update` and `delete`.
  case written(id: DocumentID, rev: RevisionID)
  case document(DocumentRevision)
  case list([ListRow])
  /// Of `leaves`: the winner first, the others in no promised order.
  case leaves([Leaf])
  case changes(ChangesPage)
  /// Only documents of which something is missing.
  case revsDiff([Difference])
  /// One answer per asked revision, in the order of the question.
  case revisions([RevisionAnswer])
  /// One answer per record, in order; nil is success.
  case inserted([DatastoreError?])
  /// Of `readLocal`.
  case local(body: JSONValue)
  case resolved(rev: RevisionID, tombstones: [RevisionID])
  case purged([RevisionID])
  /// One result per write, in order.
  case batch([OperationResult])
  case turn(ReplicationTurn.Answer)
  /// Of `readAttachment`.
  case attachment(AttachmentPiece)
  /// Of `putBlob`: how many bytes of the content are here, from its beginning.
  case held(Int64)
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
  /// The position after everything that has happened.
  public var last: UpdateSequence
  /// Differs between any two creations of a store.
  public var incarnation: JSONString

  public init(
    documents: Int64, deletedDocuments: Int64, last: UpdateSequence, incarnation: JSONString
  ) {
    self.documents = documents
    self.deletedDocuments = deletedDocuments
    self.last = last
    self.incarnation = incarnation
  }
}

/// One revision as `read` answers it.
public struct DocumentRevision: Hashable, Sendable {
  public var id: DocumentID
  public var rev: RevisionID
  public var deleted: Bool
  public var body: JSONValue
  /// The complete set, as stubs.
  public var attachments: [RevisionAttachment]

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
  public var id: DocumentID
  public var rev: RevisionID

  public init(id: DocumentID, rev: RevisionID) {
    self.id = id
    self.rev = rev
  }
}

/// The end of a branch.
public struct Leaf: Hashable, Sendable {
  public var rev: RevisionID
  public var deleted: Bool

  public init(rev: RevisionID, deleted: Bool = false) {
    self.rev = rev
    self.deleted = deleted
  }
}

/// Some documents in the order of their latest change.
public struct ChangesPage: Hashable, Sendable {
  public var rows: [ChangesRow]
  /// Where the next page begins; always a legal `since`.
  public var last: UpdateSequence
  /// Whether there is a next page.
  public var more: Bool

  public init(rows: [ChangesRow], last: UpdateSequence, more: Bool) {
    self.rows = rows
    self.last = last
    self.more = more
  }
}

/// A document at its latest change.
public struct ChangesRow: Hashable, Sendable {
  public var seq: UpdateSequence
  public var id: DocumentID
  /// Whether the winner is deleted.
  public var deleted: Bool
  /// All leaves, the winner first.
  public var leaves: Leaves

  public init(seq: UpdateSequence, id: DocumentID, deleted: Bool, leaves: Leaves) {
    self.seq = seq
    self.id = id
    self.deleted = deleted
    self.leaves = leaves
  }
}

/// What a store lacks of the revisions it was asked about.
public struct Difference: Hashable, Sendable {
  public var id: DocumentID
  /// The unknown ones, each once, in no promised order.
  public var missing: [RevisionID]
  /// Leaves below the highest missing generation, in no promised order.
  public var possibleAncestors: [RevisionID]

  public init(id: DocumentID, missing: [RevisionID], possibleAncestors: [RevisionID]) {
    self.id = id
    self.missing = missing
    self.possibleAncestors = possibleAncestors
  }
}

/// The answer to one asked revision.
public struct RevisionAnswer: Hashable, Sendable {
  public var id: DocumentID
  public var rev: RevisionID
  public var found: Found

  public init(id: DocumentID, rev: RevisionID, found: Found) {
    self.id = id
    self.rev = rev
    self.found = found
  }

  /// The longest answer to `getRevisions` with more than one record that the bundled stores give, in
  /// bytes: the bodies, the contents of attachments, and the revision ids of the paths with 3 bytes more
  /// each. A longer one is `tooLarge` with this limit, which is about a line of the adapter protocol.
  public static let bytesMax: Int64 = 1 << 26

  public enum Found: Hashable, Sendable {
    /// One record; with `latest` one for each leaf that descends from the revision.
    case records([RevisionRecord])
    /// Nothing: the revision is unknown.
    case missing
    /// Nothing: the revision is known by name, its body is not here.
    case bodyMissing
  }
}
