internal import Datastore
internal import JSON

// Queries and loads by id, with the cache policies.
//
// A cached result is a hit if it contains an object; only `localOnly` accepts an empty one. A
// response of the backend is delivered unchanged, and cached except for objects with a pending
// save.

extension CollectionClient {
  mutating func query(_ query: QueryCall) {
    let call = lastCall
    if let ids = query.ids, ids.isEmpty { return finish(call, .objects([])) }
    let remembered = remembered(query)
    let hit = remembered.flatMap { $0.isEmpty ? nil : $0 }
    switch policy(of: query) {
    case .localOnly:
      guard let remembered else { return fail(call, .notInCache) }
      return deliver(remembered, of: query, call, isFromCache: true)
    case .localFirst:
      if let hit {
        deliver(hit, of: query, call, isFromCache: true)
        let refresh = Purpose.refresh(collection: query.collection, query.query)
        return request(query, for: refresh)
      }
    case .both:
      if let hit { deliver(hit, of: query, call, isFromCache: true, isLast: false) }
    case .none, .networkFirst: break
    }
    calls[call] = .query(query)
    request(query, for: .query(call))
  }

  /// The policy of a query; objects that the backend does not have yet are read from the cache
  /// only.
  private func policy(of query: QueryCall) -> CachePolicy {
    query.ids?.contains { $0.isTemporary } ?? false ? .localOnly : query.policy
  }

  private mutating func request(_ query: QueryCall, for purpose: Purpose) {
    let options = collections[query.collection]?.options
    if query.ids == nil, query.policy != .none, options?.loadsChangesOnly ?? false {
      askForVersions(of: query, for: purpose)
    } else if let ids = query.ids, ids.count == 1 {
      send(.get, query.collection, path: ids[0], for: purpose)
    } else {
      send(.get, query.collection, parameters: query.query.parameters, for: purpose)
    }
  }

  // MARK: Cache

  /// The cached result; nil if it is incomplete.
  private func remembered(_ query: QueryCall) -> [JSONObject]? {
    guard let ids = query.ids else { return cache.result(of: query.query, in: query.collection) }
    let entities = ids.compactMap { cache[EntityKey(query.collection, $0)] }
    return entities.count == ids.count ? entities : nil
  }

  /// Caches a response; queued objects are newer than it.
  mutating func remember(
    _ entities: [JSONObject], of query: CollectionQuery?, in collection: JSONString
  ) {
    for entity in entities {
      guard let id = entity[EntityField.id]?.textValue else { continue }
      let key = EntityKey(collection, id)
      if queue[key] == nil { cache[key] = entity }
    }
    if let query { cache.remember(entities, of: query, in: collection) }
  }

  // MARK: Responses

  mutating func queried(
    _ answer: Result<[JSONObject], CollectionError>, of call: CallNumber
  ) {
    guard case .query(var query)? = calls[call] else { return }
    switch answer {
    case .success(let entities):
      if query.policy != .none { remember(entities, of: query.query, in: query.collection) }
      query.roots = query.ids.map { Self.ordered(entities, by: $0) } ?? entities
      for entity in query.roots {
        guard let id = entity[EntityField.id]?.textValue else { continue }
        let key = EntityKey(query.collection, id)
        query.front.append(key)
        query.loaded[key] = entity
      }
      loadNextLevel(query, call)
    case .failure(let error): failed(query, call, error: error)
    }
  }

  /// Answers a call from the cache after a missing response.
  private mutating func failed(
    _ query: QueryCall, _ call: CallNumber, error: CollectionError
  ) {
    evict(query.query, in: query.collection)
    if query.policy == .networkFirst, case .network = error.reason {
      guard let remembered = remembered(query), !remembered.isEmpty else {
        return fail(call, .notInCache, steps: query.total)
      }
      return deliver(remembered, of: query, call, isFromCache: true)
    }
    fail(call, error, steps: query.total)
  }

  private mutating func evict(_ query: CollectionQuery, in collection: JSONString) {
    guard collections[collection]?.options.quirks.evictsOnError ?? false else { return }
    cache.evict(query, in: collection)
  }

  mutating func refreshed(
    _ answer: Result<[JSONObject], CollectionError>, _ query: CollectionQuery,
    in collection: JSONString
  ) {
    switch answer {
    case .success(let entities): remember(entities, of: query, in: collection)
    case .failure: evict(query, in: collection)
    }
  }

  /// The entities of a response: one for a load by a single id, otherwise a list.
  static func entities(_ reply: BackendReply) -> Result<[JSONObject], CollectionError> {
    reply.result.flatMap { body in
      if let entity = body.objectValue { return .success([entity]) }
      let entities = body.arrayValue?.compactMap { $0.objectValue }
      guard let entities, entities.count == body.arrayValue?.count else {
        return .failure(CollectionError(.badAnswer, "the response contains no entities"))
      }
      return .success(entities)
    }
  }

  /// The entities in the order of their ids, each once; the order of the backend is unspecified.
  static func ordered(_ entities: [JSONObject], by ids: [JSONString]) -> [JSONObject] {
    let byID = Dictionary(
      entities.compactMap { entity in entity[EntityField.id]?.textValue.map { ($0, entity) } }
    ) { first, _ in first }
    return ids.distinct.compactMap { byID[$0] }
  }

  // MARK: Levels of related objects

  /// Requests the references of the entities of the last level, once for each collection.
  private mutating func loadNextLevel(_ query: QueryCall, _ call: CallNumber) {
    var query = query
    while query.level < query.depth {
      query.level += 1
      progress(call, Int(query.level), of: query.total)
      let wanted = references(from: query.front, of: query)
      query.front = []
      guard !wanted.isEmpty else { continue }
      query.waiting = wanted.count
      calls[call] = .query(query)
      for (collection, ids) in wanted {
        send(
          .get, collection, parameters: CollectionQuery.ids(ids).parameters,
          for: .level(call, collection: collection, ids: ids))
      }
      return
    }
    deliver(query.roots, of: query, call, isFromCache: false)
  }

  /// The ids that entities refer to and that are not loaded, by collection, in the order of their
  /// occurrence.
  private func references(
    from front: [EntityKey], of query: QueryCall
  ) -> [(collection: JSONString, ids: [JSONString])] {
    var wanted: [(collection: JSONString, ids: [JSONString])] = []
    var met: Set<EntityKey> = []
    for key in front {
      guard let entity = query.loaded[key], let open = collections[key.collection] else { continue }
      for reference in open.description.properties.compactMap({ $0.reference })
      where collections[reference.collection] != nil {
        for id in open.description.ids(reference, in: entity) {
          let end = EntityKey(reference.collection, id)
          guard query.loaded[end] == nil, met.insert(end).inserted else { continue }
          if let place = wanted.firstIndex(where: { $0.collection == end.collection }) {
            wanted[place].ids.append(id)
          } else {
            wanted.append((end.collection, [id]))
          }
        }
      }
    }
    return wanted
  }

  mutating func levelLoaded(
    _ reply: BackendReply, of call: CallNumber, _ collection: JSONString, ids: [JSONString]
  ) {
    guard case .query(var query)? = calls[call] else { return }
    var answer = Self.entities(reply)
    if query.policy != .none {
      if case .success(let entities) = answer {
        remember(entities, of: nil, in: collection)
      } else if case .failure = reply {
        // If all of them are cached, the cache replaces the response.
        let remembered = ids.compactMap { cache[EntityKey(collection, $0)] }
        if remembered.count == ids.count { answer = .success(remembered) }
      }
    }
    switch answer {
    case .success(let entities):
      for entity in Self.ordered(entities, by: ids) {
        guard let id = entity[EntityField.id]?.textValue else { continue }
        query.loaded[EntityKey(collection, id)] = entity
        query.front.append(EntityKey(collection, id))
      }
      query.waiting -= 1
      calls[call] = .query(query)
      if query.waiting == 0 { loadNextLevel(query, call) }
    case .failure(let error):
      fail(call, error, steps: query.total)
    }
  }
}
