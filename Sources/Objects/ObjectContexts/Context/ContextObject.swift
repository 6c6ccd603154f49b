public import JSON
internal import ObjectMapping

/// The state of an object in one context.
public struct ContextObject: Hashable, Sendable {
  /// The effect of the next save on the object.
  public enum Change: String, CaseIterable, Sendable {
    /// The save does not write the object.
    case unchanged
    /// The save inserts the object.
    case inserted
    /// The save updates the object.
    case updated
    /// The save deletes the object.
    case deleted
    /// Another context deleted it, and its notification was merged: fetches no longer return it,
    /// its values can still be read, and no save is needed.
    case deletedElsewhere
  }

  /// The name of the entity.
  public var entity: JSONString
  /// The effect of the next save.
  public var change: Change
  /// Whether the object has not yet received its permanent id from a store.
  ///
  /// The bytes of the id do not change here; in Core Data a permanent id is a different object.
  public var isTemporary: Bool
  /// The current values; nil for a fault, which must be fulfilled before a value is read.
  public var current: RowSnapshot?
  /// The values of its parent at the last fetch or save; nil for a fault and for an object that the
  /// parent does not have.
  public var committed: RowSnapshot?

  /// Creates the state of an object.
  public init(
    of entity: JSONString, change: Change = .unchanged, isTemporary: Bool = false,
    current: RowSnapshot? = nil, committed: RowSnapshot? = nil
  ) {
    self.entity = entity
    self.change = change
    self.isTemporary = isTemporary
    self.current = current
    self.committed = committed
  }

  /// True if the object has no values in this context.
  public var isFault: Bool { current == nil }
  /// True if the next save inserts the object.
  public var isInserted: Bool { change == .inserted }
  /// True if the next save updates the object.
  public var isUpdated: Bool { change == .updated }
  /// True if the object was deleted, here or by a merged notification.
  public var isDeleted: Bool { change == .deleted || change == .deletedElsewhere }

  /// The names of properties whose values differ from the committed ones, in byte order.
  public var changedNames: [JSONString] {
    guard let current else { return [] }
    let base = committed ?? RowSnapshot(of: entity, [:], version: 0)
    return current.differences(from: base)
  }
}
