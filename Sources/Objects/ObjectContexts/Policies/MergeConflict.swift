public import Datastore
public import JSON
public import ObjectMapping

/// An object that somebody else changed since the context read it.
///
/// There are two shapes, as in `NSMergeConflict`. Context against cache: the object snapshot is what the
/// context began with, the cached one what the cache has now, and there is no persisted one. Cache
/// against store: the cached snapshot is what the cache had, the persisted one what the store has, and
/// there is no object snapshot. After a pull it is the second shape: cached are the local values,
/// persisted the pulled ones.
public struct MergeConflict: Hashable, Sendable {
  public var id: ObjectID
  public var entity: JSONString
  public var oldVersion: Int64
  /// 0 when the object was deleted.
  public var newVersion: Int64
  public var objectSnapshot: RowSnapshot?
  public var cachedSnapshot: RowSnapshot?
  public var persistedSnapshot: RowSnapshot?
  /// How it came about.
  public var origin: Origin
  /// Further revisions that lost, of a document with more than two leaves; the settlement ends them.
  public var others: [RowSnapshot]

  public enum Origin: Hashable, Sendable {
    /// A save found that the cache has a newer row.
    case cache
    /// A save found that the store has another row than the cache.
    case store
    /// Two replicas edited the object; with the revision both began with, where it is still there.
    case pull(ancestor: RowSnapshot?)
  }

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

  /// What the object is now where the conflict was found; nil when it is deleted there.
  public var new: RowSnapshot? {
    if case .cache = origin { return cachedSnapshot }
    return persistedSnapshot
  }
}

/// The leaves of a document whose conflict was handed over, and how a save makes them one.
public struct PendingSettlement: Hashable, Sendable {
  /// All leaves as they were; when there are others, the conflict is another one.
  public var leaves: [RevisionID]
  /// The live leaf that goes on; nil when the object is deleted.
  public var keep: RevisionID?
  /// The other live leaves.
  public var discard: [RevisionID]
  /// What the kept leaf holds.
  public var kept: RowSnapshot
  /// What the object was here when its conflict was handed over.
  public var local: RowSnapshot
  /// Whether a policy has decided; before that no save touches the leaves.
  public var isResolved = false
}

/// Objects that have the same values where they must not.
public struct ConstraintConflict: Hashable, Sendable, CustomStringConvertible {
  public var entity: JSONString
  public var attributes: [JSONString]
  /// Objects of the context, in byte order.
  public var objects: [ObjectID]
  /// The object of the store that they collide with; nil when they collide with each other.
  public var row: ObjectID?

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
