internal import Datastore
internal import JSON
internal import ObjectMapping

// Objects that were deleted on one side and live again by the edit of another.

extension ManagedObjectContext {
  /// Makes the relationships of objects that live beside a deletion hold both ways, as changes of this
  /// context that the next save writes.
  ///
  /// The deletion has taken such an object from those that it leads to. What is at one end only is given
  /// back, unless the other end leads to one and to something else by now, or to nothing where this end
  /// leads to many: then it is cleared here. So the end to one decides, as everywhere, and nobody loses
  /// a partner that it was given since. References to what is deleted are cleared, unless the rule at the
  /// other end is to do nothing.
  func mendReturned(_ cache: StoreCoordinatorCache, hasNews: Bool) throws(StoreError) {
    let ids = hasNews ? cache.census.returned : cache.census.unmended
    for id in ids.inByteOrder {
      do throws(ContextError) {
        if try mend(id, cache) {
          cache.census.unmended.remove(id)
        } else {
          cache.census.unmended.insert(id)
        }
      } catch {
        if case .store(let failure) = error.reason { throw failure }
        throw StoreError(.missingObject(id), error.description)
      }
    }
  }

  /// Whether an object agreed with its partners before.
  private func mend(_ id: ObjectID, _ cache: StoreCoordinatorCache) throws(ContextError) -> Bool {
    guard state.settlements[id] == nil else { return false }
    try bringUpToDate(id)
    guard try exists(id), let object = state.objects[id], !object.isDeleted,
      let row = object.current
    else { return true }
    var agrees = true
    for relationship in try description(of: row.entity).relationships {
      guard !relationship.isTransient, let name = relationship.inverse,
        let inverse = model[relationship.destination]?.relationship(name)
      else { continue }
      for target in row[relationship.name].targets {
        if try mend(id, relationship, inverse, target, cache) { continue }
        agrees = false
      }
    }
    return agrees
  }

  /// Whether one partner of an object leads back to it.
  private func mend(
    _ id: ObjectID, _ relationship: RelationshipDescription, _ inverse: RelationshipDescription,
    _ target: ObjectID, _ cache: StoreCoordinatorCache
  ) throws(ContextError) -> Bool {
    // It is asked about, and whoever answers looks at both ends.
    guard state.settlements[target] == nil else { return false }
    try bringUpToDate(target)
    guard try exists(target), let other = state.objects[target], !other.isDeleted,
      let there = other.current
    else {
      guard inverse.deleteRule != .noAction, try wasHere(target, cache) else { return true }
      release(target, relationship, id)
      return false
    }
    let owners = there[inverse.name].targets
    guard !owners.contains(id) else { return true }
    if relationship.isToMany && !inverse.isToMany || !inverse.isToMany && !owners.isEmpty {
      release(target, relationship, id)
    } else {
      try link(target, relationship, inverse.name, to: id)
      // Should the object lead elsewhere by what is still to come, this end has to hear of it.
      cache.census.returned.insert(target)
    }
    return false
  }

  /// Whether an object is gone, and not one that has not come yet.
  private func wasHere(
    _ id: ObjectID, _ cache: StoreCoordinatorCache
  ) throws(ContextError) -> Bool {
    guard let store = cache.store as? any BranchedRowStore else { return true }
    if state.objects[id] != nil { return true }
    do throws(StoreError) { return try !store.leaves(of: id).isEmpty } catch {
      throw ContextError(.store(error))
    }
  }
}

extension [Leaf] {
  /// Whether an object lives by one of them, and was deleted by another.
  var areReturned: Bool { filter { !$0.deleted }.count == 1 && contains { $0.deleted } }
}
