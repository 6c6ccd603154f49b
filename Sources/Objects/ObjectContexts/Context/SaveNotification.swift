public import ObjectMapping

/// The result of a save: the contents of `NSManagedObjectContextDidSave`.
public struct SaveNotification: Hashable, Sendable {
  /// The ids in byte order.
  public var inserted: [ObjectID]
  /// The ids of updated objects, in byte order.
  public var updated: [ObjectID]
  /// The ids of deleted objects, in byte order.
  public var deleted: [ObjectID]

  /// Creates a notification.
  public init(
    inserted: [ObjectID] = [], updated: [ObjectID] = [], deleted: [ObjectID] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  /// True if the save changed nothing.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// A step of a save. Steps are in this order; `conflictsDetected` occurs only if there are
/// conflicts.
///
/// Source: Core Data, the order in which a context saves.
public enum SaveEvent: Hashable, Sendable {
  /// The save begins.
  case willSave
  /// Delete rules were applied; the objects that they deleted or changed, in byte order.
  case deletePropagated([ObjectID])
  /// All objects passed the validation.
  case validated
  /// Objects with permanent ids from this step on.
  case permanentIDs([ObjectID])
  /// The objects of merge conflicts that a policy resolved or that ended the save.
  case conflictsDetected([ObjectID])
  /// The parent has the changes.
  case written
  /// The notification was posted.
  case didSave

  /// The name in the contract.
  public var name: String {
    switch self {
    case .willSave: "willSave"
    case .deletePropagated: "deletePropagated"
    case .validated: "validated"
    case .permanentIDs: "permanentIDs"
    case .conflictsDetected: "conflictsDetected"
    case .written: "written"
    case .didSave: "didSave"
    }
  }

  /// The objects of the step.
  public var objects: [ObjectID] {
    switch self {
    case .deletePropagated(let ids), .permanentIDs(let ids), .conflictsDetected(let ids): ids
    case .willSave, .validated, .written, .didSave: []
    }
  }
}
