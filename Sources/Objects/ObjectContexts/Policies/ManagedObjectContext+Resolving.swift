internal import JSON
internal import ObjectMapping

// The merge policies.

extension ManagedObjectContext {
  /// Resolves conflicts with a policy: those of a failed save, or those after a pull.
  ///
  /// Nothing is written: the objects and their committed values change, so that the next save
  /// succeeds. The resolution is atomic; `error` changes nothing and throws the conflicts.
  ///
  /// | | both changed | one changed | deleted there | deleted here |
  /// |---|---|---|---|---|
  /// | storeTrump | theirs | the change | leaves the context | comes back |
  /// | objectTrump | ours | the change | is recreated | stays deleted |
  /// | overwrite | ours | ours | is recreated | stays deleted |
  /// | rollback | theirs | theirs | leaves the context | comes back |
  ///
  /// Source: Core Data, `NSMergePolicy.resolve(mergeConflicts:)`.
  public func resolve(
    _ conflicts: [MergeConflict], by policy: MergePolicy
  ) throws(ContextError) {
    guard !conflicts.isEmpty else { return }
    guard policy != .error else {
      let error = ContextError(.mergeConflicts(conflicts))
      state.conflicts = conflicts
      state.failure = error
      throw error
    }
    try undoing { () throws(ContextError) in
      var mergedObjects: [MergedObject] = []
      for conflict in conflicts {
        if let merged = try resolve(conflict, by: policy) { mergedObjects.append(merged) }
      }
      try restoreInverses(mergedObjects)
    }
    state.conflicts = []
    state.failure = nil
  }

  private func resolve(
    _ conflict: MergeConflict, by policy: MergePolicy
  ) throws(ContextError) -> MergedObject? {
    let id = conflict.id
    // An object that is no longer in the context is not changed.
    guard let object = state.objects[id] else { return nil }
    let merged = MergedObject(
      id: id, ours: object.isDeleted ? nil : object.current, theirs: conflict.new,
      others: conflict.others + (object.committed.map { [$0] } ?? []))
    remember(conflict)
    state.settlements[id]?.isResolved = true
    // The decision on a pulled conflict is written onto this leaf, which may be the local one.
    let kept = state.settlements[id]?.kept
    let deletes = object.change == .deleted
    switch (deletes, conflict.new) {
    case (true, nil):
      leave(id)
      // Its own delete rules may not have been applied, and will no longer be.
      return MergedObject(id: id, ours: object.current, theirs: nil, others: merged.others)
    case (true, let new?):
      guard policy.prefersObject else {
        settle(id, new, over: kept ?? new)
        return merged
      }
      // The rules of a deletion that stays apply to the current references.
      state.objects[id]?.committed = new
      state.objects[id]?.current = new
      return nil
    case (false, nil):
      // A fault has no values that could be kept.
      guard policy.prefersObject && options.recreatesDeleted && !object.isFault else {
        leave(id)
        return merged
      }
      try recreate(id)
    case (false, let new?):
      let current = try fulfil(id)
      let merged = merge(
        ours: current, theirs: new, base: base(of: conflict, object), by: policy)
      settle(id, merged, over: kept ?? new)
    }
    return merged
  }

  /// Keeps an object that was deleted elsewhere: on top of the remaining live leaf, or as a new
  /// row.
  private func recreate(_ id: ObjectID) throws(ContextError) {
    if let settlement = state.settlements[id] {
      settle(id, try fulfil(id), over: settlement.kept)
      return
    }
    state.objects[id]?.change = .inserted
    state.objects[id]?.isTemporary = false
    state.objects[id]?.committed = nil
    state.objects[id]?.current?.version = 0
  }

  /// Sets the values of an object on top of a committed row.
  private func settle(_ id: ObjectID, _ merged: RowSnapshot, over new: RowSnapshot) {
    var merged = merged
    merged.version = new.version
    merged.identifier = new.identifier
    state.objects[id]?.current = merged
    state.objects[id]?.committed = new
    let isChanged = !(state.objects[id]?.changedNames.isEmpty ?? true)
    state.objects[id]?.change = isChanged ? .updated : .unchanged
  }

  /// The common base of both sides; nil if it is unknown.
  private func base(of conflict: MergeConflict, _ object: ContextObject) -> RowSnapshot? {
    switch conflict.origin {
    case .cache, .store: object.committed
    case .pull(let ancestor): ancestor
    }
  }

  private func merge(
    ours: RowSnapshot, theirs: RowSnapshot, base: RowSnapshot?, by policy: MergePolicy
  ) -> RowSnapshot {
    var merged = theirs
    let entity = model[ours.entity]
    for name in Set(ours.values.keys).union(theirs.values.keys).inByteOrder {
      // Transient properties exist only here.
      let isTransient =
        entity?.attribute(name)?.isTransient ?? entity?.relationship(name)?.isTransient ?? false
      if policy == .overwrite || isTransient && policy != .rollback {
        merged[name] = ours[name]
        continue
      }
      guard policy != .rollback else { continue }
      let isOurs = base.map { ours[name] != $0[name] } ?? (ours[name] != theirs[name])
      let isTheirs = base.map { theirs[name] != $0[name] } ?? isOurs
      if let base, entity?.relationship(name)?.isToMany ?? false {
        merged[name] = .toMany(
          theirs[name].targets.applying(
            changesFrom: base[name].targets, to: ours[name].targets))
      } else if isOurs && !(isTheirs && policy == .storeTrump) {
        merged[name] = ours[name]
      }
    }
    return merged
  }

  /// Makes the found row the base of the next save.
  private func remember(_ conflict: MergeConflict) {
    guard case .coordinator(let cache) = parent else { return }
    // Pulled values reach the store with the save that resolves the conflict, not earlier.
    if case .pull = conflict.origin { return }
    cache.rows[conflict.id] = conflict.new
  }

  /// Removes an object that no longer exists anywhere, with all its leaves.
  private func leave(_ id: ObjectID) {
    state.objects[id] = nil
    if let settlement = state.settlements[id], let keep = settlement.keep {
      state.settlements[id]?.discard.append(keep)
      state.settlements[id]?.keep = nil
    }
    dropReferences(to: id)
  }

  /// Removes references to a deleted object from local changes, unless the delete rule is to do
  /// nothing.
  func dropReferences(to id: ObjectID) {
    for other in ids({ $0.isInserted || $0.isUpdated }) {
      guard let current = state.objects[other]?.current, let entity = model[current.entity] else {
        continue
      }
      for relationship in entity.relationships {
        let value = current[relationship.name]
        let inverse = relationship.inverse.flatMap {
          model[relationship.destination]?.relationship($0)
        }
        guard value.targets.contains(id), inverse?.deleteRule != .noAction else { continue }
        state.objects[other]?.current?[relationship.name] = value.without(id)
      }
    }
  }
}
