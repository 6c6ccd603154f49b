internal import JSON
public import ObjectMapping

// Refreshing of objects from the parent.

extension ManagedObjectContext {
  /// Refreshes an object from the parent.
  ///
  /// With `merging` it gets the values of the parent below the local changes. Otherwise all local
  /// changes are discarded, and the object becomes a fault until it is read. An object that the
  /// parent does not have yet is not affected.
  ///
  /// The parent's values of an object in a reported conflict are the local ones before the pull: with
  /// `merging` it keeps its values, otherwise a decision that is not saved is discarded as well.
  ///
  /// Source: Core Data, `refresh(_:mergeChanges:)`.
  public func refresh(_ id: ObjectID, merging: Bool) throws(ContextError) {
    guard let object = state.objects[id] else { throw ContextError(.faultUnfulfilled(id)) }
    guard !object.isInserted else { return }
    if let settlement = state.settlements[id] {
      if !merging { returnToLocal(id, settlement) }
      return
    }
    guard merging else {
      if case .coordinator(let cache) = parent { cache.rows[id] = nil }
      state.objects[id] = ContextObject(of: object.entity, isTemporary: object.isTemporary)
      return
    }
    guard let row = try parentRow(id, isFresh: true) else {
      throw ContextError(object.isTemporary ? .temporaryObject(id) : .faultUnfulfilled(id))
    }
    try undoing { () throws(ContextError) in try takeOver(id, row) }
    state.objects[id]?.isTemporary = isTemporaryInParent(id)
  }

  /// Discards all changes: inserted objects are removed, deleted ones restored.
  ///
  /// Source: Core Data, `rollback()`.
  public func rollback() {
    for (id, object) in state.objects {
      switch object.change {
      // The object does not exist any more.
      case .unchanged, .deletedElsewhere: break
      case .inserted: state.objects[id] = nil
      case .updated, .deleted:
        state.objects[id]?.change = .unchanged
        state.objects[id]?.current = object.committed
      }
    }
    // The resolution of a conflict after a pull is discarded as well.
    for (id, settlement) in state.settlements where settlement.isResolved {
      returnToLocal(id, settlement)
    }
    state.settlements = [:]
    state.conflicts = []
    state.constraints = []
  }

  /// Gives an object in a reported conflict the local values before the pull; if a policy has decided,
  /// the conflict is reported again.
  private func returnToLocal(_ id: ObjectID, _ settlement: PendingSettlement) {
    let row = localRow(id, settlement.local)
    state.objects[id] = ContextObject(of: row.entity, current: row, committed: row)
    if settlement.isResolved { state.settlements[id] = nil }
  }

  /// Removes all objects; later reads come from the parent, and from the store if that is the
  /// parent.
  ///
  /// Source: Core Data, `reset()`; a cached row exists as long as an object that was made from it.
  public func reset() {
    if case .coordinator(let cache) = parent {
      for id in state.objects.keys where state.settlements[id] == nil { cache.rows[id] = nil }
    }
    state = ContextState()
    resets += 1
  }

  /// Makes a row the committed one, and keeps the changes on top of it.
  ///
  /// Changed attributes and to-one relationships keep their local values; in to-many relationships
  /// the local additions and removals are applied again.
  func rebase(_ id: ObjectID, onto row: RowSnapshot) {
    guard var object = state.objects[id] else { return }
    object.current = changes(of: object, over: row)
    object.committed = row
    state.objects[id] = object
  }

  /// A row with the local changes of an object applied.
  func changes(of object: ContextObject, over row: RowSnapshot) -> RowSnapshot {
    guard let current = object.current, let committed = object.committed else { return row }
    var merged = row
    for name in object.changedNames {
      if model[object.entity]?.relationship(name)?.isToMany ?? false {
        merged[name] = .toMany(
          row[name].targets.applying(
            changesFrom: committed[name].targets, to: current[name].targets))
      } else {
        merged[name] = current[name]
      }
    }
    return merged
  }
}

extension [ObjectID] {
  /// These objects, with the additions and removals between two other lists applied.
  func applying(changesFrom old: [ObjectID], to new: [ObjectID]) -> [ObjectID] {
    filter { !old.contains($0) || new.contains($0) } + new.filter { !old.contains($0) }
  }
}
