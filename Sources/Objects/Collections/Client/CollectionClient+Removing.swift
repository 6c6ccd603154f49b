internal import JSON

// Removals. A step starts after the previous one has succeeded completely: related objects are
// updated before the removal. After a failure the completed steps remain; the error states where it
// stopped.

extension CollectionClient {
  mutating func remove(_ target: RemovalTarget, _ rule: RemovalRule, in open: OpenCollection) {
    let call = lastCall
    let name = open.description.name
    switch target {
    case .ids(let ids):
      begin(RemovalCall(name, rule, objects: nil), ids, call: call)
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
      begin(removal, objects.compactMap { $0.id }, call: call)
    case .query(let query):
      var removal = RemovalCall(name, rule, objects: nil)
      removal.waiting = 1
      calls[call] = .removal(removal)
      if rule == .only {
        let everything: JSONObject = ["query": query.filter.json]
        send(.delete, name, parameters: everything, for: .removal(call, .removeAll))
      } else {
        send(
          .get, name, parameters: CollectionQuery(query.filter).parameters,
          for: .removal(call, .find))
      }
    }
  }

  /// Starts the removal of objects with known ids.
  private mutating func begin(_ removal: RemovalCall, _ ids: [JSONString], call: CallNumber) {
    var removal = removal
    let name = removal.collection
    removal.ids = ids.map { assignedIDs[EntityKey(name, $0)] ?? $0 }.distinct
    for id in removal.ids { removal.met.insert(EntityKey(name, id)) }
    guard !removal.ids.isEmpty else { return conclude(removal, call) }
    let batch = Int(clamping: collections[name]?.options.removalBatch ?? 1)
    removal.steps = removal.ids.count.quotientRoundedUp(batch) + (removal.rule == .only ? 0 : 2)
    switch removal.rule {
    case .only: removeObjects(removal, call)
    case .nilling: findOwners(removal, call)
    case .cascading:
      guard removal.front.isEmpty, leadsFarther(name) else { return follow(removal, call) }
      let group = RemovalCall.Group(collection: name, ids: removal.ids)
      load([group], removal, call: call)
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
        begin(removal, entities.compactMap { $0[EntityField.id]?.textValue }, call: call)
      case .failure(let error): fail(call, error)
      }
    case .follow(let group): followed(reply, group, removal: &removal, call: call)
    case .findOwners(let collection): foundOwners(reply, collection, removal: &removal, call: call)
    case .releaseOwner(let key, let entity):
      if case .success = reply.result, let options = collections[key.collection]?.options {
        remember(entity, key, options: options)
      }
      record(reply, in: &removal)
      endStep(removal, call) { $0.removeObjects($1, call) }
    case .removeRelated(let group):
      // An object that does not exist need not be removed.
      switch reply.result {
      case .failure(let error) where error.code != 404: record(reply, in: &removal)
      case .success, .failure:
        for id in group.ids { cache.forget(EntityKey(group.collection, id)) }
      }
      endStep(removal, call) { $0.removeFarthest($1, call) }
    case .remove(let ids): removedObjects(reply, ids, removal: &removal, call: call)
    case .removeAll:
      switch reply.result {
      case .success(let body): finish(call, .count(body.count))
      case .failure(let error): fail(call, error)
      }
    }
  }

  /// Records the failure of a request of a step.
  func record(_ reply: BackendReply, in removal: inout RemovalCall) {
    if case .failure(let error) = reply.result { removal.error = removal.error ?? error }
  }

  /// Continues after all requests of a step are answered, unless one failed.
  mutating func endStep(
    _ removal: RemovalCall, _ call: CallNumber,
    next: (inout CollectionClient, RemovalCall) -> Void
  ) {
    calls[call] = .removal(removal)
    guard removal.waiting == 0 else { return }
    guard let error = removal.error else { return next(&self, removal) }
    fail(call, error, steps: removal.steps)
  }

  mutating func sendRemoval(_ group: RemovalCall.Group, for purpose: Purpose) {
    if group.ids.count == 1 {
      send(.delete, group.collection, path: group.ids[0], for: purpose)
    } else {
      send(
        .delete, group.collection, parameters: CollectionQuery.ids(group.ids).parameters,
        for: purpose)
    }
  }

  // MARK: The objects

  mutating func removeObjects(_ removal: RemovalCall, _ call: CallNumber) {
    var removal = removal
    if removal.rule != .only {
      removal.done = 2
      progress(call, removal.done, of: removal.steps)
    }
    let name = removal.collection
    // The backend does not have these objects.
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
    _ reply: BackendReply, _ ids: [JSONString], removal: inout RemovalCall, call: CallNumber
  ) {
    switch reply.result {
    case .success(let body):
      let count = removal.removedCount
      for id in ids { forget(EntityKey(removal.collection, id), in: &removal) }
      removal.removedCount = count + body.count
    case .failure(let error):
      removal.error = removal.error ?? error
      if case .failure(let failure) = reply, failure.queues,
        let options = collections[removal.collection]?.options, options.isOffline
      {
        for id in ids { enqueue(id, options, removal: &removal, call: call) }
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

  private mutating func enqueue(
    _ id: JSONString, _ options: CollectionOptions, removal: inout RemovalCall, call: CallNumber
  ) {
    let key = EntityKey(removal.collection, id)
    let entry = OfflineQueue.Entry(key: key, operation: .remove, call: call)
    guard !options.delegate.declinesQueueing.contains(entry) else {
      return emit(.queue(QueueEvent(.declined, key)))
    }
    queue.put(entry)
    cache.forget(key)
    emit(.queue(QueueEvent(.queued, key)))
    removal.queued.append(id)
  }

  private mutating func conclude(_ removal: RemovalCall, _ call: CallNumber) {
    let name = removal.collection
    // An object may still have its temporary id.
    let ids = removal.objects?.map { object in
      object.id.map { assignedIDs[EntityKey(name, $0)] ?? $0 }
    }
    let objects = removal.objects?.enumerated().map { index, object in
      var object = object
      if let id = ids?[index], removal.removedIDs.contains(id) { object.isDeleted = true }
      return object
    }
    guard var error = removal.error else {
      let result = objects.map { CollectionCallback.Result.objects($0) }
      return finish(call, result ?? .count(removal.removedCount), steps: removal.steps)
    }
    error.queued = removal.queued
    if !(collections[name]?.options.quirks.tellsOneError ?? false) {
      error.failures = removal.failed.map { failed in
        ObjectFailure(
          collection: name, index: ids?.firstIndex { $0 == failed.id }.map { Int64($0) },
          id: failed.id, reason: failed.error.reason, message: failed.error.message)
      }
      error.succeeded = objects?.filter { $0.isDeleted } ?? []
    }
    fail(call, error, steps: removal.steps)
  }
}

extension RelatedObject {
  fileprivate var id: JSONString? {
    switch self {
    case .id(let id): id
    case .object(let object): object.id
    case .tag: nil
    }
  }
}

extension JSONValue {
  /// The number of removed or existing entities in a response.
  var count: Int64 { objectValue?["count"]?.integerValue ?? 0 }
}

extension Array {
  func chunks(of size: Int) -> [[Element]] {
    // A stride beyond the end would overflow if the size does not fit after the start.
    let size = Swift.min(size, Swift.max(1, count))
    return stride(from: 0, to: count, by: size).map {
      Array(self[$0..<Swift.min($0 + size, count)])
    }
  }
}

extension Int {
  /// The number of parts of a size, 1 or more, into which a positive number is divided; the last
  /// part may be smaller.
  fileprivate func quotientRoundedUp(_ size: Int) -> Int { (self - 1) / size + 1 }
}
