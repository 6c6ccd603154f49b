internal import JSON

/// A removal on its way: what is around the objects first, and then they.
struct RemovalCall: Hashable, Sendable {
  /// Objects of one collection.
  struct Group: Hashable, Sendable {
    var collection: JSONString
    var ids: [JSONString]
  }

  /// What a request of a removal is for.
  enum Request: Hashable, Sendable {
    /// Finds the objects of a query.
    case find
    /// Loads objects of a level to see what they lead to.
    case follow(Group)
    /// Finds objects that lead to those that are removed.
    case findOwners(collection: JSONString)
    /// Saves an object without what it led to.
    case releaseOwner(EntityKey, JSONObject)
    case removeRelated(Group)
    case remove([JSONString])
    /// Removes all that a query means.
    case removeAll
  }

  let collection: JSONString
  let rule: RemovalRule
  /// The objects of the call; nil for ids or a query.
  let objects: [CollectionObject]?
  /// What is removed.
  var ids: [JSONString] = []
  /// What is removed before that, the nearest first.
  var levels: [[Group]] = []
  /// Everything that is removed.
  var met: Set<EntityKey> = []
  /// What leads to the next level, each with its collection.
  var front: [Pair] = []
  /// How many answers the step waits for.
  var waiting = 0
  var removedCount: Int64 = 0
  var removedIDs: Set<JSONString> = []
  var queued: [JSONString] = []
  /// The objects that were not removed, with the reasons.
  var failed: [FailedID] = []
  /// Why the step failed, the first of its reasons.
  var error: CollectionError?
  /// The steps of the progress: of the objects around, two.
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
