internal import JSON

// The offline queue: operations that could not reach the backend are sent again, one after the
// other.

extension CollectionClient {
  /// Sends the queued entries, each once; failed ones are queued again at the end.
  mutating func startDrain() {
    guard queue.current == nil else { return }
    queue.remaining = queue.entries.map { $0.key }
    sendNextQueued()
  }

  private mutating func sendNextQueued() {
    while let key = queue.remaining.first {
      queue.remaining.removeFirst()
      // A save in transit replaces the queued one.
      guard let entry = queue[key], latestSaves[key] == nil else { continue }
      if collections[key.collection]?.options.delegate.declinesSending.contains(entry) ?? false {
        queue.remove(key)
        cache.forget(key)
        emit(.queue(QueueEvent(.dropped, key)))
        continue
      }
      guard case .save(let entity) = entry.operation else {
        attempt(entry)
        send(.delete, key.collection, path: key.id, for: .drain)
        return
      }
      // An object that it refers to failed in this drain.
      guard let open = collections[key.collection], !leadsToTemporary(entity, open) else {
        queue.put(entry)
        emit(.queue(QueueEvent(.putBack, key)))
        continue
      }
      attempt(entry)
      if key.id.isTemporary {
        send(.post, key.collection, body: .object(entity.withoutID), for: .drain)
      } else {
        send(.put, key.collection, path: key.id, body: .object(entity), for: .drain)
      }
      return
    }
  }

  private mutating func attempt(_ entry: OfflineQueue.Entry) {
    queue.current = entry
    emit(.queue(QueueEvent(.sending, entry.key)))
  }

  mutating func drained(_ reply: BackendReply) {
    guard let entry = queue.current else { return }
    queue.current = nil
    switch reply.result {
    case .success(let body): succeeded(entry, body)
    case .failure(let error) where entry.operation == .remove && error.code == 404:
      // The object to be removed does not exist.
      succeeded(entry, .null)
    case .failure:
      if let latest = queue[entry.key] { queue.put(latest) }
      emit(.queue(QueueEvent(.putBack, entry.key)))
    }
    sendNextQueued()
  }

  private mutating func succeeded(_ entry: OfflineQueue.Entry, _ body: JSONValue) {
    // A later save or removal remains queued.
    if queue[entry.key] == entry { queue.remove(entry.key) }
    let id = body.objectValue?[EntityField.id]?.textValue
    guard let id, id != entry.key.id else {
      return emit(.queue(QueueEvent(.done, entry.key)))
    }
    assign(id, to: entry.key)
    emit(.queue(QueueEvent(.done, entry.key, assigned: id)))
  }

  /// Replaces a temporary id by a permanent one.
  mutating func assign(_ id: JSONString, to key: EntityKey) {
    assignedIDs[key] = id
    cache.rename(key, to: id)
    let collections = collections
    queue.rename(key, to: id) { collections.references(of: $0, leadingTo: key.collection) }
  }

  /// Whether an entity refers to an object that the backend does not have yet.
  func leadsToTemporary(_ entity: JSONObject, _ open: OpenCollection) -> Bool {
    open.description.properties.contains { property in
      property.reference?.ids(in: entity[property.field])?.contains { $0.isTemporary } ?? false
    }
  }

  /// Caches an entity as it is, or will be, saved.
  mutating func remember(_ entity: JSONObject, _ key: EntityKey, options: CollectionOptions) {
    guard options.policy != .none || options.isOffline || cache[key] != nil else { return }
    cache[key] = entity
  }
}
