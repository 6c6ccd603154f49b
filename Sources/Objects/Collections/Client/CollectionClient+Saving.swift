internal import Datastore
internal import JSON

// Saves: one request per object, all at once except those that need the id of another.
//
// Each object is saved completely or not at all; of several, some may be saved and others not. The
// last save wins.

extension CollectionClient {
  mutating func save(
    _ objects: [CollectionObject], in open: OpenCollection, _ environment: RunEnvironment
  ) {
    let call = lastCall
    guard !objects.isEmpty else { return finish(call, .objects([])) }
    do throws(CollectionError) {
      var save = try SaveCall(objects, in: open.description) { collections[$0]?.description }
      for node in save.nodes.indices {
        let key = save.nodes[node].object.id.map { EntityKey(save.nodes[node].collection, $0) }
        if let lasting = key.flatMap({ assignedIDs[$0] }) { save.nodes[node].object.id = lasting }
        // All at once, so that even a cycle is saved only once.
        if key == nil, collections[save.nodes[node].collection]?.options.ids == .client {
          save.nodes[node].object.id = .newEntityID(environment)
        }
      }
      advance(&save, call, environment: environment)
    } catch {
      fail(call, error)
    }
  }

  /// Sends all requests that wait for nothing; ends the call if none is left.
  private mutating func advance(
    _ save: inout SaveCall, _ call: CallNumber, environment: RunEnvironment
  ) {
    for node in save.order where save.nodes[node].state == .waiting {
      let needs = save.needs(of: node)
      guard needs.allSatisfy({ save.nodes[$0].state.isFinished }) else { continue }
      let isHopeless = needs.contains { need in
        if case .failed = save.nodes[need].state { true } else { false }
      }
      if isHopeless {
        let error = CollectionError(.relatedFailed, "a referenced object was not saved")
        finish(node, .failed(error), of: &save, call: call)
      } else {
        attempt(node, of: &save, call, environment: environment)
      }
    }
    if save.isFinished, !save.isAgain {
      save.isAgain = true
      for node in save.order
      where save.nodes[node].isIncomplete && save.nodes[node].state == .saved {
        attempt(node, of: &save, call, environment: environment)
      }
    }
    if save.isFinished { conclude(save, call) } else { calls[call] = .save(save) }
  }

  private mutating func attempt(
    _ node: Int, of save: inout SaveCall, _ call: CallNumber, environment: RunEnvironment
  ) {
    let name = save.nodes[node].collection
    guard let open = collections[name] else { return }
    let entity = entity(node, of: &save, open)
    save.nodes[node].entity = entity
    let key = save.nodes[node].object.id.map { EntityKey(name, $0) }
    // An object that refers to a queued one must be queued after it.
    if leadsToTemporary(entity, open) || key.map({ queue.current?.key == $0 }) ?? false {
      let error = CollectionError(.mustWait, "queued after another object of the offline queue")
      return enqueue(node, error, of: &save, call: call, environment: environment)
    }
    // It waited for the objects that it refers to, and was saved again in the meantime.
    if let key, queue.isSaved(key, after: call) {
      let error = CollectionError(.mustWait, "replaced by a later save in the offline queue")
      return finish(node, .queued(error), of: &save, call: call)
    }
    save.nodes[node].state = .sent
    save.nodes[node].replaced = key.flatMap { queue[$0] }
    let purpose = Purpose.save(call, node: node)
    if let key, !key.id.isTemporary {
      save.nodes[node].request = send(
        .put, name, path: key.id, body: .object(entity), for: purpose)
    } else {
      save.nodes[node].request = send(.post, name, body: .object(entity.withoutID), for: purpose)
    }
    if let key { latestSaves[key] = save.nodes[node].request }
  }

  private func entity(
    _ node: Int, of save: inout SaveCall, _ open: OpenCollection
  ) -> JSONObject {
    var isIncomplete = false
    let entity = open.description.entity(of: save.nodes[node].object) { reference in
      let ids = save.ids(reference.relation, of: node)
      if ids.contains(nil) { isIncomplete = true }
      return ids.compactMap { id in
        id.map { assignedIDs[EntityKey(reference.collection, $0)] ?? $0 }
      }
    }
    save.nodes[node].isIncomplete = isIncomplete
    return entity
  }

  mutating func saved(
    _ reply: BackendReply, _ node: Int, of call: CallNumber, environment: RunEnvironment
  ) {
    guard case .save(var save)? = calls[call], let open = collections[save.nodes[node].collection]
    else { return }
    // A later save of the object replaces this one.
    let isLatest = closeSave(save.nodes[node])
    switch reply.result {
    case .success(let body):
      if let id = body.objectValue?[EntityField.id]?.textValue {
        settle(save.nodes[node], as: id, isLatest: isLatest, open)
        save.nodes[node].object.id = id
        finish(node, .saved, of: &save, call: call)
      } else {
        let error = CollectionError(.badAnswer, "the response contains no entity")
        finish(node, .failed(error), of: &save, call: call)
      }
    case .failure(let error):
      if case .failure(let failure) = reply, failure.queues, isLatest {
        enqueue(node, error, of: &save, call: call, environment: environment)
      } else {
        finish(node, .failed(error), of: &save, call: call)
      }
    }
    advance(&save, call, environment: environment)
  }

  /// Marks a save as answered; returns whether the object was not saved again since.
  private mutating func closeSave(_ node: SaveCall.Node) -> Bool {
    guard let key = node.object.id.map({ EntityKey(node.collection, $0) }),
      let latest = latestSaves[key], latest == node.request
    else { return node.object.id == nil }
    latestSaves[key] = nil
    return true
  }

  /// Caches an object that the backend now has under an id.
  private mutating func settle(
    _ node: SaveCall.Node, as id: JSONString, isLatest: Bool, _ open: OpenCollection
  ) {
    let name = open.description.name
    if let former = node.object.id.map({ EntityKey(name, $0) }) {
      if let replaced = node.replaced, queue[former] == replaced { queue.remove(former) }
      if former.id != id { assign(id, to: former) }
    }
    guard isLatest, queue[EntityKey(name, id)] == nil else { return }
    var entity = node.entity
    entity[EntityField.id] = .string(id)
    remember(entity, EntityKey(name, id), options: open.options)
  }

  /// Queues an object until the backend can be reached, under a new temporary id if it has none.
  private mutating func enqueue(
    _ node: Int, _ error: CollectionError, of save: inout SaveCall, call: CallNumber,
    environment: RunEnvironment
  ) {
    let name = save.nodes[node].collection
    guard let open = collections[name], open.options.isOffline else {
      return finish(node, .failed(error), of: &save, call: call)
    }
    let id = save.nodes[node].object.id ?? .newTemporaryID(environment)
    var entity = save.nodes[node].entity
    entity[EntityField.id] = .string(id)
    let key = EntityKey(name, id)
    let entry = OfflineQueue.Entry(key: key, operation: .save(entity), call: call)
    guard !open.options.delegate.declinesQueueing.contains(entry) else {
      emit(.queue(QueueEvent(.declined, key)))
      return finish(node, .failed(error), of: &save, call: call)
    }
    save.nodes[node].object.id = id
    if !queue.isSaved(key, after: call) { remember(entity, key, options: open.options) }
    queue.put(entry)
    emit(.queue(QueueEvent(.queued, key)))
    finish(node, .queued(error), of: &save, call: call)
  }

  private mutating func finish(
    _ node: Int, _ state: SaveCall.State, of save: inout SaveCall, call: CallNumber
  ) {
    save.nodes[node].state = state
    guard !save.isAgain else { return }
    save.done += 1
    // The last step is the end of the call.
    if save.done < save.nodes.count { progress(call, save.done, of: save.nodes.count) }
  }

  private mutating func conclude(_ save: SaveCall, _ call: CallNumber) {
    let steps = save.nodes.count
    let failed = save.order.filter { save.nodes[$0].state.error != nil }
      .sorted { (save.nodes[$0].index ?? .max) < (save.nodes[$1].index ?? .max) }
    guard let first = failed.first.flatMap({ save.nodes[$0].state.error }) else {
      return finish(call, .objects(save.roots.map { save.object($0) }), steps: steps)
    }
    var error = first
    error.queued = save.order.compactMap { node in
      if case .queued = save.nodes[node].state { save.nodes[node].object.id } else { nil }
    }
    let isTerse = failed.contains {
      collections[save.nodes[$0].collection]?.options.quirks.tellsOneError ?? false
    }
    if !isTerse {
      error.failures = failed.compactMap { save.failure($0) }
      error.succeeded = save.roots.filter { save.nodes[$0].state == .saved }
        .map { save.object($0) }
    }
    fail(call, error, steps: steps)
  }
}

extension SaveCall {
  fileprivate func failure(_ node: Int) -> ObjectFailure? {
    let node = nodes[node]
    return node.state.error.map { error in
      ObjectFailure(
        collection: node.collection, index: node.index.map { Int64($0) }, id: node.object.id,
        reason: error.reason, message: error.message)
    }
  }
}

extension JSONString {
  /// The id of a new entity, from 12 random bytes.
  static func newEntityID(_ environment: RunEnvironment) -> JSONString {
    let bytes = environment.randomBytes(12)
    return JSONString(
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }

  /// An id that is never sent to the backend.
  static func newTemporaryID(_ environment: RunEnvironment) -> JSONString {
    JSONString("temp_\(newEntityID(environment))")
  }

  /// Whether it is the id of an object that the backend does not have yet.
  var isTemporary: Bool { string.utf8.starts(with: "temp_".utf8) }
}

extension JSONObject {
  var withoutID: JSONObject {
    var object = self
    object[EntityField.id] = nil
    return object
  }
}
