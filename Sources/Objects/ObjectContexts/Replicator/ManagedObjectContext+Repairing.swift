internal import Datastore
internal import JSON
internal import ObjectMapping

// Repair of relationships of objects that were deleted on one side and edited on another, and of
// those that a policy resolved before all related objects had arrived.

extension ManagedObjectContext {
  /// Makes the relationships of objects with a live leaf and a deleted leaf consistent, as changes
  /// of this context that the next save writes.
  ///
  /// A deletion has removed such an object from its partners, and the decision of a policy may have
  /// done so before they arrived. If one end refers to the other but not back, the to-one end takes
  /// precedence: its target gets the reference back, unless the target has a to-one relationship to
  /// another object by now; and a list loses objects that do not refer to it. Of two lists, that of
  /// the object with the deleted leaf takes precedence. So no object loses a partner that it was
  /// assigned since. References to deleted objects are cleared, unless the delete rule at the other
  /// end is to do nothing.
  ///
  /// The same holds between an object and one that was not present when the relationship was
  /// changed here: of two lists, that of the present object takes precedence, except over a
  /// reverted deletion.
  ///
  /// - Parameter changed: documents written since conflicts were last processed.
  func repairReturned(
    _ changed: [BranchedDocument], _ cache: StoreCoordinatorCache
  ) throws(StoreError) {
    let returned = changed.isEmpty ? [] : cache.tally.returned
    var ids = cache.tally.unrepaired.union(returned).union(changed.map { $0.id })
    for document in changed { ids.formUnion(cache.tally.absent[document.id, default: [:]].keys) }
    let ended = changed.filter { $0.leaves.areAllEnded }.map { $0.id }
    ids.formUnion(try cache.referrers(to: ended + cache.tally.settled).union(cache.tally.settled))
    cache.tally.settled = []
    for id in ids.inByteOrder where id != MetadataDocument.id {
      do throws(ContextError) {
        // An object that agrees with all partners in the store is skipped, and not even registered.
        guard try cache.disagrees(id) else {
          cache.tally.unrepaired.remove(id)
          continue
        }
        cache.tally.unrepaired.insert(id)
        try repair(id, cache)
      } catch {
        if case .store(let failure) = error.reason { throw failure }
        throw StoreError(.missingObject(id), error.description)
      }
    }
    let before = cache.tally.absent
    for document in changed { cache.forgetAbsence(of: document) }
    if cache.tally.absent != before { try cache.recordAbsences() }
  }

  private func repair(_ id: ObjectID, _ cache: StoreCoordinatorCache) throws(ContextError) {
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
        try repair(id, relationship, inverse: inverse, target: target, cache: cache)
      }
    }
  }

  /// Makes one partner of an object refer back to it, or removes the reference to the partner.
  private func repair(
    _ id: ObjectID, _ relationship: RelationshipDescription, inverse: RelationshipDescription,
    target: ObjectID, cache: StoreCoordinatorCache
  ) throws(ContextError) {
    // Its conflict has been reported, and the resolution covers both ends.
    guard state.settlements[target] == nil else { return }
    try bringUpToDate(target)
    guard try exists(target), let other = state.objects[target], !other.isDeleted,
      let there = other.current
    else {
      if inverse.deleteRule != .noAction, try cache.wasHere(target) {
        release(target, relationship, id: id)
      }
      return
    }
    let owners = there[inverse.name].targets
    guard !owners.contains(id), cache.tally.needsRepair(id, target) else { return }
    let isTheirs =
      inverse.isToMany
      ? relationship.isToMany && !cache.tally.isDecided(by: id, target)
      : relationship.isToMany || !owners.isEmpty
    if isTheirs {
      release(target, relationship, id: id)
    } else {
      try link(target, relationship, name: inverse.name, to: id)
    }
  }
}

extension StoreCoordinatorCache {
  /// Whether an object of the store refers to one that does not refer back, so that a repair is
  /// needed.
  fileprivate func disagrees(_ id: ObjectID) throws(ContextError) -> Bool {
    guard let row = try stored(id), let entity = model[row.entity] else { return false }
    for relationship in entity.relationships where !relationship.isTransient {
      guard let name = relationship.inverse,
        let inverse = model[relationship.destination]?.relationship(name)
      else { continue }
      for target in row[relationship.name].targets {
        guard let other = try stored(target) else {
          if inverse.deleteRule != .noAction, try wasHere(target) { return true }
          continue
        }
        if !other[name].targets.contains(id), tally.needsRepair(id, target) { return true }
      }
    }
    return false
  }

  /// Whether an object was deleted, as opposed to one that has not arrived yet.
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

extension StoreCoordinatorCache {
  /// Objects of the store that refer to others.
  fileprivate func referrers(to ids: [ObjectID]) throws(StoreError) -> Set<ObjectID> {
    guard !ids.isEmpty else { return [] }
    let gone = Set(ids)
    var found: Set<ObjectID> = []
    for entity in model.entities where entity.relationships.contains(where: { !$0.isTransient }) {
      for object in try store.rows(of: entity.name) {
        let leads = entity.relationships.contains { relationship in
          object.properties[relationship.name]?.targets.contains(where: gone.contains) ?? false
        }
        if leads { found.insert(object.id) }
      }
    }
    return found
  }

  /// Records the partners of changed relationships that are missing here, or have another value
  /// than expected.
  ///
  /// - Parameter targets: the objects at the other ends.
  func recordAbsence(of targets: [ObjectID], besides id: ObjectID) throws(ContextError) {
    guard let store = store as? any BranchedRowStore else { return }
    let before = tally.absent
    for target in targets {
      tally.absent[target, default: [:]][id] = try wasHere(target) ? .deleted : .unknown
      tally.leavesAtAbsence[target] = try ContextError.ofStore { () throws(StoreError) in
        Set(try store.leaves(of: target).map { $0.rev })
      }
    }
    guard tally.absent != before else { return }
    try ContextError.ofStore { () throws(StoreError) in try recordAbsences() }
  }

  /// Removes the record of an object that has arrived and agrees with all partners changed in the
  /// meantime.
  fileprivate func forgetAbsence(of document: BranchedDocument) {
    guard let partners = tally.absent[document.id]?.keys,
      document.leaves.contains(where: { !$0.deleted }),
      Set(document.leaves.map { $0.rev }) != tally.leavesAtAbsence[document.id]
    else { return }
    let isOpen =
      tally.unrepaired.contains(document.id) || partners.contains { tally.unrepaired.contains($0) }
    guard !isOpen else { return }
    tally.absent[document.id] = nil
    tally.leavesAtAbsence[document.id] = nil
  }
}

extension ConflictTally {
  /// Whether inconsistent relationships between two objects have a local cause, as opposed to a
  /// partly arrived save.
  func needsRepair(_ id: ObjectID, _ target: ObjectID) -> Bool {
    returned.contains(id) || returned.contains(target) || absent[id]?[target] != nil
      || absent[target]?[id] != nil
  }

  /// Whether the list of an object takes precedence over the list of another one.
  fileprivate func isDecided(by id: ObjectID, _ other: ObjectID) -> Bool {
    returned.contains(id) || absent[id]?[other] == .deleted || absent[other]?[id] == .unknown
  }
}

extension [Leaf] {
  /// Whether an object was deleted in several branches, possibly independently.
  var areAllEnded: Bool { count > 1 && allSatisfy { $0.deleted } }

  /// Whether an object has one live leaf and a deleted one.
  var areReturned: Bool { filter { !$0.deleted }.count == 1 && contains { $0.deleted } }
}
