public import Datastore
public import JSON

/// What a save writes; relationships and delete rules have been followed already.
public struct SaveRequest: Hashable, Sendable {
  public var inserted: [ManagedObject]
  public var updated: [Update]
  public var deleted: [ObjectID]
  /// Documents of which one leaf is to be left.
  public var settled: [Settlement]

  /// An object with the properties that differ from what is stored.
  public struct Update: Hashable, Sendable {
    public var object: ManagedObject
    public var changed: Set<JSONString>

    public init(_ object: ManagedObject, changed: Set<JSONString>) {
      self.object = object
      self.changed = changed
    }
  }

  /// How the live leaves of a document become one, or none.
  public struct Settlement: Hashable, Sendable {
    public var id: ObjectID
    /// The leaf that goes on; nil when the object is deleted.
    public var keep: RevisionID?
    /// All other live leaves, which end.
    public var discard: [RevisionID]
    /// What changes over the kept leaf; nil when it stays as it is.
    public var update: Update?

    public init(
      _ id: ObjectID, keep: RevisionID?, discard: [RevisionID], update: Update? = nil
    ) {
      self.id = id
      self.keep = keep
      self.discard = discard
      self.update = update
    }
  }

  public init(
    inserted: [ManagedObject] = [], updated: [Update] = [], deleted: [ObjectID] = [],
    settled: [Settlement] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.settled = settled
  }
}
