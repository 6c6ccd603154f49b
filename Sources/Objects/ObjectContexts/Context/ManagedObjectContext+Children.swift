internal import JSON
internal import ObjectMapping

// A save into another context.

extension ManagedObjectContext {
  /// Applies the changes to the parent context; the store is not accessed.
  ///
  /// Source: Core Data, child contexts; uniqueness constraints are not checked here.
  func save(into context: ManagedObjectContext) throws(ContextError) -> SaveNotification {
    if options.parentConflict == .conflict {
      let conflicts = try conflicts(with: context)
      if !conflicts.isEmpty {
        state.events.append(.conflictsDetected(conflicts.map { $0.id }))
        try resolve(conflicts, by: policy)
        try validate()
      }
    }
    let notification = pendingNotification
    let settled = state.settlements.filter { $0.value.isResolved }
    try context.undoing { () throws(ContextError) in
      for id in notification.inserted { try context.adopt(id, state.objects[id]) }
      var gone: [ObjectID] = []
      var mergedObjects: [MergedObject] = []
      for id in notification.updated where settled[id] == nil {
        let before = context.state.objects[id]?.current
        try push(id, into: context, &gone)
        if let before, mayAnswerStale(id, before) {
          let ours = context.state.objects[id]?.current
          mergedObjects.append(MergedObject(id: id, ours: ours, theirs: before))
        }
      }
      for object in mergedObjects { try context.restoreInverses(of: object) }
      for id in gone { context.dropReferences(to: id) }
      for id in notification.deleted where settled[id] == nil {
        try context.adoptDeletion(of: id)
      }
      // The decision of a policy about a pull is applied by the save that reaches the store.
      for (id, settlement) in settled {
        context.state.settlements[id] = settlement
        context.adopt(
          id, state.objects[id], decision: settlement,
          keepsDeletion: options.deletedInParent == .staysDeleted)
        state.settlements[id] = nil
      }
    }
    state.events.append(.written)
    commit([:])
    return notification
  }

  /// Objects whose values in the parent context differ from those that this context started with.
  private func conflicts(
    with context: ManagedObjectContext
  ) throws(ContextError) -> [MergeConflict] {
    var conflicts: [MergeConflict] = []
    for id in (updatedIDs + deletedIDs).inByteOrder {
      guard let object = state.objects[id], let base = object.committed else { continue }
      let row = try parentRow(id, isFresh: false)
      if row == nil, object.isDeleted, policy != .error { continue }
      if let row, row.lockingValues(model) == base.lockingValues(model) { continue }
      conflicts.append(
        MergeConflict(
          id, of: object.entity, oldVersion: base.version, newVersion: row?.version ?? 0,
          object: base, cached: row, origin: .cache))
    }
    return conflicts
  }

  /// Whether the parent context has changed relationships that were changed here as well, so that
  /// they have a partner there that is unknown here.
  private func mayAnswerStale(_ id: ObjectID, _ above: RowSnapshot) -> Bool {
    guard let object = state.objects[id], let entity = model[object.entity] else { return false }
    return object.changedNames.contains { name in
      entity.relationship(name) != nil && object.committed?[name] != above[name]
    }
  }

  private func push(
    _ id: ObjectID, into context: ManagedObjectContext, _ gone: inout [ObjectID]
  ) throws(ContextError) {
    guard let object = state.objects[id], let current = object.current else { return }
    let isThere = try context.exists(id) && !(context.state.objects[id]?.isDeleted ?? true)
    guard isThere else {
      if options.deletedInParent == .comesBack {
        try context.bringBack(id, current)
      } else {
        // Its partner here remains without it.
        gone.append(id)
      }
      return
    }
    let names = object.changedNames
    for name in names {
      let committed = object.committed?[name] ?? .none
      if model[object.entity]?.relationship(name)?.isToMany ?? false {
        let there = context.state.objects[id]?.current?[name].targets ?? []
        context.state.objects[id]?.current?[name] = .toMany(
          there.applying(changesFrom: committed.targets, to: current[name].targets))
      } else {
        context.state.objects[id]?.current?[name] = current[name]
      }
    }
    context.touch(id)
  }

  /// Applies an object that a child inserted; throws if this context has registered its id since.
  fileprivate func adopt(_ id: ObjectID, _ object: ContextObject?) throws(ContextError) {
    guard let object else { return }
    guard !isRegistered(id) else { throw ContextError(.alreadyRegistered(id)) }
    state.objects[id] = ContextObject(
      of: object.entity, change: .inserted, isTemporary: object.isTemporary,
      current: object.current)
  }

  /// Applies the resolution of a child's policy for an object. Properties that have changed here
  /// since the conflict was reported, and that the child left unchanged, are kept.
  fileprivate func adopt(
    _ id: ObjectID, _ object: ContextObject?, decision: PendingSettlement, keepsDeletion: Bool
  ) {
    let own = state.objects[id]
    state.objects[id] = object
    guard let own, var merged = object?.current, own.committed != nil else { return }
    if own.change == .deleted, keepsDeletion {
      state.objects[id]?.change = .deleted
      return
    }
    guard own.isUpdated, let current = own.current else { return }
    let (local, known) = (decision.local, decision.inParent)
    for name in own.changedNames where current[name] != known[name] {
      if model[own.entity]?.relationship(name)?.isToMany ?? false {
        merged[name] = .toMany(
          merged[name].targets.applying(
            changesFrom: known[name].targets, to: current[name].targets))
      } else if merged[name] == local[name] || merged[name] == known[name] {
        merged[name] = current[name]
      }
    }
    state.objects[id]?.current = merged
    state.objects[id]?.change = .updated
  }

  fileprivate func adoptDeletion(of id: ObjectID) throws(ContextError) {
    guard try exists(id), let object = state.objects[id] else { return }
    if object.isInserted {
      state.objects[id] = nil
    } else {
      state.objects[id]?.change = .deleted
    }
  }

  /// Restores an object that was deleted, or adds one that was never here.
  private func bringBack(_ id: ObjectID, _ edited: RowSnapshot) throws(ContextError) {
    var row = edited
    if let object = state.objects[id], object.change == .deleted {
      state.objects[id]?.change = .updated
      row.version = object.committed?.version ?? row.version
      state.objects[id]?.current = row
      return
    }
    row.version = 0
    state.objects[id] = ContextObject(of: row.entity, change: .inserted, current: row)
  }
}
