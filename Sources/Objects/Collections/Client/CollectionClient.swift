public import Datastore
public import JSON

/// One device that uses collections of a backend: a deterministic state machine without clock,
/// sockets or threads.
///
/// A call becomes requests, and their replies become callbacks. Replies may arrive in any order, or
/// never. The complete state is this value, so an explorer can store, restore and compare clients.
///
/// Read `+Saving`, `+Querying`, `+Relations`, `+Removing`, `+Offline`.
///
/// Source: the guide; KinveyKit 1.41.
public struct CollectionClient: Hashable, Sendable {
  struct OpenCollection: Hashable, Sendable {
    var description: CollectionDescription
    var options: CollectionOptions
  }

  /// The collections in the order in which they were opened.
  public private(set) var openCollections: [JSONString] = []
  /// The cache, which survives a crash.
  public internal(set) var cache = CollectionCache()
  /// The offline queue, which survives a crash.
  public internal(set) var queue = OfflineQueue()
  /// Permanent ids that the backend assigned, by temporary id.
  public internal(set) var assignedIDs: [EntityKey: JSONString] = [:]
  /// The number of the last call.
  public private(set) var lastCall: CallNumber = 0

  var collections: [JSONString: OpenCollection] = [:]
  var calls: [CallNumber: Call] = [:]
  /// The latest save request of each object.
  var latestSaves: [EntityKey: RequestNumber] = [:]
  private var requests: [RequestNumber: Purpose] = [:]
  private var lastRequest: RequestNumber = 0
  /// The effects of the current event.
  private var effects: [CollectionEffect] = []

  /// Creates a client without open collections.
  public init() {}

  /// The state of a call.
  enum Call: Hashable, Sendable {
    case save(SaveCall)
    case query(QueryCall)
    case removal(RemovalCall)
    /// A count, or groups.
    case value
  }

  /// The purpose of a request.
  enum Purpose: Hashable, Sendable {
    case save(CallNumber, node: Int)
    case query(CallNumber)
    case level(CallNumber, collection: JSONString, ids: [JSONString])
    case removal(CallNumber, RemovalCall.Request)
    case count(CallNumber)
    case group(CallNumber)
    /// A refresh for a call that was already answered.
    case refresh(collection: JSONString, CollectionQuery)
    case versions(QueriedPart)
    case changes(QueriedPart, [EntityVersion])
    case fill(FilledRelation, CollectionReference, ids: [JSONString])
    case drain
  }

  // MARK: Calls of the application

  /// Opens a collection, or changes its options.
  public mutating func open(
    _ description: CollectionDescription, _ options: CollectionOptions = CollectionOptions()
  ) {
    if collections[description.name] == nil { openCollections.append(description.name) }
    collections[description.name] = OpenCollection(description: description, options: options)
  }

  /// The description of an open collection.
  public func description(of collection: JSONString) -> CollectionDescription? {
    collections[collection]?.description
  }

  /// Makes a call; its number is then in `lastCall`.
  public mutating func perform(
    _ call: CollectionCall, on collection: JSONString, _ environment: RunEnvironment
  ) -> [CollectionEffect] {
    lastCall += 1
    guard let open = collections[collection] else {
      fail(lastCall, .notOpen(collection))
      return take()
    }
    if let error = call.refusal(by: open.description) {
      fail(lastCall, error)
      return take()
    }
    switch call.encoded(for: open.description) {
    case .save(let objects): save(objects, in: open, environment)
    case .load(let ids, let policy, let depth):
      let ids = ids.map { assignedIDs[EntityKey(collection, $0)] ?? $0 }.distinct
      query(QueryCall(open, CollectionQuery.ids(ids), ids: ids, policy: policy, depth: depth))
    case .query(let query, let policy, let depth):
      self.query(QueryCall(open, query, ids: nil, policy: policy, depth: depth))
    case .count(let query): count(query, in: open)
    case .group(let request): group(request, in: open)
    case .remove(let target, let rule): remove(target, rule, in: open)
    }
    return take()
  }

  /// Processes the reply to a request; a reply that the client no longer waits for is ignored.
  public mutating func receive(
    _ reply: BackendReply, to request: RequestNumber, _ environment: RunEnvironment
  ) -> [CollectionEffect] {
    guard let purpose = requests.removeValue(forKey: request) else { return [] }
    switch purpose {
    case .save(let call, let node): saved(reply, node, of: call, environment: environment)
    case .query(let call): queried(Self.entities(reply), of: call)
    case .level(let call, let collection, let ids):
      levelLoaded(reply, of: call, collection, ids: ids)
    case .removal(let call, let request): removed(reply, request, of: call)
    case .count(let call): counted(reply, of: call)
    case .group(let call): grouped(reply, of: call)
    case .refresh(let collection, let query):
      refreshed(Self.entities(reply), query, in: collection)
    case .versions(let part): versionsTold(reply, of: part)
    case .changes(let part, let versions): changesLoaded(reply, of: part, versions)
    case .fill(let relation, let reference, let ids):
      filled(reply, relation, reference: reference, ids: ids)
    case .drain: drained(reply)
    }
    // A successful response shows that the backend can be reached.
    if case .response(let response) = reply, response.isSuccess, purpose != .drain { startDrain() }
    return take()
  }

  /// Sends the entries of the offline queue.
  public mutating func drain() -> [CollectionEffect] {
    startDrain()
    return take()
  }

  /// Ends the application with all its pending calls; the cache and the queue are persistent.
  public mutating func crash() {
    calls = [:]
    requests = [:]
    latestSaves = [:]
    queue.current = nil
    queue.remaining = []
  }

  /// Requests without a reply, in the order in which they were sent.
  public var outstandingRequests: [RequestNumber] { requests.keys.sorted() }

  // MARK: Effects

  mutating func emit(_ effect: CollectionEffect) { effects.append(effect) }

  private mutating func take() -> [CollectionEffect] {
    defer { effects = [] }
    return effects
  }

  @discardableResult
  mutating func send(
    _ method: BackendRequest.Method, _ collection: JSONString, path: JSONString? = nil,
    parameters: JSONObject = JSONObject(), body: JSONValue? = nil, for purpose: Purpose
  ) -> RequestNumber {
    lastRequest += 1
    requests[lastRequest] = purpose
    emit(
      .send(
        BackendRequest(
          lastRequest, method, collection: collection, path: path, parameters: parameters,
          body: body)))
    return lastRequest
  }

  /// Ends a call with this number of steps.
  mutating func finish(
    _ call: CallNumber, _ result: CollectionCallback.Result, steps: Int = 1
  ) {
    finish(CollectionCallback(call, result), steps: steps)
  }

  mutating func finish(_ callback: CollectionCallback, steps: Int) {
    calls[callback.call] = nil
    progress(callback.call, steps, of: steps)
    emit(.callBack(callback))
  }

  mutating func fail(_ call: CallNumber, _ error: CollectionError, steps: Int = 1) {
    finish(call, .error(error), steps: steps)
  }

  mutating func progress(_ call: CallNumber, _ done: Int, of total: Int) {
    emit(.progress(call, CollectionProgress(done: Int64(done), total: Int64(total))))
  }
}
