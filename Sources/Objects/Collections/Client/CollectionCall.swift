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
  /// Loads the objects that a query matches, with `depth` levels of related objects.
  case query(CollectionQuery, policy: CachePolicy? = nil, depth: Int64 = 0)
  /// Counts the objects that a query matches.
  case count(CollectionQuery)
  /// Computes an aggregate of each group of objects.
  case group(CollectionGrouping)
  /// Removes objects; the rule decides about related ones.
  case remove(RemovalTarget, RemovalRule = .only)
}

/// The objects to remove.
public enum RemovalTarget: Hashable, Sendable {
  /// The objects with these ids.
  case ids([JSONString])
  /// These objects.
  case objects([CollectionObject])
  /// The objects that a query matches.
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
  /// The aggregate functions.
  public enum Function: String, CaseIterable, Sendable {
    /// The number of objects.
    case count = "COUNT"
    /// The sum of the field.
    case sum = "SUM"
    /// The smallest value of the field.
    case minimum = "MIN"
    /// The largest value of the field.
    case maximum = "MAX"
    /// The mean of the field.
    case average = "AVERAGE"
  }

  /// The grouping fields; a missing value counts as null.
  public var fields: [JSONString]
  /// The aggregate function.
  public var function: Function
  /// The field of the function; nil for `count`.
  public var field: JSONString?
  /// The objects to include; order and limits of the query are ignored.
  public var condition: CollectionQuery

  /// Creates a request for aggregates.
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
  /// The result of a call by its kind.
  public enum Result: Hashable, Sendable {
    /// The saved or loaded objects.
    case objects([CollectionObject])
    /// The number of existing or removed objects.
    case count(Int64)
    /// One object for each group, with the grouping fields and the aggregate.
    case groups([JSONObject])
    /// The call failed.
    case error(CollectionError)
  }

  /// The number of the call.
  public var call: CallNumber
  /// The result.
  public var result: Result
  /// Whether the result is from the cache.
  public var isFromCache: Bool

  /// Creates a callback.
  public init(_ call: CallNumber, _ result: Result, isFromCache: Bool = false) {
    self.call = call
    self.result = result
    self.isFromCache = isFromCache
  }
}

/// The progress of a call in steps. It never decreases, and ends at the total.
public struct CollectionProgress: Hashable, Sendable {
  /// The number of finished steps.
  public var done: Int64
  /// The number of all steps.
  public var total: Int64

  /// Creates a state of progress.
  public init(done: Int64, total: Int64) {
    self.done = done
    self.total = total
  }
}

/// A relation that was loaded in the background, or its error.
public struct FilledRelation: Hashable, Sendable {
  /// The call that loaded the object.
  public var call: CallNumber
  /// The collection of the object with the relation.
  public var collection: JSONString
  /// The id of the object with the relation.
  public var id: JSONString
  /// The name of the relation.
  public var relation: JSONString
  /// The objects in the order of the stored ids, each once; empty if the query failed.
  public var objects: [CollectionObject]
  /// The error of the query; nil if it succeeded.
  public var error: CollectionError?

  /// Creates a loaded relation.
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
  /// Send a request to the backend.
  case send(BackendRequest)
  /// Report the progress of a call.
  case progress(CallNumber, CollectionProgress)
  /// Report the result of a call.
  case callBack(CollectionCallback)
  /// A relation of an object of an earlier callback has been loaded.
  case fill(FilledRelation)
  /// An event of the offline queue.
  case queue(QueueEvent)
}
