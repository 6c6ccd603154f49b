internal import JSON

/// A removal in progress: related objects first, then the objects.
struct RemovalCall: Hashable, Sendable {
  /// Objects of one collection.
  struct Group: Hashable, Sendable {
    var collection: JSONString
    var ids: [JSONString]
  }

  /// The purpose of a request of a removal.
  enum Request: Hashable, Sendable {
    /// Finds the objects of a query.
    case find
    /// Loads objects of a level to read their references.
    case follow(Group)
    /// Finds objects that refer to the removed ones.
    case findOwners(collection: JSONString)
    /// Saves an object without its reference.
    case releaseOwner(EntityKey, JSONObject)
    case removeRelated(Group)
    case remove([JSONString])
    /// Removes all objects of a query.
    case removeAll
  }

  let collection: JSONString
  let rule: RemovalRule
  /// The objects of the call; nil for ids or a query.
  let objects: [CollectionObject]?
  /// The ids to remove.
  var ids: [JSONString] = []
  /// The related objects to remove first, the nearest level first.
  var levels: [[Group]] = []
  /// All objects to remove.
  var met: Set<EntityKey> = []
  /// The references to the next level, each with its collection.
  var front: [Pair] = []
  /// The number of pending responses of the step.
  var waiting = 0
  var removedCount: Int64 = 0
  var removedIDs: Set<JSONString> = []
  var queued: [JSONString] = []
  /// The objects that were not removed, with their errors.
  var failed: [FailedID] = []
  /// The first error of the step.
  var error: CollectionError?
  /// The number of progress steps; two more for related objects.
  var steps = 1
  var done = 0

  struct Pair: Hashable, Sendable {
    var collection: JSONString
    var entity: JSONObject
  }

  struct FailedID: Hashable, Sendable {
    var id: JSONString
    var error: CollectionError
  }

  init(_ collection: JSONString, _ rule: RemovalRule, objects: [CollectionObject]?) {
    self.collection = collection
    self.rule = rule
    self.objects = objects
  }
}
