public import Datastore
public import JSON

/// Something that the oracles are told; replicas and sessions are numbers from 0.
public enum Observation: Sendable {
  /// A client did something to the store of a replica.
  case client(replica: Int, step: JSONString, StoreOperation, Outcome)
  /// An application did something above its store, with objects or in a context; what it wrote has been
  /// told before.
  case application(replica: Int, step: JSONString, StoreOperation, Outcome)
  /// A session did something to one of its stores.
  case session(Int, isSource: Bool, StoreOperation, Outcome)
  /// A session was answered a page of changes that it had asked for and still waited for.
  case received(Int, since: UpdateSequence?, ChangesPage)
  case sessionBegan(Int, SessionFacts)
  case sessionEnded(Int, SessionEnd)
  /// A copy of a replica's store was made.
  case copied(replica: Int)
  /// The store of a replica became what the last copy holds.
  case restored(replica: Int)
  /// The local documents of sessions were removed.
  case lostCheckpoints(replica: Int)
}

/// What a session is.
public struct SessionFacts: Hashable, Sendable {
  public var name: JSONString
  public var source: Int
  public var target: Int
  public var filter: Filter?
  /// Whether the replicator asks one of the stores itself, unseen.
  public var isHalfSeen: Bool

  public init(
    name: JSONString, source: Int, target: Int, filter: Filter?, isHalfSeen: Bool = false
  ) {
    self.name = name
    self.source = source
    self.target = target
    self.filter = filter
    self.isHalfSeen = isHalfSeen
  }
}

/// How a session ended.
public struct SessionEnd: Hashable, Sendable {
  /// Whether it said that everything is at the target.
  public var isComplete: Bool
  /// Whether it said that its checkpoint could not be saved.
  public var saysUnsaved: Bool

  public init(isComplete: Bool, saysUnsaved: Bool) {
    self.isComplete = isComplete
    self.saysUnsaved = saysUnsaved
  }
}

/// What a store holds at the end of a run.
public struct FinalStore: Hashable, Sendable {
  /// In the order of their ids.
  public var documents: [FinalDocument]

  public init(documents: [FinalDocument]) { self.documents = documents }
}

/// The objects that an application finds at the end of a run, entity by entity.
public struct FinalGraph: Hashable, Sendable {
  /// The model, as the application opened its objects with it.
  public var model: JSONValue
  /// As `listObjects` answers them.
  public var objects: [JSONValue]

  public init(model: JSONValue, objects: [JSONValue]) {
    self.model = model
    self.objects = objects
  }
}

/// A document at the end of a run.
public struct FinalDocument: Hashable, Sendable {
  public var id: DocumentID
  /// What `read` answers without a revision; nil when it says that the document is deleted.
  public var winner: RevisionID?
  /// All leaves, as the store orders them.
  public var leaves: [Leaf]
  /// One record per leaf that can be read, in the order of the leaves.
  public var records: [RevisionRecord]
  /// All attachments of these records.
  public var attachments: [FinalAttachment]

  public init(
    id: DocumentID, winner: RevisionID?, leaves: [Leaf], records: [RevisionRecord],
    attachments: [FinalAttachment] = []
  ) {
    self.attachments = attachments
    self.id = id
    self.winner = winner
    self.leaves = leaves
    self.records = records
  }
}

/// An attachment of a leaf at the end of a run.
public struct FinalAttachment: Hashable, Sendable {
  public var rev: RevisionID
  public var name: JSONString
  /// What the store says of it.
  public var digest: JSONString?
  public var length: Int64?
  /// What was read piece by piece; nil when that did not come to an end.
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
