public import Datastore
public import JSON

/// The result of an operation on a context.
public enum ContextAnswer: Hashable, Sendable {
  /// Success without a value.
  case done
  /// Of `readInContext`.
  case object(JSONValue)
  /// Of `inspectObject`.
  case inspectedObject(InspectedObject)
  /// Of `inspectContext`.
  case inspectedContext(InspectedContext)
  /// Of a fetch of objects.
  case objects([JSONValue])
  /// Of a fetch of ids.
  case ids([DocumentID])
  /// Of a fetch of a number.
  case count(Int64)
  /// Of `updateFetch`: the changes, and the ids of the new results.
  case changes([ObservedChange], ids: [DocumentID])
  /// Of `saveContext`: the notification, and the steps of the save.
  case saved(SavedChanges, events: [ContextEvent])
  /// Of `processConflicts`.
  case conflicts([ObjectConflict])
}

/// The notification of a save; ids in byte order.
public struct SavedChanges: Hashable, Sendable {
  /// The ids of inserted objects.
  public var inserted: [DocumentID]
  /// The ids of updated objects.
  public var updated: [DocumentID]
  /// The ids of deleted objects.
  public var deleted: [DocumentID]

  /// Creates a notification; by default without changes.
  public init(
    inserted: [DocumentID] = [], updated: [DocumentID] = [], deleted: [DocumentID] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }
}

/// A step of a save.
public struct ContextEvent: Hashable, Sendable {
  /// The name of the step.
  public var name: JSONString
  /// The objects of the step; nil for a step without objects.
  public var objects: [DocumentID]?

  /// Creates a step.
  public init(_ name: JSONString, objects: [DocumentID]? = nil) {
    self.name = name
    self.objects = objects
  }
}

/// The context's state of one object.
public struct InspectedObject: Hashable, Sendable {
  /// The name of the entity.
  public var entity: JSONString
  /// True if the next save inserts the object.
  public var isInserted = false
  /// True if the next save updates the object.
  public var isUpdated = false
  /// True if the object was deleted.
  public var isDeleted = false
  /// True if the object has no values in this context.
  public var isFault = false
  /// True if the object has no permanent id yet, as far as this context knows.
  public var isTemporary = false
  /// The current values, the changed ones, and the committed ones; all null for a fault, and the
  /// last null for an object that its parent does not have.
  public var values: JSONValue?
  /// The changed values; null for removed ones.
  public var changed: JSONValue?
  /// The values of the last fetch or save.
  public var committed: JSONValue?
  /// The number of saves of the object; nil if it is unknown.
  public var version: Int64?

  /// Creates the state of an unchanged object.
  public init(entity: JSONString) { self.entity = entity }
}

/// The state of a context; ids in byte order.
public struct InspectedContext: Hashable, Sendable {
  /// The ids of objects that the next save inserts, updates and deletes.
  public var changes = SavedChanges()
  /// The ids of all registered objects.
  public var registered: [DocumentID] = []
  /// True if there are changes to save.
  public var hasChanges = false
  /// The steps of the last save or attempt.
  public var events: [ContextEvent] = []
  /// The error of the last save or resolution; nil if it succeeded.
  public var failure: ContextFailure?

  /// Creates the state of an empty context.
  public init() {}
}

/// The error of a failed save.
public struct ContextFailure: Hashable, Sendable {
  /// An invalid object, with codes of Core Data.
  public struct Invalid: Hashable, Sendable {
    /// The id of the object.
    public var id: DocumentID
    /// The codes of the violated rules.
    public var codes: [Int64]

    /// Creates an invalid object.
    public init(id: DocumentID, codes: [Int64]) {
      self.id = id
      self.codes = codes
    }
  }

  /// Objects with equal values of a uniqueness constraint.
  public struct Constraint: Hashable, Sendable {
    /// The name of the entity.
    public var entity: JSONString
    /// The attributes of the constraint.
    public var attributes: [JSONString]
    /// The colliding objects of the context.
    public var objects: [DocumentID]
    /// The colliding stored object.
    public var row: DocumentID?

    /// Creates a violated constraint.
    public init(
      entity: JSONString, attributes: [JSONString], objects: [DocumentID], row: DocumentID? = nil
    ) {
      self.entity = entity
      self.attributes = attributes
      self.objects = objects
      self.row = row
    }
  }

  /// The code of Core Data; nil if it has none.
  public var code: Int64?
  /// The invalid objects.
  public var invalid: [Invalid]
  /// The merge conflicts.
  public var conflicts: [ObjectConflict]
  /// The violated constraints.
  public var constraints: [Constraint]

  /// Creates an error.
  public init(
    code: Int64?, invalid: [Invalid] = [], conflicts: [ObjectConflict] = [],
    constraints: [Constraint] = []
  ) {
    self.code = code
    self.invalid = invalid
    self.conflicts = conflicts
    self.constraints = constraints
  }
}

/// An object that was changed on two sides; values by name, or null for a side without values.
public struct ObjectConflict: Hashable, Sendable {
  /// The id of the object.
  public var id: DocumentID
  /// The name of the entity.
  public var entity: JSONString
  /// The version that the older side has.
  public var oldVersion: Int64
  /// The new version; 0 if the object was deleted.
  public var newVersion: Int64
  /// The values that the context started with.
  public var object: JSONValue?
  /// The values of the cache.
  public var cached: JSONValue?
  /// The values of the store.
  public var persisted: JSONValue?
  /// Values of further revisions.
  public var others: [JSONValue]

  /// Creates a conflict.
  public init(
    id: DocumentID, entity: JSONString, oldVersion: Int64, newVersion: Int64,
    object: JSONValue? = nil,
    cached: JSONValue? = nil, persisted: JSONValue? = nil, others: [JSONValue] = []
  ) {
    self.id = id
    self.entity = entity
    self.oldVersion = oldVersion
    self.newVersion = newVersion
    self.object = object
    self.cached = cached
    self.persisted = persisted
    self.others = others
  }
}
