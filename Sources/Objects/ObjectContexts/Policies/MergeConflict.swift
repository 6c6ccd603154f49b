public import Datastore
public import JSON
public import ObjectMapping

/// An object that another client changed since the context read it.
///
/// There are two forms, as in `NSMergeConflict`. Context against cache: the object snapshot has the
/// values that the context started with, the cached one those of the cache, and there is no
/// persisted snapshot. Cache against store: the cached snapshot has the values of the cache, the
/// persisted one those of the store, and there is no object snapshot. A conflict after a pull has
/// the second form: cached are the local values, persisted the pulled ones.
public struct MergeConflict: Hashable, Sendable {
  /// The id of the object.
  public var id: ObjectID
  /// The name of the entity.
  public var entity: JSONString
  /// The version that the older side has.
  public var oldVersion: Int64
  /// The new version; 0 if the object was deleted.
  public var newVersion: Int64
  /// The values that the context started with; nil for cache against store.
  public var objectSnapshot: RowSnapshot?
  /// The values of the cache.
  public var cachedSnapshot: RowSnapshot?
  /// The values of the store; nil for context against cache.
  public var persistedSnapshot: RowSnapshot?
  /// The origin of the conflict.
  public var origin: Origin
  /// Further losing revisions of a document with more than two leaves; the resolution ends them.
  public var others: [RowSnapshot]

  /// The ways in which a conflict is found.
  public enum Origin: Hashable, Sendable {
    /// A save found that the cache has a newer row.
    case cache
    /// A save found that the store has a different row from the cache.
    case store
    /// Two replicas edited the object; with their common ancestor, if it is still stored.
    case pull(ancestor: RowSnapshot?)
  }

  /// Creates a conflict.
  public init(
    _ id: ObjectID, of entity: JSONString, oldVersion: Int64, newVersion: Int64,
    object: RowSnapshot? = nil, cached: RowSnapshot? = nil, persisted: RowSnapshot? = nil,
    origin: Origin, others: [RowSnapshot] = []
  ) {
    self.id = id
    self.entity = entity
    self.oldVersion = oldVersion
    self.newVersion = newVersion
    objectSnapshot = object
    cachedSnapshot = cached
    persistedSnapshot = persisted
    self.origin = origin
    self.others = others
  }

  /// The current values on the side of the conflict; nil if the object is deleted there.
  public var new: RowSnapshot? {
    if case .cache = origin { return cachedSnapshot }
    return persistedSnapshot
  }
}

/// The leaves of a document whose conflict was reported, and their resolution in a save.
public struct PendingSettlement: Hashable, Sendable {
  /// All leaves at that time; if they change, it is another conflict.
  public var leaves: [RevisionID]
  /// The live leaf to keep; nil if the object is deleted.
  public var keep: RevisionID?
  /// The other live leaves.
  public var discard: [RevisionID]
  /// The values of the kept leaf.
  public var kept: RowSnapshot
  /// The local values when the conflict was reported.
  public var local: RowSnapshot
  /// The local values with the unsaved changes of the parent contexts at that time.
  public var inParent: RowSnapshot
  /// Whether a policy has decided; before that, no save changes the leaves.
  public var isResolved = false
}

/// Objects with equal values of a uniqueness constraint.
public struct ConstraintConflict: Hashable, Sendable, CustomStringConvertible {
  /// The name of the entity.
  public var entity: JSONString
  /// The attributes of the constraint.
  public var attributes: [JSONString]
  /// Objects of the context, in byte order.
  public var objects: [ObjectID]
  /// The colliding object of the store; nil if objects of the context collide with each other.
  public var row: ObjectID?

  /// Creates a conflict.
  public init(_ entity: JSONString, _ attributes: [JSONString], objects: [ObjectID], row: ObjectID?)
  {
    self.entity = entity
    self.attributes = attributes
    self.objects = objects
    self.row = row
  }

  public var description: String {
    let names = attributes.map { $0.string }.joined(separator: ", ")
    let ids = (objects + (row.map { [$0] } ?? [])).map { "'\($0)'" }.joined(separator: ", ")
    return "\(entity) \(ids) have the same \(names)"
  }
}
