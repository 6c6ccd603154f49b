internal import Datastore
public import JSON

/// An operation of a client of a backend on its collections; the store of the operation is the
/// backend.
///
/// A client is created by the first operation that names it, and ends when the store is closed,
/// destroyed or reopened. The encoding of objects, queries and results is defined in
/// `Vectors/README.md`.
public enum CollectionAction: Hashable, Sendable {
  /// An operation of one client.
  case client(JSONString, Call)
  /// Sets the validation rules of the entities of a collection.
  case setRules(collection: JSONString, JSONValue)

  /// An operation of one client.
  public enum Call: Hashable, Sendable {
    /// Opens a collection, or changes its options.
    case open(CollectionOpening)
    /// An operation on an open collection.
    case collection(JSONString, CollectionRequest)
    /// Sets the outcome of all future requests, and of the next ones before that.
    case setNetwork(state: JSONValue, next: [JSONValue]?)
    /// Sends the entries of the offline queue.
    case drain
    /// Returns the pending work of the client.
    case inspect
    /// Starts or continues a migration of objects of an object store to collections.
    case migrate(ObjectMove)
    /// Crashes the application: only its persistent state remains.
    case crash
    /// Replaces all settings of the application.
    case setSettings(JSONValue)
  }
}

/// A collection with the options of a client; syntax errors are results of the operation.
public struct CollectionOpening: Hashable, Sendable {
  /// The name of the collection.
  public var collection: JSONString
  /// The names of fields, by property; one of them is `_id`.
  public var mapping: JSONValue
  /// The targets of properties, by property.
  public var references: JSONValue?
  /// The defaults of loaded objects for missing fields, by property.
  public var defaults: JSONValue?
  /// The default cache policy, by name.
  public var policy: JSONString?
  /// True if operations that cannot reach the backend are queued.
  public var offline: Bool?
  /// The side that assigns ids, by name.
  public var ids: JSONString?
  /// Further options, by name.
  public var options: JSONValue?

  /// Creates the parameters of an opening; nil means the default.
  public init(
    _ collection: JSONString, mapping: JSONValue, references: JSONValue? = nil,
    defaults: JSONValue? = nil, policy: JSONString? = nil, offline: Bool? = nil,
    ids: JSONString? = nil,
    options: JSONValue? = nil
  ) {
    self.collection = collection
    self.mapping = mapping
    self.references = references
    self.defaults = defaults
    self.policy = policy
    self.offline = offline
    self.ids = ids
    self.options = options
  }
}

/// A request for a collection.
public enum CollectionRequest: Hashable, Sendable {
  /// Saves complete objects.
  case save([JSONValue])
  /// Loads objects by their ids, with `depth` levels of related objects.
  case load([JSONString], policy: JSONString? = nil, depth: Int64? = nil)
  /// A query as the list of its building steps.
  case query([JSONValue], policy: JSONString? = nil, depth: Int64? = nil)
  /// Counts the objects of a query.
  case count([JSONValue])
  /// Computes an aggregate for each group of the objects of a query.
  case group(
    by: [JSONString], function: JSONString, field: JSONString? = nil, query: [JSONValue]? = nil)
  /// Exactly one of ids, objects and query is set.
  case remove(
    ids: [JSONString]?, objects: [JSONValue]?, query: [JSONValue]?, rule: JSONString? = nil)
}

/// The result of an operation; opening a collection, settings and a crash have none.
public enum CollectionAnswer: Hashable, Sendable {
  /// Success without a value.
  case done
  /// The events of the operation.
  case report(CollectionReport)
  /// Of `inspectClient`.
  case client(ClientState)
  /// Of `migrateObjects`.
  case move(MoveReport)
}

/// All events until the last request was answered, each kind in order and encoded.
public struct CollectionReport: Hashable, Sendable {
  /// The requests with their outcomes.
  public var requests: [JSONValue]
  /// The results of calls.
  public var callbacks: [JSONValue]
  /// The progress of calls.
  public var progress: [JSONValue]
  /// Relations that were loaded in the background.
  public var fills: [JSONValue]
  /// The events of the offline queue.
  public var queue: [JSONValue]

  /// Creates a report; by default without events.
  public init(
    requests: [JSONValue] = [], callbacks: [JSONValue] = [], progress: [JSONValue] = [],
    fills: [JSONValue] = [], queue: [JSONValue] = []
  ) {
    self.requests = requests
    self.callbacks = callbacks
    self.progress = progress
    self.fills = fills
    self.queue = queue
  }
}

/// The pending work of a client.
public struct ClientState: Hashable, Sendable {
  /// The names of the open collections.
  public var collections: [JSONString]
  /// The offline queue, in the order of sending.
  public var queue: [JSONValue]
  /// The settings of the application.
  public var settings: JSONObject

  /// Creates a state.
  public init(
    collections: [JSONString] = [], queue: [JSONValue] = [], settings: JSONObject = JSONObject()
  ) {
    self.collections = collections
    self.queue = queue
    self.settings = settings
  }
}
