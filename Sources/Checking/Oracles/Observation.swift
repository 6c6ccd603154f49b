public import Datastore
public import JSON

/// An event for the oracles; replicas and sessions are numbers from 0.
public enum Observation: Sendable {
  /// A client performed an operation on the store of a replica.
  case client(replica: Int, step: JSONString, StoreOperation, Outcome)
  /// An application performed an operation above its store, with objects or in a context; its
  /// writes precede this event.
  case application(replica: Int, step: JSONString, StoreOperation, Outcome)
  /// A session performed an operation on one of its stores.
  case session(Int, isSource: Bool, StoreOperation, Outcome)
  /// A session received a page of changes that it still waited for.
  case received(Int, since: UpdateSequence?, ChangesPage)
  case sessionBegan(Int, SessionFacts)
  case sessionEnded(Int, SessionEnd)
  /// A copy of a replica's store was made.
  case copied(replica: Int)
  /// The store of a replica was restored from the last copy.
  case restored(replica: Int)
  /// The local documents of sessions were removed.
  case lostCheckpoints(replica: Int)
}

/// The description of a session.
public struct SessionFacts: Hashable, Sendable {
  public var name: JSONString
  public var source: Int
  public var target: Int
  public var filter: Filter?
  /// Whether the replicator accesses one of the stores itself, unobserved.
  public var isHalfSeen: Bool
  /// Whether it can continue from a checkpoint; otherwise it reads the whole feed.
  public var continuesFeed: Bool

  public init(
    name: JSONString, source: Int, target: Int, filter: Filter?, isHalfSeen: Bool = false,
    continuesFeed: Bool = true
  ) {
    self.name = name
    self.source = source
    self.target = target
    self.filter = filter
    self.isHalfSeen = isHalfSeen
    self.continuesFeed = continuesFeed
  }
}

/// The end of a session.
public struct SessionEnd: Hashable, Sendable {
  /// Whether it reported that the target has everything.
  public var isComplete: Bool
  /// Whether it reported that its checkpoint could not be saved.
  public var saysUnsaved: Bool
  /// Whether it was stopped, and none of its requests had failed.
  public var isStoppedCleanly: Bool

  public init(isComplete: Bool, saysUnsaved: Bool, isStoppedCleanly: Bool = false) {
    self.isComplete = isComplete
    self.saysUnsaved = saysUnsaved
    self.isStoppedCleanly = isStoppedCleanly
  }
}

/// The content of a store at the end of a run.
public struct FinalStore: Hashable, Sendable {
  /// In the order of their ids.
  public var documents: [FinalDocument]

  public init(documents: [FinalDocument]) { self.documents = documents }
}

/// The objects that an application finds at the end of a run, entity by entity.
public struct FinalGraph: Hashable, Sendable {
  /// The model with which the application opened its objects.
  public var model: JSONValue
  /// The result of `listObjects`.
  public var objects: [JSONValue]

  public init(model: JSONValue, objects: [JSONValue]) {
    self.model = model
    self.objects = objects
  }
}

/// A document at the end of a run.
public struct FinalDocument: Hashable, Sendable {
  public var id: DocumentID
  /// The result of `read` without a revision; nil if it reports the document as deleted.
  public var winner: RevisionID?
  /// All leaves in the order of the store.
  public var leaves: [Leaf]
  /// One record per leaf that can be read, in the order of the leaves.
  public var records: [RevisionRecord]
  /// All attachments of these records.
  public var attachments: [FinalAttachment]
  /// The results of `read` with the revision of each leaf; nil if the leaves were not read.
  public var reads: [FinalRead]?

  public init(
    id: DocumentID, winner: RevisionID?, leaves: [Leaf], records: [RevisionRecord],
    attachments: [FinalAttachment] = [], reads: [FinalRead]? = nil
  ) {
    self.attachments = attachments
    self.reads = reads
    self.id = id
    self.winner = winner
    self.leaves = leaves
    self.records = records
  }
}

/// A leaf at the end of a run, as `read` returns it.
public struct FinalRead: Hashable, Sendable {
  public var rev: RevisionID
  /// Nil if the leaf cannot be read.
  public var document: DocumentRevision?

  public init(rev: RevisionID, document: DocumentRevision?) {
    self.rev = rev
    self.document = document
  }
}

/// An attachment of a leaf at the end of a run.
public struct FinalAttachment: Hashable, Sendable {
  public var rev: RevisionID
  public var name: JSONString
  /// The description by the store.
  public var digest: JSONString?
  public var length: Int64?
  /// The bytes read in pieces; nil if they could not be read completely.
  public var bytes: [UInt8]?

  public init(
    rev: RevisionID, name: JSONString, digest: JSONString?, length: Int64?, bytes: [UInt8]?
  ) {
    self.rev = rev
    self.name = name
    self.digest = digest
    self.length = length
    self.bytes = bytes
  }
}
