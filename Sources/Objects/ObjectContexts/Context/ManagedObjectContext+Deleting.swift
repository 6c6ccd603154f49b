public import ObjectMapping

// Deleting objects, and what their delete rules do.

extension ManagedObjectContext {
  /// Deletes an object with the next save; one that was inserted here and never saved is simply gone.
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
    // Nobody will ask for its rules later; it can deny nothing, having never been anywhere.
    state.objects[id]?.change = .deleted
    for next in try follow(id, isNew: true) { try markDeleted(next) }
    state.objects[id] = nil
  }

  /// Follows the delete rules of everything that is deleted, and answers what they changed.
  ///
  /// A circle is followed once. A save does this first, a fetch as well.
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
    // An object that was only read meanwhile has not changed.
    guard (before[id]?.change ?? .unchanged) == (state.objects[id]?.change ?? .unchanged) else {
      return true
    }
    guard let old = before[id]?.current else { return false }
    return old != state.objects[id]?.current
  }

  /// Lets the objects at the other ends go, and answers those that are to be deleted as well.
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
      // What was never anywhere denies nothing, and leaves nobody behind either.
      let denies = relationship.deleteRule == .deny
      switch isNew && denies ? .nullify : relationship.deleteRule {
      case .nullify:
        for target in targets {
          try unlink(target, relationship.destination, name: relationship.inverse, from: id)
        }
      case .cascade:
        for target in targets where try exists(target) { cascade.append(target) }
      // Whether something denies is asked when all that goes is known.
      case .deny, .noAction: break
      }
    }
    return cascade
  }

  /// Whether an object is there, and is read where it was not.
  func exists(_ id: ObjectID) throws(ContextError) -> Bool {
    do throws(ContextError) { try fulfil(id) } catch {
      if case .faultUnfulfilled = error.reason { return false }
      throw error
    }
    return true
  }
}
