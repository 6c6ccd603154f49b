public import JSON

/// The number of a call of a client, counted from 1.
public typealias CallNumber = Int64

/// What an application asks of a collection.
public enum CollectionCall: Hashable, Sendable {
  /// Saves objects whole, and before them the new ones that they lead to.
  case save([CollectionObject])
  /// Loads objects by their ids, in the order of these.
  ///
  /// - Parameter depth: how many levels of related objects are loaded as well.
  case load([JSONString], policy: CachePolicy? = nil, depth: Int64 = 0)
  case query(CollectionQuery, policy: CachePolicy? = nil, depth: Int64 = 0)
  case count(CollectionQuery)
  case group(CollectionGrouping)
  case remove(RemovalTarget, RemovalRule = .only)
}

/// What is removed.
public enum RemovalTarget: Hashable, Sendable {
  case ids([JSONString])
  case objects([CollectionObject])
  case query(CollectionQuery)
}

/// What becomes of the objects around those that are removed.
///
/// Source: the guide, "Deletes".
public enum RemovalRule: String, CaseIterable, Sendable {
  /// Nothing: ids of what is gone may stay behind.
  case only
  /// Before that, ids are taken out of the objects that lead to what is removed.
  case nilling
  /// Before that, the objects at the ends of references that cascade are removed, the farthest first.
  case cascading
}

/// A value for each group of objects.
public struct CollectionGrouping: Hashable, Sendable {
  public enum Function: String, CaseIterable, Sendable {
    case count = "COUNT"
    case sum = "SUM"
    case minimum = "MIN"
    case maximum = "MAX"
    case average = "AVERAGE"
  }

  /// The fields whose values make a group; a missing one counts as null.
  public var fields: [JSONString]
  public var function: Function
  /// The field that the function is of; nil for `count`.
  public var field: JSONString?
  /// Which objects count; its order and limits count nothing.
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

/// Where the results of a query may come from.
///
/// Source: KinveyKit 1.41, `KCSCachePolicy`.
public enum CachePolicy: String, CaseIterable, Sendable {
  /// The backend; nothing is remembered.
  case none
  /// What is remembered, and nothing else.
  case localOnly
  /// What is remembered, and then the backend in silence; else the backend.
  case localFirst
  /// The backend; what is remembered when there is no answer.
  case networkFirst
  /// What is remembered, and then the backend, each with a callback.
  case both
}

/// What a call comes to.
public struct CollectionCallback: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    case objects([CollectionObject])
    /// How many there are, or were removed.
    case count(Int64)
    case groups([JSONObject])
    case error(CollectionError)
  }

  public var call: CallNumber
  public var result: Result
  /// Whether it is what was remembered.
  public var isFromCache: Bool

  public init(_ call: CallNumber, _ result: Result, isFromCache: Bool = false) {
    self.call = call
    self.result = result
    self.isFromCache = isFromCache
  }
}

/// How far a call has come: so many steps of so many. It never goes back, and ends at all.
public struct CollectionProgress: Hashable, Sendable {
  public var done: Int64
  public var total: Int64

  public init(done: Int64, total: Int64) {
    self.done = done
    self.total = total
  }
}

/// A relation that was loaded in the background, or could not be.
public struct FilledRelation: Hashable, Sendable {
  /// The call that loaded the object.
  public var call: CallNumber
  public var collection: JSONString
  public var id: JSONString
  public var relation: JSONString
  /// In the order of the stored ids, each once; none when the query failed.
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

/// What a client wants to happen.
public enum CollectionEffect: Hashable, Sendable {
  case send(BackendRequest)
  case progress(CallNumber, CollectionProgress)
  case callBack(CollectionCallback)
  /// A relation of an object of an earlier callback is there.
  case fill(FilledRelation)
  /// Something happened to what waits in the offline queue.
  case queue(QueueEvent)
}
