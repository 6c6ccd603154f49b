public import JSON
internal import ObjectMapping

/// An object as one context knows it.
public struct ContextObject: Hashable, Sendable {
  /// What the next save will do with it.
  public enum Change: String, CaseIterable, Sendable {
    case unchanged
    case inserted
    case updated
    case deleted
    /// Another context deleted it, and its notification was merged: it is no longer found, its values
    /// can still be read, and no save is needed.
    case deletedElsewhere
  }

  public var entity: JSONString
  public var change: Change
  /// Whether no store has given it its lasting id.
  ///
  /// The bytes of the id do not change here; in Core Data the id is another object then.
  public var isTemporary: Bool
  /// What it is now; nil for a fault, which has to be fetched before anything is read.
  public var current: RowSnapshot?
  /// What its parent had when it was fetched or saved last; nil for a fault and for an object that
  /// the parent does not have.
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

  /// The names of properties whose value is not the committed one, in byte order.
  public var changedNames: [JSONString] {
    guard let current else { return [] }
    let base = committed ?? RowSnapshot(of: entity, [:], version: 0)
    return current.differences(from: base)
  }
}
