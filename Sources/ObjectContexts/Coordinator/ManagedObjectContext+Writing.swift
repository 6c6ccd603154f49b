internal import Datastore
internal import JSON
internal import ObjectMapping

// A save to the store behind the coordinator.

extension ManagedObjectContext {
  func save(to cache: StoreCoordinatorCache) throws(ContextError) -> SaveNotification {
    let inserted = insertedIDs
    obtainPermanentIDs(inserted)
    state.events.append(.permanentIDs(inserted))
    var isSettled = false
    while true {
      let conflicts = try conflicts(with: cache)
      if conflicts.isEmpty { break }
      isSettled = true
      state.events.append(.conflictsDetected(conflicts.map { $0.id }))
      try resolve(conflicts, by: policy)
    }
    if try settleConstraints(cache) { isSettled = true }
    // What a policy made has to be as sound as what the application made.
    if isSettled { try validate() }
    let notification = pendingNotification
    let versions = try write(to: cache)
    state.events.append(.written)
    commit(versions)
    try remember(notification, cache)
    return notification
  }

  // MARK: Conflicts

  /// Objects that somebody else changed: first against the cache, then against the store.
  ///
  /// It is a conflict when the row has another version and other locking values; one of which only
  /// relationships to many have moved on is taken over without a word.
  private func conflicts(
    with cache: StoreCoordinatorCache
  ) throws(ContextError) -> [MergeConflict] {
    var conflicts: [MergeConflict] = []
    for id in (updatedIDs + deletedIDs).inByteOrder where state.settlements[id] == nil {
      guard let object = state.objects[id], let base = object.committed else { continue }
      let cached = cache.rows[id]
      if let cached, isNewer(cached, than: base) {
        if isConflict(base, cached) {
          conflicts.append(
            MergeConflict(
              id, of: object.entity, oldVersion: base.version, newVersion: cached.version,
              object: base, cached: cached, origin: .cache))
          continue
        }
        rebase(id, onto: cached)
      }
      let known = state.objects[id]?.committed ?? base
      let stored = try cache.stored(id)
      if let stored, !isConflict(known, stored) {
        if isNewer(stored, than: known) { rebase(id, onto: stored) }
        continue
      }
      conflicts.append(
        MergeConflict(
          id, of: object.entity, oldVersion: known.version, newVersion: stored?.version ?? 0,
          cached: known, persisted: stored, origin: .store))
    }
    return conflicts
  }

  private func isNewer(_ row: RowSnapshot, than base: RowSnapshot) -> Bool {
    row.version != base.version || row.differences(from: base).contains { isToMany($0, base) }
  }

  private func isToMany(_ name: Text, _ row: RowSnapshot) -> Bool {
    model[row.entity]?.relationship(name)?.isToMany ?? false
  }

  private func isConflict(_ base: RowSnapshot, _ row: RowSnapshot) -> Bool {
    base.version != row.version && base.lockingValues(model) != row.lockingValues(model)
  }

  // MARK: Writing

  private func write(to cache: StoreCoordinatorCache) throws(ContextError) -> [ObjectID: Int64] {
    var request = SaveRequest()
    for id in insertedIDs {
      guard let object = managedObject(id, filling: nil) else { continue }
      request.inserted.append(object)
    }
    for id in updatedIDs where state.settlements[id] == nil {
      guard let changed = state.objects[id]?.changedNames,
        let object = managedObject(id, filling: changed)
      else { continue }
      request.updated.append(SaveRequest.Update(object, changed: Set(changed)))
    }
    request.deleted = deletedIDs.filter { state.settlements[$0] == nil }
    guard !(request.inserted.isEmpty && request.updated.isEmpty && request.deleted.isEmpty) else {
      return [:]
    }
    do throws(StoreError) {
      let saved = try cache.store.write(request)
      return Dictionary(saved.map { ($0.id, $0.version) }) { _, last in last }
    } catch {
      throw ContextError(.store(error))
    }
  }

  /// The object as it is written: relationships to no objects are said, not left out.
  ///
  /// - Parameter names: what is written; nil for everything.
  private func managedObject(_ id: ObjectID, filling names: [Text]?) -> ManagedObject? {
    guard let object = state.objects[id], let current = object.current else { return nil }
    var properties = current.values
    for relationship in model[object.entity]?.relationships ?? []
    where relationship.isToMany && names?.contains(relationship.name) ?? true {
      properties[relationship.name] = properties[relationship.name] ?? .toMany([])
    }
    return ManagedObject(
      id, of: object.entity, properties, identifier: current.identifier, version: current.version)
  }

  /// Keeps what was written in the cache; inserted objects are read, because the store gives them
  /// something of its own.
  private func remember(
    _ notification: SaveNotification, _ cache: StoreCoordinatorCache
  ) throws(ContextError) {
    for id in notification.deleted { cache.rows[id] = nil }
    for id in notification.updated { cache.rows[id] = stored(state.objects[id]?.committed) }
    for id in notification.inserted {
      guard let row = try cache.row(id, isFresh: true) else { continue }
      rebase(id, onto: row)
    }
  }

  /// A row without what lives in memory only.
  private func stored(_ row: RowSnapshot?) -> RowSnapshot? {
    guard var row, let entity = model[row.entity] else { return row }
    for attribute in entity.attributes where attribute.isTransient { row[attribute.name] = .none }
    for relationship in entity.relationships where relationship.isTransient {
      row[relationship.name] = .none
    }
    return row
  }
}
