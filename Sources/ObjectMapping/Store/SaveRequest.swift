public import JSON

/// What a save writes; relationships and delete rules have been followed already.
public struct SaveRequest: Hashable, Sendable {
  public var inserted: [ManagedObject]
  public var updated: [Update]
  public var deleted: [ObjectID]

  /// An object with the properties that differ from what is stored.
  public struct Update: Hashable, Sendable {
    public var object: ManagedObject
    public var changed: Set<Text>

    public init(_ object: ManagedObject, changed: Set<Text>) {
      self.object = object
      self.changed = changed
    }
  }

  public init(
    inserted: [ManagedObject] = [], updated: [Update] = [], deleted: [ObjectID] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }
}
