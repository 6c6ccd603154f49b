public import ObjectMapping

// Deletion of objects, and delete rules.

extension ManagedObjectContext {
  /// Deletes an object with the next save; an object that was inserted here and never saved is
  /// removed immediately.
  ///
  /// Source: Core Data, `delete(_:)`; deletion before the first save cancels the insertion.
  public func delete(_ id: ObjectID) throws(ContextError) {
    try fulfil(id)
    try undoing { () throws(ContextError) in try markDeleted(id) }
  }

  private func markDeleted(_ id: ObjectID) throws(ContextError) {
    guard let object = state.objects[id], !object.isDeleted else { return }
    guard object.isInserted else {
      state.objects[id]?.change = .deleted
      return
    }
    // Its rules are applied now, because the object will be unknown later. It cannot deny the
    // deletion, because it was never saved.
    state.objects[id]?.change = .deleted
    for next in try follow(id, isNew: true) { try markDeleted(next) }
    state.objects[id] = nil
    try forgetInsertion(id, object)
  }

  /// Removes an insertion from deleted objects, whose delete rules may be applied later: the store may
  /// have an object of the same id by then.
  private func forgetInsertion(_ id: ObjectID, _ object: ContextObject) throws(ContextError) {
    for relationship in try description(of: object.entity).relationships {
      guard let inverse = relationship.inverse else { continue }
      for target in object.current?[relationship.name].targets ?? []
      where state.objects[target]?.change == .deleted {
        guard let value = state.objects[target]?.current?[inverse] else { continue }
        state.objects[target]?.current?[inverse] = value.without(id)
      }
    }
  }

  /// Applies the delete rules of all deleted objects, and returns the changed objects.
  ///
  /// A cycle is followed once. A save starts with this step, and so does a fetch.
  ///
  /// Source: Core Data, `processPendingChanges()` and delete rules.
  @discardableResult
  public func processPendingChanges() throws(ContextError) -> [ObjectID] {
    let before = state.objects
    var done: Set<ObjectID> = []
    while let id = deletedIDs.first(where: { !done.contains($0) }) {
      done.insert(id)
      for next in try follow(id) { try markDeleted(next) }
    }
    return Set(before.keys).union(state.objects.keys)
      .filter { isChanged($0, since: before) }
      .inByteOrder
  }

  private func isChanged(_ id: ObjectID, since before: [ObjectID: ContextObject]) -> Bool {
    // An object that was only read in the meantime, or was found to be gone, has not changed.
    guard (before[id]?.change ?? .unchanged) == (state.objects[id]?.change ?? .unchanged) else {
      return true
    }
    guard let old = before[id]?.current, let object = state.objects[id],
      object.change != .unchanged
    else { return false }
    return old != object.current
  }

  /// Removes the object from its partners, and returns those that must be deleted as well.
  ///
  /// - Parameter isNew: whether it was never saved.
  private func follow(
    _ id: ObjectID, isNew: Bool = false
  ) throws(ContextError) -> [ObjectID] {
    let row = try fulfil(id)
    let entity = try description(of: row.entity)
    var cascade: [ObjectID] = []
    for relationship in entity.relationships {
      let targets = row[relationship.name].targets
      // An object that was never saved denies nothing, but removes its references.
      let denies = relationship.deleteRule == .deny
      switch isNew && denies ? .nullify : relationship.deleteRule {
      case .nullify:
        for target in targets {
          try unlink(target, relationship.destination, name: relationship.inverse, from: id)
        }
      case .cascade:
        for target in targets where try exists(target) { cascade.append(target) }
      // Denials are checked after all deletions are known.
      case .deny, .noAction: break
      }
      // The parent may link it to objects that it was not linked to when it was changed here.
      let inParent = state.objects[id]?.committed?[relationship.name].targets ?? []
      for target in inParent where relationship.deleteRule != .noAction && !targets.contains(target)
      {
        try unlink(target, relationship.destination, name: relationship.inverse, from: id)
      }
    }
    return cascade
  }

  /// Whether an object exists; it is read if necessary.
  func exists(_ id: ObjectID) throws(ContextError) -> Bool {
    do throws(ContextError) { try fulfil(id) } catch {
      if case .faultUnfulfilled = error.reason { return false }
      throw error
    }
    return true
  }
}
