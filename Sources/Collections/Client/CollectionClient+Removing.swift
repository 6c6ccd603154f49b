internal import JSON

// Removals. A step begins when the one before has succeeded as a whole: what is around the objects is
// settled before they go. A failure leaves what was done; the error says where it stopped.

extension CollectionClient {
  mutating func remove(_ target: RemovalTarget, _ rule: RemovalRule, in open: OpenCollection) {
    let call = lastCall
    let name = open.description.name
    switch target {
    case .ids(let ids):
      begin(RemovalCall(name, rule, objects: nil), ids, call)
    case .objects(let objects):
      let failures = objects.enumerated().filter { $1.id == nil }.map { index, object in
        ObjectFailure(
          collection: name, index: Int64(index), id: nil, reason: .withoutID,
          message: "it has no id")
      }
      guard failures.isEmpty else {
        return fail(
          call, CollectionError(.withoutID, "an object has no id", failures: failures))
      }
      var removal = RemovalCall(name, rule, objects: objects)
      if rule == .cascading {
        removal.front = objects.map { object in
          let entity = open.description.entity(of: object) { reference in
            object.related[reference.relation]?.compactMap { $0.id } ?? []
          }
          return RemovalCall.Pair(collection: name, entity: entity)
        }
      }
      begin(removal, objects.compactMap { $0.id }, call)
    case .query(let query):
      calls[call] = .removal(RemovalCall(name, rule, objects: nil))
      if rule == .only {
        let everything: JSONObject = ["query": query.filter.json]
        send(.delete, name, parameters: everything, for: .removal(call, .removeAll))
      } else {
        send(.get, name, parameters: query.parameters, for: .removal(call, .find))
      }
    }
  }

  /// Begins to remove objects of which the ids are known.
  private mutating func begin(_ removal: RemovalCall, _ ids: [Text], _ call: CallNumber) {
    var removal = removal
    let name = removal.collection
    removal.ids = ids.map { assignedIDs[EntityKey(name, $0)] ?? $0 }.distinct
    for id in removal.ids { removal.met.insert(EntityKey(name, id)) }
    guard !removal.ids.isEmpty else { return conclude(removal, call) }
    let batch = Int(clamping: collections[name]?.options.removalBatch ?? 1)
    removal.steps = (removal.ids.count + batch - 1) / batch + (removal.rule == .only ? 0 : 2)
    switch removal.rule {
    case .only: removeObjects(removal, call)
    case .nilling: findOwners(removal, call)
    case .cascading:
      guard removal.front.isEmpty, leadsFarther(name) else { return follow(removal, call) }
      let group = RemovalCall.Group(collection: name, ids: removal.ids)
      load([group], removal, call)
    }
  }

  mutating func removed(
    _ reply: BackendReply, _ request: RemovalCall.Request, of call: CallNumber
  ) {
    guard case .removal(var removal)? = calls[call] else { return }
    removal.waiting -= 1
    switch request {
    case .find:
      switch Self.entities(reply) {
      case .success(let entities):
        if removal.rule == .cascading {
          removal.front = entities.map {
            RemovalCall.Pair(collection: removal.collection, entity: $0)
          }
        }
        begin(removal, entities.compactMap { $0[EntityField.id]?.textValue }, call)
      case .failure(let error): fail(call, error)
      }
    case .follow(let group): followed(reply, group, &removal, call)
    case .findOwners(let collection): foundOwners(reply, collection, &removal, call)
    case .releaseOwner(let key, let entity):
      if case .success = reply.result, let options = collections[key.collection]?.options {
        remember(entity, key, options)
      }
      note(reply, in: &removal)
      endStep(removal, call) { $0.removeObjects($1, call) }
    case .removeRelated(let group):
      if case .success = reply.result {
        for id in group.ids { cache.forget(EntityKey(group.collection, id)) }
      }
      note(reply, in: &removal)
      endStep(removal, call) { $0.removeFarthest($1, call) }
    case .remove(let ids): removedObjects(reply, ids, &removal, call)
    case .removeAll:
      switch reply.result {
      case .success(let body): finish(call, .count(body.count))
      case .failure(let error): fail(call, error)
      }
    }
  }

  /// Notes why a request of a step failed.
  private func note(_ reply: BackendReply, in removal: inout RemovalCall) {
    if case .failure(let error) = reply.result { removal.error = removal.error ?? error }
  }

  /// Goes on when all requests of a step are answered, unless one failed.
  private mutating func endStep(
    _ removal: RemovalCall, _ call: CallNumber,
    _ next: (inout CollectionClient, RemovalCall) -> Void
  ) {
    calls[call] = .removal(removal)
    guard removal.waiting == 0 else { return }
    guard let error = removal.error else { return next(&self, removal) }
    fail(call, error, steps: removal.steps)
  }

  // MARK: What leads to the objects

  private mutating func findOwners(_ removal: RemovalCall, _ call: CallNumber) {
    var removal = removal
    for name in openCollections {
      let fields = fields(of: name, leadingTo: removal.collection)
      guard !fields.isEmpty else { continue }
      let ids = removal.ids.map { JSONValue.string($0) }
      let parts = fields.map { CollectionFilter([.field($0, .meets([.isIn(ids)]))]) }
      let filter = parts.count == 1 ? parts[0] : CollectionFilter([.any(parts)])
      removal.waiting += 1
      send(
        .get, name, parameters: CollectionQuery(filter).parameters,
        for: .removal(call, .findOwners(collection: name)))
    }
    guard removal.waiting == 0 else {
      calls[call] = .removal(removal)
      return
    }
    removeObjects(removal, call)
  }

  private func fields(of collection: Text, leadingTo other: Text) -> [Text] {
    collections[collection]?.description.properties
      .filter { $0.reference?.collection == other }.map { $0.field } ?? []
  }

  private mutating func foundOwners(
    _ reply: BackendReply, _ collection: Text, _ removal: inout RemovalCall, _ call: CallNumber
  ) {
    switch Self.entities(reply) {
    case .success(let entities):
      removal.front += entities.map { RemovalCall.Pair(collection: collection, entity: $0) }
    case .failure(let error): removal.error = removal.error ?? error
    }
    endStep(removal, call) { $0.releaseOwners($1, call) }
  }

  /// Saves the objects that were found without the ids of what is removed.
  private mutating func releaseOwners(_ removal: RemovalCall, _ call: CallNumber) {
    var removal = removal
    removal.done = 1
    progress(call, removal.done, of: removal.steps)
    let gone = Set(removal.ids)
    for owner in removal.front {
      guard let id = owner.entity[EntityField.id]?.textValue,
        !removal.met.contains(EntityKey(owner.collection, id))
      else { continue }
      var entity = owner.entity
      for field in fields(of: owner.collection, leadingTo: removal.collection) {
        entity[field] = entity[field]?.without(gone)
      }
      removal.waiting += 1
      send(
        .put, owner.collection, path: id, body: .object(entity),
        for: .removal(call, .releaseOwner(EntityKey(owner.collection, id), entity)))
    }
    removal.front = []
    endStep(removal, call) { $0.removeObjects($1, call) }
  }

  // MARK: What the objects lead to

  private func cascading(_ collection: Text) -> [Reference] {
    collections[collection]?.description.properties
      .compactMap { $0.reference }.filter { $0.cascades } ?? []
  }

  private func leadsFarther(_ collection: Text) -> Bool { !cascading(collection).isEmpty }

  private mutating func load(
    _ groups: [RemovalCall.Group], _ removal: RemovalCall, _ call: CallNumber
  ) {
    var removal = removal
    removal.waiting = groups.count
    calls[call] = .removal(removal)
    for group in groups {
      send(
        .get, group.collection, parameters: CollectionQuery.ids(group.ids).parameters,
        for: .removal(call, .follow(group)))
    }
  }

  private mutating func followed(
    _ reply: BackendReply, _ group: RemovalCall.Group, _ removal: inout RemovalCall,
    _ call: CallNumber
  ) {
    switch Self.entities(reply) {
    case .success(let entities):
      removal.front += Self.ordered(entities, by: group.ids)
        .map { RemovalCall.Pair(collection: group.collection, entity: $0) }
    case .failure(let error): removal.error = removal.error ?? error
    }
    endStep(removal, call) { $0.follow($1, call) }
  }

  /// Makes the next level of what the last one leads to, and loads what leads farther.
  private mutating func follow(_ removal: RemovalCall, _ call: CallNumber) {
    var removal = removal
    var level: [RemovalCall.Group] = []
    for pair in removal.front {
      guard let description = collections[pair.collection]?.description else { continue }
      for reference in cascading(pair.collection) {
        let ids = description.ids(reference, in: pair.entity)
          .filter { removal.met.insert(EntityKey(reference.collection, $0)).inserted }
        guard !ids.isEmpty else { continue }
        if let place = level.firstIndex(where: { $0.collection == reference.collection }) {
          level[place].ids += ids
        } else {
          level.append(RemovalCall.Group(collection: reference.collection, ids: ids))
        }
      }
    }
    removal.front = []
    if !level.isEmpty { removal.levels.append(level) }
    let next = level.filter { leadsFarther($0.collection) }
    guard next.isEmpty else { return load(next, removal, call) }
    removal.done = 1
    progress(call, removal.done, of: removal.steps)
    removeFarthest(removal, call)
  }

  private mutating func removeFarthest(_ removal: RemovalCall, _ call: CallNumber) {
    var removal = removal
    guard let level = removal.levels.popLast() else { return removeObjects(removal, call) }
    for group in level {
      let batch = Int(clamping: collections[group.collection]?.options.removalBatch ?? 100)
      for ids in group.ids.chunks(of: batch) {
        let part = RemovalCall.Group(collection: group.collection, ids: ids)
        removal.waiting += 1
        sendRemoval(part, for: .removal(call, .removeRelated(part)))
      }
    }
    calls[call] = .removal(removal)
  }

  private mutating func sendRemoval(_ group: RemovalCall.Group, for purpose: Purpose) {
    if group.ids.count == 1 {
      send(.delete, group.collection, path: group.ids[0], for: purpose)
    } else {
      send(
        .delete, group.collection, parameters: CollectionQuery.ids(group.ids).parameters,
        for: purpose)
    }
  }

  // MARK: The objects

  private mutating func removeObjects(_ removal: RemovalCall, _ call: CallNumber) {
    var removal = removal
    if removal.rule != .only {
      removal.done = 2
      progress(call, removal.done, of: removal.steps)
    }
    let name = removal.collection
    // The backend has never seen these.
    for id in removal.ids where id.isTemporary {
      let key = EntityKey(name, id)
      if queue[key] != nil { emit(.queue(QueueEvent(.dropped, key))) }
      forget(key, in: &removal)
    }
    let ids = removal.ids.filter { !$0.isTemporary }
    let batch = Int(clamping: collections[name]?.options.removalBatch ?? 1)
    let parts = ids.chunks(of: batch)
    removal.waiting = parts.count
    for ids in parts {
      let part = RemovalCall.Group(collection: name, ids: ids)
      sendRemoval(part, for: .removal(call, .remove(ids)))
    }
    guard removal.waiting > 0 else { return conclude(removal, call) }
    calls[call] = .removal(removal)
  }

  private mutating func forget(_ key: EntityKey, in removal: inout RemovalCall) {
    removal.removedIDs.insert(key.id)
    removal.removedCount += 1
    queue.remove(key)
    cache.forget(key)
  }

  private mutating func removedObjects(
    _ reply: BackendReply, _ ids: [Text], _ removal: inout RemovalCall, _ call: CallNumber
  ) {
    switch reply.result {
    case .success(let body):
      let count = removal.removedCount
      for id in ids { forget(EntityKey(removal.collection, id), in: &removal) }
      removal.removedCount = count + body.count
    case .failure(let error):
      removal.error = removal.error ?? error
      let isOffline = collections[removal.collection]?.options.isOffline ?? false
      if case .failure(let failure) = reply, failure.queues, isOffline {
        for id in ids {
          let key = EntityKey(removal.collection, id)
          queue.put(OfflineQueue.Entry(key: key, operation: .remove))
          cache.forget(key)
          emit(.queue(QueueEvent(.queued, key)))
        }
        removal.queued += ids
      }
      removal.failed += ids.map { RemovalCall.FailedID(id: $0, error: error) }
    }
    removal.done += 1
    guard removal.waiting == 0 else {
      progress(call, removal.done, of: removal.steps)
      calls[call] = .removal(removal)
      return
    }
    conclude(removal, call)
  }

  private mutating func conclude(_ removal: RemovalCall, _ call: CallNumber) {
    let name = removal.collection
    let objects = removal.objects?.map { object in
      var object = object
      let id = object.id.map { assignedIDs[EntityKey(name, $0)] ?? $0 }
      if let id, removal.removedIDs.contains(id) { object.isDeleted = true }
      return object
    }
    guard var error = removal.error else {
      let result = objects.map { CollectionCallback.Result.objects($0) }
      return finish(call, result ?? .count(removal.removedCount), steps: removal.steps)
    }
    error.queued = removal.queued
    if !(collections[name]?.options.practice.tellsOneError ?? false) {
      error.failures = removal.failed.map { failed in
        ObjectFailure(
          collection: name, index: objects?.firstIndex { $0.id == failed.id }.map { Int64($0) },
          id: failed.id, reason: failed.error.reason, message: failed.error.message)
      }
      error.succeeded = objects?.filter { $0.isDeleted } ?? []
    }
    fail(call, error, steps: removal.steps)
  }
}

extension RelatedObject {
  fileprivate var id: Text? {
    switch self {
    case .id(let id): id
    case .object(let object): object.id
    case .tag: nil
    }
  }
}

extension JSONValue {
  /// How many entities an answer says were removed, or there are.
  var count: Int64 { objectValue?["count"]?.integerValue ?? 0 }

  /// The ids of a field without some.
  fileprivate func without(_ gone: Set<Text>) -> JSONValue? {
    switch self {
    case .string(let id): gone.contains(id) ? nil : self
    case .array(let elements):
      .array(elements.filter { $0.textValue.map { !gone.contains($0) } ?? true })
    default: self
    }
  }
}

extension Array {
  func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
