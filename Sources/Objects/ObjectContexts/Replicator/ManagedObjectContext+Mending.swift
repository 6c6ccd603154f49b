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
  /// The same holds between an object and one that was not here when the relationship was changed here:
  /// of two lists that of the one who was here decides, but for a deletion that is taken back.
  ///
  /// - Parameter changed: documents that were written since conflicts were processed last.
  func mendReturned(
    _ changed: [BranchedDocument], _ cache: StoreCoordinatorCache
  ) throws(StoreError) {
    let returned = changed.isEmpty ? [] : cache.tally.returned
    var ids = cache.tally.unmended.union(returned).union(changed.map { $0.id })
    for document in changed { ids.formUnion(cache.tally.absent[document.id, default: [:]].keys) }
    ids.formUnion(try cache.referrers(to: changed.filter { $0.leaves.areAllEnded }.map { $0.id }))
    for id in ids.inByteOrder where id != MetadataDocument.id {
      do throws(ContextError) {
        // Whoever agrees with all partners in the store is left alone, and not even registered.
        guard try cache.disagrees(id) else {
          cache.tally.unmended.remove(id)
          continue
        }
        cache.tally.unmended.insert(id)
        try mend(id, cache)
      } catch {
        if case .store(let failure) = error.reason { throw failure }
        throw StoreError(.missingObject(id), error.description)
      }
    }
    let before = cache.tally.absent
    for document in changed { cache.forgetAbsence(of: document) }
    if cache.tally.absent != before { try cache.noteAbsences() }
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
        try mend(id, relationship, inverse: inverse, target: target, cache: cache)
      }
    }
  }

  /// Makes one partner of an object lead back to it, or the object no longer to the partner.
  private func mend(
    _ id: ObjectID, _ relationship: RelationshipDescription, inverse: RelationshipDescription,
    target: ObjectID, cache: StoreCoordinatorCache
  ) throws(ContextError) {
    // It is asked about, and whoever answers looks at both ends.
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
    guard !owners.contains(id), cache.tally.isToBeMended(id, target) else { return }
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
        if !other[name].targets.contains(id), tally.isToBeMended(id, target) { return true }
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

extension StoreCoordinatorCache {
  /// Objects of the store that lead to others.
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

  /// Remembers with whom relationships are changed here that are not here, or not as they will be.
  ///
  /// - Parameter targets: those at the other ends.
  func noteAbsence(of targets: [ObjectID], besides id: ObjectID) throws(ContextError) {
    guard store is any BranchedRowStore else { return }
    let before = tally.absent
    for target in targets {
      tally.absent[target, default: [:]][id] = try wasHere(target) ? .deleted : .unknown
    }
    guard tally.absent != before else { return }
    try ContextError.ofStore { () throws(StoreError) in try noteAbsences() }
  }

  /// Whoever has come, and agrees with all that were changed meanwhile, is as any other.
  fileprivate func forgetAbsence(of document: BranchedDocument) {
    guard let partners = tally.absent[document.id]?.keys,
      document.leaves.contains(where: { !$0.deleted })
    else { return }
    let isOpen =
      tally.unmended.contains(document.id) || partners.contains { tally.unmended.contains($0) }
    if !isOpen { tally.absent[document.id] = nil }
  }
}

extension ConflictTally {
  /// Whether relationships between two objects that do not hold both ways do so for a reason that lies
  /// here, and not because half of a save has not come yet.
  func isToBeMended(_ id: ObjectID, _ target: ObjectID) -> Bool {
    returned.contains(id) || returned.contains(target) || absent[id]?[target] != nil
      || absent[target]?[id] != nil
  }

  /// Whether the list of an object says what the list of another one has to say.
  fileprivate func isDecided(by id: ObjectID, _ other: ObjectID) -> Bool {
    returned.contains(id) || absent[id]?[other] == .deleted || absent[other]?[id] == .unknown
  }
}

extension [Leaf] {
  /// Whether an object was deleted in several branches, of which nobody may have seen the others.
  fileprivate var areAllEnded: Bool { count > 1 && allSatisfy { $0.deleted } }

  /// Whether an object lives by one of them, and was deleted by another.
  var areReturned: Bool { filter { !$0.deleted }.count == 1 && contains { $0.deleted } }
}
