internal import JSON
internal import ObjectMapping

// Restoration of inverse relationships after a policy has merged objects.

/// An object that was merged from two sides.
struct MergedObject {
  let id: ObjectID
  /// Its local values; nil if it was deleted here.
  let ours: RowSnapshot?
  /// Its values on the other side; nil if it was deleted there.
  let theirs: RowSnapshot?
  /// Further values: those of discarded leaves, and those before the local changes.
  var others: [RowSnapshot] = []
}

extension ManagedObjectContext {
  /// Makes relationships consistent: first those of merged objects, and then those of all saved
  /// objects, of which an unchanged end does not decide over a changed to-one end.
  func restoreInverses(_ mergedObjects: [MergedObject]) throws(ContextError) {
    for object in mergedObjects { try restoreInverses(of: object) }
    for id in (insertedIDs + updatedIDs).inByteOrder {
      guard let object = state.objects[id] else { continue }
      let saved = MergedObject(id: id, ours: object.current, theirs: object.committed)
      try restoreInverses(of: saved, yieldsToChanges: true)
    }
  }

  /// Updates the other ends of changed relationships: an object that was refreshed without merging
  /// has lost the change at its end.
  ///
  /// A changed to-one end takes precedence; otherwise the changed end does.
  func completeInverses() throws(ContextError) {
    let changed = (insertedIDs + updatedIDs).inByteOrder
    // An object that was linked to another partner has also left the previous one.
    for id in changed { try completeInverses(of: id, isLinked: true) }
    for id in changed { try completeInverses(of: id, isLinked: false) }
  }

  private func completeInverses(of id: ObjectID, isLinked: Bool) throws(ContextError) {
    guard let object = state.objects[id], let row = object.current else { return }
    for relationship in try description(of: row.entity).relationships {
      let new = row[relationship.name].targets
      let old = object.committed?[relationship.name].targets ?? []
      guard new != old, let name = relationship.inverse,
        let inverse = model[relationship.destination]?.relationship(name)
      else { continue }
      for target in isLinked ? new : old.filter({ !new.contains($0) }) {
        let change = state.objects[target]?.change
        // If the other end has a new link already, or lacks a removed one, it may be stale.
        if isLinked
          ? !old.contains(target) && leads(target, name, to: id)
          : !leads(target, name, to: id)
        {
          try bringUpToDate(target)
        }
        guard try isReachable(target) else {
          // It was here when it was linked, and was deleted below.
          if isLinked, change ?? .deleted != .deleted, inverse.deleteRule != .noAction {
            release(target, relationship, id: id)
          }
          continue
        }
        guard leads(target, name, to: id) != isLinked else { continue }
        if isLinked, !inverse.isToMany,
          state.objects[target]?.changedNames.contains(name) ?? false
        {
          release(target, relationship, id: id)
        } else {
          try connect(target, inverse, relationship: relationship, id: id, isLinked: !isLinked)
        }
      }
    }
  }

  /// Makes a row the committed one below the changes of an object, and makes its relationships
  /// consistent.
  func takeOver(_ id: ObjectID, _ row: RowSnapshot) throws(ContextError) {
    let ours = state.objects[id]?.current
    rebase(id, onto: row)
    if state.objects[id]?.isUpdated ?? false {
      try restoreInverses(of: MergedObject(id: id, ours: ours, theirs: row), keepsDangling: true)
    }
  }

  /// Updates the objects at the other ends of relationships.
  ///
  /// A to-one end takes precedence; otherwise the merged object does. A disagreement in the store
  /// that was not changed here is left to the missing half of the other replica's save.
  ///
  /// - Parameters:
  ///   - keepsDangling: whether dangling references are kept.
  ///   - yieldsToChanges: whether a changed to-one end of a partner decides over an unchanged end here.
  func restoreInverses(
    of merged: MergedObject, keepsDangling: Bool = false, yieldsToChanges: Bool = false
  ) throws(ContextError) {
    guard let object = state.objects[merged.id] else { return try letGo(merged) }
    guard !object.isDeleted, let row = object.current else { return }
    for relationship in try description(of: row.entity).relationships {
      guard let name = relationship.inverse,
        let inverse = model[relationship.destination]?.relationship(name)
      else { continue }
      // The current value: an object can be its own partner.
      let final = Set(state.objects[merged.id]?.current?[relationship.name].targets ?? [])
      let sides = ([merged.ours, merged.theirs].compactMap { $0 } + merged.others)
        .map { $0[relationship.name].targets }
      for target in final.union(sides.joined()).inByteOrder {
        try bringUpToDate(target)
        guard let other = state.objects[target], !other.isDeleted, let there = other.current else {
          // References to a missing object are removed, unless its delete rule is to do nothing.
          if inverse.deleteRule != .noAction, !keepsDangling {
            release(target, relationship, id: merged.id)
          }
          continue
        }
        let isLinked = there[name].targets.contains(merged.id)
        guard final.contains(target) != isLinked,
          try !isHalf(
            merged.id, relationship.name, target: target, inverse: name, isLinked: isLinked)
        else { continue }
        if relationship.isToMany && !inverse.isToMany {
          hold(target, isLinked, relationship: relationship, id: merged.id)
        } else if yieldsToChanges, !isLinked, !inverse.isToMany, other.changedNames.contains(name),
          state.objects[merged.id]?.changedNames.contains(relationship.name) == false
        {
          release(target, relationship, id: merged.id)
        } else {
          try connect(
            target, inverse, relationship: relationship, id: merged.id, isLinked: isLinked)
        }
      }
    }
  }

  /// Whether two objects have the same values here as in the store, and disagree there: one of them
  /// arrived without the other.
  ///
  /// An update of the other object would react to half of a save. The other half, a successor of
  /// the current values, would then arrive without a conflict and contradict that update.
  ///
  /// - Parameter isLinked: whether the second object refers to the first one, and not the other way
  ///   round.
  private func isHalf(
    _ id: ObjectID, _ property: JSONString, target: ObjectID, inverse: JSONString,
    isLinked: Bool
  ) throws(ContextError) -> Bool {
    let cache = coordinator
    guard cache.store is any BranchedRowStore, !isDecided(id), !isDecided(target),
      !cache.tally.needsRepair(id, target),
      let row = try cache.stored(id), let other = try cache.stored(target)
    else { return false }
    return row[property].targets.contains(target) != isLinked
      && other[inverse].targets.contains(id) == isLinked
  }

  /// Whether a policy has decided about leaves of an object while the store still has the old ones.
  private func isDecided(_ id: ObjectID) -> Bool {
    if isSettled(id) { return true }
    guard case .context(let context) = parent else { return false }
    return context.isDecided(id)
  }

  /// Reads an object that was not changed here, so that its values are current; an object that no
  /// longer exists is removed from the context.
  func bringUpToDate(_ id: ObjectID) throws(ContextError) {
    // The parent may have another object of the id.
    guard !(state.objects[id]?.isInserted ?? false) else { return }
    if case .context(let context) = parent { try context.bringUpToDate(id) }
    // The decision of a policy about a pull is not in the store yet.
    guard !isSettled(id), try exists(id),
      state.objects[id]?.change == .unchanged
    else { return }
    if let row = try parentRow(id, isFresh: true) {
      rebase(id, onto: row)
    } else {
      state.objects[id] = nil
    }
  }

  /// Removes references to an object that has left from the objects at the other ends.
  private func letGo(_ merged: MergedObject) throws(ContextError) {
    guard let ours = merged.ours else { return }
    for relationship in try description(of: ours.entity).relationships
    where relationship.deleteRule != .noAction {
      let targets = ([ours] + merged.others).flatMap { $0[relationship.name].targets }
      for target in Set(targets).inByteOrder {
        try bringUpToDate(target)
        try unlink(target, relationship.destination, name: relationship.inverse, from: merged.id)
      }
    }
  }

  /// Removes an object from a relationship of another.
  func release(
    _ target: ObjectID, _ relationship: RelationshipDescription, id: ObjectID
  ) {
    guard let value = state.objects[id]?.current?[relationship.name],
      value.targets.contains(target)
    else { return }
    state.objects[id]?.current?[relationship.name] = value.without(target)
    touch(id)
  }

  /// Updates the list at this end to agree with the to-one end.
  private func hold(
    _ target: ObjectID, _ isLinked: Bool, relationship: RelationshipDescription, id: ObjectID
  ) {
    let targets = state.objects[id]?.current?[relationship.name].targets ?? []
    state.objects[id]?.current?[relationship.name] = .toMany(
      isLinked ? targets + [target] : targets.filter { $0 != target })
    touch(id)
  }

  /// Updates the other end to agree with this one.
  private func connect(
    _ target: ObjectID, _ inverse: RelationshipDescription,
    relationship: RelationshipDescription, id: ObjectID, isLinked: Bool
  ) throws(ContextError) {
    if isLinked {
      try unlink(target, relationship.destination, name: inverse.name, from: id)
    } else {
      try link(target, relationship, name: inverse.name, to: id)
    }
  }
}
