public import JSON

/// The number of a call of a client, counted from 1.
public typealias CallNumber = Int64

/// A call of an application on a collection.
public enum CollectionCall: Hashable, Sendable {
  /// Saves complete objects, after the new ones that they refer to.
  case save([CollectionObject])
  /// Loads objects by their ids, in the order of the ids.
  ///
  /// - Parameter depth: the number of levels of related objects to load as well.
  case load([JSONString], policy: CachePolicy? = nil, depth: Int64 = 0)
  case query(CollectionQuery, policy: CachePolicy? = nil, depth: Int64 = 0)
  case count(CollectionQuery)
  case group(CollectionGrouping)
  case remove(RemovalTarget, RemovalRule = .only)
}

/// The objects to remove.
public enum RemovalTarget: Hashable, Sendable {
  case ids([JSONString])
  case objects([CollectionObject])
  case query(CollectionQuery)
}

/// The treatment of objects related to the removed ones.
///
/// Source: the guide, "Deletes".
public enum RemovalRule: String, CaseIterable, Sendable {
  /// No treatment: dangling references may remain.
  case only
  /// First removes the ids of the removed objects from the objects that refer to them.
  case nilling
  /// First removes the objects at the ends of cascading references, the farthest first.
  case cascading
}

/// A request for an aggregate of each group of objects.
public struct CollectionGrouping: Hashable, Sendable {
  public enum Function: String, CaseIterable, Sendable {
    case count = "COUNT"
    case sum = "SUM"
    case minimum = "MIN"
    case maximum = "MAX"
    case average = "AVERAGE"
  }

  /// The grouping fields; a missing value counts as null.
  public var fields: [JSONString]
  public var function: Function
  /// The field of the function; nil for `count`.
  public var field: JSONString?
  /// The objects to include; order and limits of the query are ignored.
  public var condition: CollectionQuery

  public init(
    by fields: [JSONString], _ function: Function, of field: JSONString? = nil,
    where condition: CollectionQuery = CollectionQuery()
  ) {
    self.fields = fields
    self.function = function
    self.field = field
    self.condition = condition
  }
}

/// The source of the results of a query.
///
/// Source: KinveyKit 1.41, `KCSCachePolicy`.
public enum CachePolicy: String, CaseIterable, Sendable {
  /// The backend only; nothing is cached.
  case none
  /// The cache only.
  case localOnly
  /// The cache, followed by a silent refresh from the backend; the backend if the result is not
  /// cached.
  case localFirst
  /// The backend; the cache if there is no response.
  case networkFirst
  /// The cache, and then the backend, each with a callback.
  case both
}

/// The result of a call.
public struct CollectionCallback: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    case objects([CollectionObject])
    /// The number of existing or removed objects.
    case count(Int64)
    case groups([JSONObject])
    case error(CollectionError)
  }

  public var call: CallNumber
  public var result: Result
  /// Whether the result is from the cache.
  public var isFromCache: Bool

  public init(_ call: CallNumber, _ result: Result, isFromCache: Bool = false) {
    self.call = call
    self.result = result
    self.isFromCache = isFromCache
  }
}

/// The progress of a call in steps. It never decreases, and ends at the total.
public struct CollectionProgress: Hashable, Sendable {
  public var done: Int64
  public var total: Int64

  public init(done: Int64, total: Int64) {
    self.done = done
    self.total = total
  }
}

/// A relation that was loaded in the background, or its error.
public struct FilledRelation: Hashable, Sendable {
  /// The call that loaded the object.
  public var call: CallNumber
  public var collection: JSONString
  public var id: JSONString
  public var relation: JSONString
  /// The objects in the order of the stored ids, each once; empty if the query failed.
  public var objects: [CollectionObject]
  public var error: CollectionError?

  public init(
    call: CallNumber, collection: JSONString, id: JSONString, relation: JSONString,
    objects: [CollectionObject],
    error: CollectionError? = nil
  ) {
    self.call = call
    self.collection = collection
    self.id = id
    self.relation = relation
    self.objects = objects
    self.error = error
  }
}

/// An action requested by a client.
public enum CollectionEffect: Hashable, Sendable {
  case send(BackendRequest)
  case progress(CallNumber, CollectionProgress)
  case callBack(CollectionCallback)
  /// A relation of an object of an earlier callback has been loaded.
  case fill(FilledRelation)
  /// An event of the offline queue.
  case queue(QueueEvent)
}
