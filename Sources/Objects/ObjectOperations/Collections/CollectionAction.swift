internal import Datastore
public import JSON

/// What a client of a backend does with its collections; the store that is named is the backend.
///
/// Clients are made when they are first named, and are gone when the store is closed, destroyed or
/// opened again. How objects, queries and results are spelled is said in `Vectors/README.md`.
public enum CollectionAction: Hashable, Sendable {
  /// Something that one client does.
  case client(JSONString, Call)
  /// What the backend asks of the entities of a collection from now on.
  case setRules(collection: JSONString, JSONValue)

  public enum Call: Hashable, Sendable {
    case open(CollectionOpening)
    /// Something that is done with a collection that is open.
    case collection(JSONString, CollectionRequest)
    /// What happens to all requests from now on, and to the next ones before that.
    case setNetwork(state: JSONValue, next: [JSONValue]?)
    /// Sends what waits in the offline queue.
    case drain
    case inspect
    /// Moves objects of a store of objects to collections, or goes on with that.
    case migrate(ObjectMove)
    /// The application dies: what it remembers on the disk is all that is left.
    case crash
    /// Puts settings of the application in the place of all that it had.
    case setSettings(JSONValue)
  }

  /// The name of the operation as JSON spells it.
  public var name: String {
    switch self {
    case .setRules: "setBackendRules"
    case .client(_, .open): "openCollection"
    case .client(_, .setNetwork): "setNetwork"
    case .client(_, .drain): "drainQueue"
    case .client(_, .inspect): "inspectClient"
    case .client(_, .migrate): "migrateObjects"
    case .client(_, .crash): "crashClient"
    case .client(_, .setSettings): "setSettings"
    case .client(_, .collection(_, let request)): request.name
    }
  }
}

/// A collection and how a client uses it; what is misspelt is the answer of the operation.
public struct CollectionOpening: Hashable, Sendable {
  public var collection: JSONString
  /// Fields by the names of properties; one of them is `_id`.
  public var mapping: JSONValue
  /// What properties lead to, by their names.
  public var references: JSONValue?
  /// What loaded objects have where a field is missing, by the names of properties.
  public var defaults: JSONValue?
  public var policy: JSONString?
  public var offline: Bool?
  public var ids: JSONString?
  public var options: JSONValue?

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

/// Something that is asked of a collection.
public enum CollectionRequest: Hashable, Sendable {
  case save([JSONValue])
  case load([JSONString], policy: JSONString? = nil, depth: Int64? = nil)
  /// A query is the list of the steps in which it is built.
  case query([JSONValue], policy: JSONString? = nil, depth: Int64? = nil)
  case count([JSONValue])
  case group(
    by: [JSONString], function: JSONString, field: JSONString? = nil, query: [JSONValue]? = nil)
  /// One of ids, objects and query.
  case remove(
    ids: [JSONString]?, objects: [JSONValue]?, query: [JSONValue]?, rule: JSONString? = nil)

  var name: String {
    switch self {
    case .save: "saveToCollection"
    case .load: "loadFromCollection"
    case .query: "queryCollection"
    case .count: "countInCollection"
    case .group: "groupInCollection"
    case .remove: "removeFromCollection"
    }
  }
}

/// What comes of it; opening a collection, setting something and dying have nothing to say.
public enum CollectionAnswer: Hashable, Sendable {
  case done
  case report(CollectionReport)
  case client(ClientState)
  case move(MoveReport)
}

/// All that was seen until the last request was answered, each in its order and spelled.
public struct CollectionReport: Hashable, Sendable {
  public var requests: [JSONValue]
  public var callbacks: [JSONValue]
  public var progress: [JSONValue]
  /// Relations that were loaded in the background.
  public var fills: [JSONValue]
  /// What happened to what waits in the offline queue.
  public var queue: [JSONValue]

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

/// What a client has to do yet.
public struct ClientState: Hashable, Sendable {
  public var collections: [JSONString]
  /// What waits, in the order in which it is sent.
  public var queue: [JSONValue]
  /// What the application has noted.
  public var settings: JSONObject

  public init(
    collections: [JSONString] = [], queue: [JSONValue] = [], settings: JSONObject = JSONObject()
  ) {
    self.collections = collections
    self.queue = queue
    self.settings = settings
  }
}
