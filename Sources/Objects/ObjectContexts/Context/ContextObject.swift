public import JSON
internal import ObjectMapping

/// The state of an object in one context.
public struct ContextObject: Hashable, Sendable {
  /// The effect of the next save on the object.
  public enum Change: String, CaseIterable, Sendable {
    case unchanged
    case inserted
    case updated
    case deleted
    /// Another context deleted it, and its notification was merged: fetches no longer return it,
    /// its values can still be read, and no save is needed.
    case deletedElsewhere
  }

  public var entity: JSONString
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

  public var isFault: Bool { current == nil }
  public var isInserted: Bool { change == .inserted }
  public var isUpdated: Bool { change == .updated }
  public var isDeleted: Bool { change == .deleted || change == .deletedElsewhere }

  /// The names of properties whose values differ from the committed ones, in byte order.
  public var changedNames: [JSONString] {
    guard let current else { return [] }
    let base = committed ?? RowSnapshot(of: entity, [:], version: 0)
    return current.differences(from: base)
  }
}
