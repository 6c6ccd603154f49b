internal import JSON
internal import ObjectMapping

// After a policy has put objects together, relationships hold both ways again.

/// An object that was put together from two sides.
struct MergedObject {
  let id: ObjectID
  /// What it was here; nil when it was deleted here.
  let ours: RowSnapshot?
  /// What it was there; nil when it was deleted there.
  let theirs: RowSnapshot?
  /// What else it was: in leaves that end, and before it was changed here.
  var others: [RowSnapshot] = []
}

extension ManagedObjectContext {
  /// Makes relationships hold both ways: of objects that were put together first, and then of all that
  /// are saved.
  func restoreInverses(_ mergedObjects: [MergedObject]) throws(ContextError) {
    for object in mergedObjects { try restoreInverses(of: object) }
    for id in (insertedIDs + updatedIDs).inByteOrder {
      guard let object = state.objects[id] else { continue }
      try restoreInverses(of: MergedObject(id: id, ours: object.current, theirs: object.committed))
    }
  }

  /// Makes the other ends of changed relationships follow where they do not yet: an object that was
  /// refreshed without merging has forgotten what was changed at its end.
  ///
  /// A changed end to one decides; otherwise the changed end does.
  func completeInverses() throws(ContextError) {
    let changed = (insertedIDs + updatedIDs).inByteOrder
    // Who has joined elsewhere has left as well.
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
        guard try isReachable(target), leads(target, name, to: id) != isLinked else { continue }
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

  /// Makes a row the committed one under the changes of an object, and relationships hold both ways
  /// again.
  func takeOver(_ id: ObjectID, _ row: RowSnapshot) throws(ContextError) {
    let ours = state.objects[id]?.current
    rebase(id, onto: row)
    if state.objects[id]?.isUpdated ?? false {
      try restoreInverses(of: MergedObject(id: id, ours: ours, theirs: row), keepsDangling: true)
    }
  }

  /// Makes the objects at the other ends of relationships follow.
  ///
  /// Where one end leads to one, that end decides; otherwise the object that was put together does. What
  /// disagrees in the store and was not changed here is left to the rest of the save that it is half of.
  ///
  /// - Parameter keepsDangling: whether what leads to no object stays.
  func restoreInverses(of merged: MergedObject, keepsDangling: Bool = false) throws(ContextError) {
    guard let object = state.objects[merged.id] else { return try letGo(merged) }
    guard !object.isDeleted, let row = object.current else { return }
    for relationship in try description(of: row.entity).relationships {
      guard let name = relationship.inverse,
        let inverse = model[relationship.destination]?.relationship(name)
      else { continue }
      // As it is by now: an object can be its own partner.
      let final = Set(state.objects[merged.id]?.current?[relationship.name].targets ?? [])
      let sides = ([merged.ours, merged.theirs].compactMap { $0 } + merged.others)
        .map { $0[relationship.name].targets }
      for target in final.union(sides.joined()).inByteOrder {
        try bringUpToDate(target)
        guard let other = state.objects[target], !other.isDeleted, let there = other.current else {
          // Nothing leads to what is gone, unless that is what the rule wants.
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
        } else {
          try connect(
            target, inverse, relationship: relationship, id: merged.id, isLinked: isLinked)
        }
      }
    }
  }

  /// Whether two objects are here as they are in the store, and disagree there: one of them came without
  /// the other.
  ///
  /// Whoever made the other follow would answer a save that is known in half, and the other half, which
  /// is a successor of what is here, would come without a conflict and against the answer.
  ///
  /// - Parameter isLinked: whether the second object leads to the first one, and not the other way round.
  private func isHalf(
    _ id: ObjectID, _ property: JSONString, target: ObjectID, inverse: JSONString,
    isLinked: Bool
  ) throws(ContextError) -> Bool {
    let cache = coordinator
    guard cache.store is any BranchedRowStore, !isDecided(id), !isDecided(target),
      !cache.tally.isToBeMended(id, target),
      let row = try cache.stored(id), let other = try cache.stored(target)
    else { return false }
    return row[property].targets.contains(target) != isLinked
      && other[inverse].targets.contains(id) == isLinked
  }

  /// Whether a policy has decided about leaves of an object, of which the store has the old ones yet.
  private func isDecided(_ id: ObjectID) -> Bool {
    if state.settlements[id]?.isResolved ?? false { return true }
    guard case .context(let context) = parent else { return false }
    return context.isDecided(id)
  }

  /// Reads an object that nobody changed here, so that what is said of it is not out of date; one that
  /// is gone leaves the context.
  func bringUpToDate(_ id: ObjectID) throws(ContextError) {
    if case .context(let context) = parent { try context.bringUpToDate(id) }
    // What a policy decided about a pull is not in the store yet.
    guard !(state.settlements[id]?.isResolved ?? false), try exists(id),
      state.objects[id]?.change == .unchanged
    else { return }
    if let row = try parentRow(id, isFresh: true) {
      rebase(id, onto: row)
    } else {
      state.objects[id] = nil
    }
  }

  /// Objects at the other ends lead no longer to one that has left.
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

  /// Lets an object lead no longer to another.
  func release(
    _ target: ObjectID, _ relationship: RelationshipDescription, id: ObjectID
  ) {
    guard let value = state.objects[id]?.current?[relationship.name],
      value.targets.contains(target)
    else { return }
    state.objects[id]?.current?[relationship.name] = value.without(target)
    touch(id)
  }

  /// The end to one has decided: the list at this end says the same.
  private func hold(
    _ target: ObjectID, _ isLinked: Bool, relationship: RelationshipDescription, id: ObjectID
  ) {
    let targets = state.objects[id]?.current?[relationship.name].targets ?? []
    state.objects[id]?.current?[relationship.name] = .toMany(
      isLinked ? targets + [target] : targets.filter { $0 != target })
    touch(id)
  }

  /// This end has decided: the other one says the same.
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
