internal import Datastore
internal import JSON
internal import ObjectMapping

// Objects that were deleted on one side and live again by the edit of another, and those that a policy
// decided about before all that had to do with them had come.

extension ManagedObjectContext {
  /// Makes the relationships of objects that live beside a deletion hold both ways, as changes of this
  /// context that the next save writes.
  ///
  /// A deletion has taken such an object from those that it leads to, and a decision of a policy may have
  /// done so before they came. Where one end leads to the other and not back, the end to one decides: what
  /// it leads to gets it back, unless that leads to one as well, and to another by now; and a list loses
  /// those who do not lead to it. Of two lists the one of the object beside the deletion decides. So
  /// nobody loses a partner that it was given since. References to what is deleted are cleared, unless
  /// the rule at the other end is to do nothing.
  ///
  /// - Parameter changed: documents that were written since conflicts were processed last.
  func mendReturned(
    _ changed: [ObjectID], _ cache: StoreCoordinatorCache
  ) throws(StoreError) {
    let returned = changed.isEmpty ? [] : cache.census.returned
    let ids = cache.census.unmended.union(returned).union(changed)
    for id in ids.inByteOrder where id != MetadataDocument.id {
      do throws(ContextError) {
        // Whoever agrees with all partners in the store is left alone, and not even registered.
        guard try cache.disagrees(id) else {
          cache.census.unmended.remove(id)
          continue
        }
        cache.census.unmended.insert(id)
        try mend(id, cache)
      } catch {
        if case .store(let failure) = error.reason { throw failure }
        throw StoreError(.missingObject(id), error.description)
      }
    }
  }

  private func mend(_ id: ObjectID, _ cache: StoreCoordinatorCache) throws(ContextError) {
    guard state.settlements[id] == nil else { return }
    try bringUpToDate(id)
    guard try exists(id), let object = state.objects[id], !object.isDeleted,
      let row = object.current
    else { return }
    for relationship in try description(of: row.entity).relationships {
      guard !relationship.isTransient, let name = relationship.inverse,
        let inverse = model[relationship.destination]?.relationship(name)
      else { continue }
      for target in row[relationship.name].targets {
        try mend(id, relationship, inverse, target, cache)
      }
    }
  }

  /// Makes one partner of an object lead back to it, or the object no longer to the partner.
  private func mend(
    _ id: ObjectID, _ relationship: RelationshipDescription, _ inverse: RelationshipDescription,
    _ target: ObjectID, _ cache: StoreCoordinatorCache
  ) throws(ContextError) {
    // It is asked about, and whoever answers looks at both ends.
    guard state.settlements[target] == nil else { return }
    try bringUpToDate(target)
    guard try exists(target), let other = state.objects[target], !other.isDeleted,
      let there = other.current
    else {
      if inverse.deleteRule != .noAction, try cache.wasHere(target) {
        release(target, relationship, id)
      }
      return
    }
    let owners = there[inverse.name].targets
    guard !owners.contains(id),
      cache.census.returned.contains(id) || cache.census.returned.contains(target)
    else { return }
    let isTheirs =
      inverse.isToMany
      ? relationship.isToMany && !cache.census.returned.contains(id)
      : relationship.isToMany || !owners.isEmpty
    if isTheirs {
      release(target, relationship, id)
    } else {
      try link(target, relationship, inverse.name, to: id)
    }
  }
}

extension StoreCoordinatorCache {
  /// Whether an object of the store leads to one that does not lead back, and something has to be done
  /// about it.
  fileprivate func disagrees(_ id: ObjectID) throws(ContextError) -> Bool {
    guard let row = try storedObject(id), let entity = model[row.entity] else { return false }
    for relationship in entity.relationships where !relationship.isTransient {
      guard let name = relationship.inverse,
        let inverse = model[relationship.destination]?.relationship(name)
      else { continue }
      for target in row[relationship.name].targets {
        guard let other = try storedObject(target) else {
          if inverse.deleteRule != .noAction, try wasHere(target) { return true }
          continue
        }
        guard census.returned.contains(id) || census.returned.contains(target),
          !other[name].targets.contains(id)
        else { continue }
        return true
      }
    }
    return false
  }

  /// The row of an object; nil also for a document that is no object of the model.
  private func storedObject(_ id: ObjectID) throws(ContextError) -> RowSnapshot? {
    do throws(ContextError) { return try stored(id) } catch {
      if case .store(let failure) = error.reason, case .mapping = failure.reason { return nil }
      throw error
    }
  }

  /// Whether an object is gone, and not one that has not come yet.
  fileprivate func wasHere(_ id: ObjectID) throws(ContextError) -> Bool {
    guard let store = store as? any BranchedRowStore else { return true }
    do throws(StoreError) {
      let leaves = try store.leaves(of: id)
      return !leaves.isEmpty && leaves.allSatisfy { $0.deleted }
    } catch {
      throw ContextError(.store(error))
    }
  }
}

extension [Leaf] {
  /// Whether an object lives by one of them, and was deleted by another.
  var areReturned: Bool { filter { !$0.deleted }.count == 1 && contains { $0.deleted } }
}
