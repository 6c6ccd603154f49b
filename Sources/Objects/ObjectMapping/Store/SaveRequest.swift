public import Datastore
public import JSON

/// The writes of a save; relationships and delete rules have already been applied.
public struct SaveRequest: Hashable, Sendable {
  /// The new objects, complete.
  public var inserted: [ManagedObject]
  /// The changed objects.
  public var updated: [Update]
  /// The ids of the deleted objects.
  public var deleted: [ObjectID]
  /// Documents to reduce to one leaf.
  public var settled: [Settlement]

  /// An object with the properties that differ from the stored ones.
  public struct Update: Hashable, Sendable {
    /// The complete object after the change.
    public var object: ManagedObject
    /// The names of the properties that differ.
    public var changed: Set<JSONString>

    /// Creates an update.
    public init(_ object: ManagedObject, changed: Set<JSONString>) {
      self.object = object
      self.changed = changed
    }
  }

  /// The resolution of a conflict: one live leaf remains, or none.
  public struct Settlement: Hashable, Sendable {
    /// The id of the object.
    public var id: ObjectID
    /// The leaf to keep; nil if the object is deleted.
    public var keep: RevisionID?
    /// All other live leaves, which get tombstones.
    public var discard: [RevisionID]
    /// All leaves that the resolution is about, deleted ones included.
    public var leaves: [RevisionID]
    /// The changes on top of the kept leaf; nil to leave it unchanged.
    public var update: Update?

    /// Creates a resolution.
    public init(
      _ id: ObjectID, keep: RevisionID?, discard: [RevisionID], leaves: [RevisionID],
      update: Update? = nil
    ) {
      self.id = id
      self.keep = keep
      self.discard = discard
      self.leaves = leaves
      self.update = update
    }
  }

  /// Creates a request; by default without writes.
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
