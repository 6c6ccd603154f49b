public import Datastore
public import JSON

/// One device that uses collections of a backend: a state machine without clock, socket, thread or
/// chance.
///
/// A call becomes requests, their replies become callbacks. Replies may come in any order, or never.
/// Everything it knows is this value, so an explorer can keep it, put it back, and tell two apart.
///
/// Read `+Saving`, `+Querying`, `+Relations`, `+Removing`, `+Offline`.
///
/// Source: the guide; KinveyKit 1.41.
public struct CollectionClient: Hashable, Sendable {
  struct OpenCollection: Hashable, Sendable {
    var description: CollectionDescription
    var options: CollectionOptions
  }

  /// In the order in which they were opened.
  public private(set) var openCollections: [JSONString] = []
  public internal(set) var cache = CollectionCache()
  public internal(set) var queue = OfflineQueue()
  /// Ids that the backend gave in the place of temporary ones.
  public internal(set) var assignedIDs: [EntityKey: JSONString] = [:]
  /// The number of the call that was made last.
  public private(set) var lastCall: CallNumber = 0

  var collections: [JSONString: OpenCollection] = [:]
  var calls: [CallNumber: Call] = [:]
  /// The requests that save objects, the last for each.
  var latestSaves: [EntityKey: RequestNumber] = [:]
  private var requests: [RequestNumber: Purpose] = [:]
  private var lastRequest: RequestNumber = 0
  /// What the event at hand leads to.
  private var effects: [CollectionEffect] = []

  public init() {}

  /// What a call is waiting for.
  enum Call: Hashable, Sendable {
    case save(SaveCall)
    case query(QueryCall)
    case removal(RemovalCall)
    /// A count, or groups.
    case value
  }

  /// What a request is for.
  enum Purpose: Hashable, Sendable {
    case save(CallNumber, node: Int)
    case query(CallNumber)
    case level(CallNumber, collection: JSONString, ids: [JSONString])
    case removal(CallNumber, RemovalCall.Request)
    case count(CallNumber)
    case group(CallNumber)
    /// Of no call: it was answered already.
    case refresh(collection: JSONString, CollectionQuery)
    case versions(QueriedPart)
    case changes(QueriedPart, [EntityVersion])
    case fill(FilledRelation, CollectionReference, ids: [JSONString])
    case drain
  }

  // MARK: What an application does

  /// Makes a collection known, or changes how it is used.
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

  /// Makes a call, whose number is `lastCall` then.
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
    switch call.spelled(for: open.description) {
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

  /// Takes what came of a request; one that nobody waits for is passed over.
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
    // An answer says that the backend can be reached.
    if case .response(let response) = reply, response.isSuccess, purpose != .drain { startDrain() }
    return take()
  }

  /// Sends what waits in the offline queue.
  public mutating func drain() -> [CollectionEffect] {
    startDrain()
    return take()
  }

  /// The application is gone, and what it waited for; the cache and the queue are on the disk.
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

  /// Ends a call of so many steps.
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
