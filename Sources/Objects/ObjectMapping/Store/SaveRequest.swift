public import Datastore
public import JSON

/// The writes of a save; relationships and delete rules have already been applied.
public struct SaveRequest: Hashable, Sendable {
  public var inserted: [ManagedObject]
  public var updated: [Update]
  public var deleted: [ObjectID]
  /// Documents to reduce to one leaf.
  public var settled: [Settlement]

  /// An object with the properties that differ from the stored ones.
  public struct Update: Hashable, Sendable {
    public var object: ManagedObject
    public var changed: Set<JSONString>

    public init(_ object: ManagedObject, changed: Set<JSONString>) {
      self.object = object
      self.changed = changed
    }
  }

  /// The resolution of a conflict: one live leaf remains, or none.
  public struct Settlement: Hashable, Sendable {
    public var id: ObjectID
    /// The leaf to keep; nil if the object is deleted.
    public var keep: RevisionID?
    /// All other live leaves, which get tombstones.
    public var discard: [RevisionID]
    /// The changes on top of the kept leaf; nil to leave it unchanged.
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
