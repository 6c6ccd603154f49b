internal import JSON
public import ObjectMapping

// What an object becomes when its parent is asked again.

extension ManagedObjectContext {
  /// Asks the parent for an object again.
  ///
  /// With `merging` it has the values of the parent, and those over them that were changed here. Without,
  /// all that was changed is dropped, and the object is a fault until it is read. An object that the
  /// parent does not have yet stays as it is.
  ///
  /// Source: Core Data, `refresh(_:mergeChanges:)`.
  public func refresh(_ id: ObjectID, merging: Bool) throws(ContextError) {
    guard let object = state.objects[id] else { throw ContextError(.faultUnfulfilled(id)) }
    guard !object.isInserted else { return }
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

  /// Undoes all changes: what was inserted is gone, what was deleted is there again.
  ///
  /// Source: Core Data, `rollback()`.
  public func rollback() {
    for (id, object) in state.objects {
      switch object.change {
      case .unchanged: break
      case .inserted: state.objects[id] = nil
      case .updated, .deleted, .deletedElsewhere:
        state.objects[id]?.change = .unchanged
        state.objects[id]?.current = object.committed
      }
    }
    // What a policy made of a conflict after a pull is undone as well.
    for (id, settlement) in state.settlements where settlement.isResolved {
      let row = settlement.local
      state.objects[id] = ContextObject(of: row.entity, current: row, committed: row)
    }
    state.settlements = [:]
    state.conflicts = []
  }

  /// Forgets everything; what is read next comes from the parent, and from the store where that is the
  /// parent.
  ///
  /// Source: Core Data, `reset()`; a cached row lives as long as an object that was made of it.
  public func reset() {
    if case .coordinator(let cache) = parent {
      for id in state.objects.keys where state.settlements[id] == nil { cache.rows[id] = nil }
    }
    state = ContextState()
  }

  /// Makes a row the committed one, and keeps the changes over it.
  ///
  /// Attributes and relationships to one that were changed here stay as they are here; relationships to
  /// many gain and lose what they gained and lost here.
  func rebase(_ id: ObjectID, onto row: RowSnapshot) {
    guard var object = state.objects[id] else { return }
    object.current = changes(of: object, over: row)
    object.committed = row
    state.objects[id] = object
  }

  /// A row under the changes that are made to an object here.
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
  /// These objects with what came and without what went between two lists of them.
  func applying(changesFrom old: [ObjectID], to new: [ObjectID]) -> [ObjectID] {
    filter { !old.contains($0) || new.contains($0) } + new.filter { !old.contains($0) }
  }
}
