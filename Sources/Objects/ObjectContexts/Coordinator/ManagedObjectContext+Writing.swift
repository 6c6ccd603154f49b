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
    // The documents as the last look found them: the save writes over these.
    var documents: [ObjectID: DocumentRevision] = [:]
    // Deleted objects that another client deleted as well.
    var gone: Set<ObjectID> = []
    while true {
      let news = try news(of: cache, &documents, gone: &gone)
      if news.isEmpty { break }
      isSettled = true
      if !news.conflicts.isEmpty {
        state.events.append(.conflictsDetected(news.conflicts.map { $0.id }))
        try resolve(news.conflicts, by: policy)
      }
      // Objects that another client linked to a deleted object are subject to its delete rules as
      // well.
      try processPendingChanges()
      try restoreInverses(news.mergedObjects)
    }
    if try settleConstraints(cache) { isSettled = true }
    // The result of a policy must be as valid as the changes of the application.
    if isSettled { try validate() }
    let notification = pendingNotification
    let settled = state.settlements.filter { $0.value.isResolved }
    try recordAbsences(cache)
    let written = try write(to: cache, over: documents, except: gone)
    state.events.append(.written)
    commit(Dictionary(written.saved.map { ($0.id, $0.version) }) { _, last in last })
    // Objects saved without a decision remain in conflict.
    let saved = Set(notification.updated + notification.deleted).union(settled.keys)
    for id in saved { state.settlements[id] = nil }
    try remember(notification, written.rows, in: cache)
    for id in settled.keys.inByteOrder { _ = try cache.row(id, isFresh: true) }
    if !settled.isEmpty { try cache.countSettled(settled.keys.inByteOrder) }
    return notification
  }

  /// Records the partners of changed relationships that the store lacks, or whose end disagrees:
  /// half of another replica's save has not arrived yet. A deletion changes all relationships.
  private func recordAbsences(_ cache: StoreCoordinatorCache) throws(ContextError) {
    for id in (insertedIDs + updatedIDs + deletedIDs).inByteOrder {
      guard let object = state.objects[id], let current = object.current else { continue }
      for relationship in model[object.entity]?.relationships ?? []
      where !relationship.isTransient {
        guard let inverse = relationship.inverse else { continue }
        let new = object.isDeleted ? [] : current[relationship.name].targets
        let old = object.committed?[relationship.name].targets ?? []
        let gained = new.filter { !old.contains($0) && !isHere($0) }
        let lost = old.filter { target in
          !new.contains(target) && !(isHere(target) && leadsBack(target, inverse, to: id))
        }
        try cache.recordAbsence(of: gained + lost, besides: id)
      }
    }
  }

  private func isHere(_ id: ObjectID) -> Bool {
    state.objects[id].map { !$0.isDeleted && !$0.isFault } ?? false
  }

  /// Whether an object of the store refers to another one.
  private func leadsBack(_ id: ObjectID, _ name: JSONString, to target: ObjectID) -> Bool {
    state.objects[id]?.committed?[name].targets.contains(target) ?? false
  }

  // MARK: Conflicts

  /// Changes by other clients of objects that are saved here.
  private struct News {
    var conflicts: [MergeConflict] = []
    /// Objects of which only to-many relationships, or no locking values, have changed.
    var mergedObjects: [MergedObject] = []

    var isEmpty: Bool { conflicts.isEmpty && mergedObjects.isEmpty }
  }

  /// Objects that another client changed: first compared with the cache, then with the store.
  ///
  /// It is a conflict if the row has other locking values. If only the version or to-many
  /// relationships have changed, the changes are merged silently, so two additions to one list do
  /// not conflict.
  private func news(
    of cache: StoreCoordinatorCache, _ documents: inout [ObjectID: DocumentRevision],
    gone: inout Set<ObjectID>
  ) throws(ContextError) -> News {
    var news = News()
    for id in (updatedIDs + deletedIDs).inByteOrder where !isSettled(id) {
      guard let object = state.objects[id], let base = object.committed else { continue }
      if let cached = cache.rows[id], isConflict(base, cached) {
        news.conflicts.append(
          MergeConflict(
            id, of: object.entity, oldVersion: base.version, newVersion: cached.version,
            object: base, cached: cached, origin: .cache))
        continue
      }
      let found = try cache.document(id)
      documents[id] = found?.document
      if found == nil, object.isDeleted, policy != .error {
        gone.insert(id)
        continue
      }
      let stored = found.map { RowSnapshot($0.row) }
      if let stored, !isConflict(base, stored) {
        guard isNewer(stored, than: base) else { continue }
        news.mergedObjects.append(MergedObject(id: id, ours: object.current, theirs: stored))
        rebase(id, onto: stored)
        continue
      }
      news.conflicts.append(
        MergeConflict(
          id, of: object.entity, oldVersion: base.version, newVersion: stored?.version ?? 0,
          cached: base, persisted: stored, origin: .store))
    }
    return news
  }

  private func isNewer(_ row: RowSnapshot, than base: RowSnapshot) -> Bool {
    row.version != base.version || !stored(base).differences(from: row).isEmpty
  }

  private func isConflict(_ base: RowSnapshot, _ row: RowSnapshot) -> Bool {
    base.lockingValues(model) != row.lockingValues(model)
  }

  // MARK: Writing

  private func write(
    to cache: StoreCoordinatorCache, over documents: [ObjectID: DocumentRevision],
    except gone: Set<ObjectID>
  ) throws(ContextError) -> WrittenRows {
    var request = SaveRequest()
    for id in insertedIDs {
      guard let object = managedObject(id, filling: nil) else { continue }
      request.inserted.append(object)
    }
    for id in updatedIDs where !isSettled(id) { request.updated.append(contentsOf: update(of: id)) }
    request.deleted = deletedIDs.filter { !isSettled($0) && !gone.contains($0) }
    for id in state.settlements.keys.inByteOrder {
      guard let settlement = state.settlements[id], settlement.isResolved else { continue }
      request.settled.append(self.settlement(of: id, settlement))
    }
    guard request != SaveRequest() else { return WrittenRows([], rows: [:]) }
    return try ContextError.ofStore { () throws(StoreError) in
      try cache.store.write(request, over: documents)
    }
  }

  private func update(of id: ObjectID) -> [SaveRequest.Update] {
    guard let changed = state.objects[id]?.changedNames,
      let object = managedObject(id, filling: changed)
    else { return [] }
    return [SaveRequest.Update(object, changed: Set(changed))]
  }

  private func settlement(
    of id: ObjectID, _ pending: PendingSettlement
  ) -> SaveRequest.Settlement {
    let isDeleted = state.objects[id]?.isDeleted ?? true
    let isUpdated = state.objects[id]?.isUpdated ?? false
    let live = pending.discard + (pending.keep.map { [$0] } ?? [])
    return SaveRequest.Settlement(
      id, keep: isDeleted ? nil : pending.keep, discard: isDeleted ? live : pending.discard,
      leaves: pending.leaves, update: isUpdated ? update(of: id).first : nil)
  }

  /// The object to write: empty relationships are included explicitly.
  ///
  /// - Parameter names: the properties to write; nil for all.
  private func managedObject(_ id: ObjectID, filling names: [JSONString]?) -> ManagedObject? {
    guard let object = state.objects[id], let current = object.current else { return nil }
    var properties = current.values
    for relationship in model[object.entity]?.relationships ?? []
    where relationship.isToMany && names?.contains(relationship.name) ?? true {
      properties[relationship.name] = properties[relationship.name] ?? .toMany([])
    }
    return ManagedObject(
      id, of: object.entity, properties, identifier: current.identifier, version: current.version)
  }

  /// Reads the written rows: the store may add values, and the next save is compared with these
  /// rows.
  private func remember(
    _ notification: SaveNotification, _ rows: [ObjectID: ManagedObject],
    in cache: StoreCoordinatorCache
  ) throws(ContextError) {
    for id in notification.deleted { cache.rows[id] = nil }
    for id in notification.inserted + notification.updated {
      if let row = rows[id] { cache.rows[id] = RowSnapshot(row) }
      guard var row = try cache.row(id, isFresh: rows[id] == nil), let object = state.objects[id]
      else { continue }
      for name in transientNames(of: object.entity) { row[name] = object.current?[name] ?? .none }
      rebase(id, onto: row)
    }
  }

  /// A row without transient properties.
  private func stored(_ row: RowSnapshot) -> RowSnapshot {
    var row = row
    for name in transientNames(of: row.entity) { row[name] = .none }
    return row
  }

  private func transientNames(of entity: JSONString) -> [JSONString] {
    guard let entity = model[entity] else { return [] }
    return entity.attributes.filter { $0.isTransient }.map { $0.name }
      + entity.relationships.filter { $0.isTransient }.map { $0.name }
  }
}
