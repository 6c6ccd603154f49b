public import Datastore
public import JSON

/// The result of an operation on a context.
public enum ContextAnswer: Hashable, Sendable {
  case done
  /// Of `readInContext`.
  case object(JSONValue)
  case inspectedObject(InspectedObject)
  case inspectedContext(InspectedContext)
  case objects([JSONValue])
  case ids([DocumentID])
  case count(Int64)
  case saved(SavedChanges, events: [ContextEvent])
  case conflicts([ObjectConflict])
}

/// The notification of a save; ids in byte order.
public struct SavedChanges: Hashable, Sendable {
  public var inserted: [DocumentID]
  public var updated: [DocumentID]
  public var deleted: [DocumentID]

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
  public var name: JSONString
  /// The objects of the step; nil for a step without objects.
  public var objects: [DocumentID]?

  public init(_ name: JSONString, objects: [DocumentID]? = nil) {
    self.name = name
    self.objects = objects
  }
}

/// The context's state of one object.
public struct InspectedObject: Hashable, Sendable {
  public var entity: JSONString
  public var isInserted = false
  public var isUpdated = false
  public var isDeleted = false
  public var isFault = false
  public var isTemporary = false
  /// The current values, the changed ones, and the committed ones; all null for a fault, and the
  /// last null for an object that its parent does not have.
  public var values: JSONValue?
  public var changed: JSONValue?
  public var committed: JSONValue?
  public var version: Int64?

  public init(entity: JSONString) { self.entity = entity }
}

/// The state of a context; ids in byte order.
public struct InspectedContext: Hashable, Sendable {
  public var changes = SavedChanges()
  public var registered: [DocumentID] = []
  public var hasChanges = false
  /// The steps of the last save or attempt.
  public var events: [ContextEvent] = []
  /// The error of the last save or resolution; nil if it succeeded.
  public var failure: ContextFailure?

  public init() {}
}

/// The error of a failed save.
public struct ContextFailure: Hashable, Sendable {
  /// An invalid object, with codes of Core Data.
  public struct Invalid: Hashable, Sendable {
    public var id: DocumentID
    public var codes: [Int64]

    public init(id: DocumentID, codes: [Int64]) {
      self.id = id
      self.codes = codes
    }
  }

  /// Objects with equal values of a uniqueness constraint.
  public struct Constraint: Hashable, Sendable {
    public var entity: JSONString
    public var attributes: [JSONString]
    public var objects: [DocumentID]
    /// The colliding stored object.
    public var row: DocumentID?

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
  public var invalid: [Invalid]
  public var conflicts: [ObjectConflict]
  public var constraints: [Constraint]

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
  public var id: DocumentID
  public var entity: JSONString
  public var oldVersion: Int64
  /// The new version; 0 if the object was deleted.
  public var newVersion: Int64
  public var object: JSONValue?
  public var cached: JSONValue?
  public var persisted: JSONValue?
  /// Values of further revisions.
  public var others: [JSONValue]

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
