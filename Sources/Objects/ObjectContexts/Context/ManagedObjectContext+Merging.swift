internal import ObjectMapping

// Merging of the changes that another context saved.

extension ManagedObjectContext {
  /// Merges the changes of a save of another context; nothing is saved, and the other context does
  /// not change.
  ///
  /// Inserted objects are registered. Updated objects that are registered and not faults get the
  /// parent's values below the local changes; others are not affected. Deleted objects are deleted
  /// here as well.
  ///
  /// Source: Core Data, `mergeChanges(fromContextDidSave:)`.
  public func merge(_ notification: SaveNotification) throws(ContextError) {
    try undoing { () throws(ContextError) in
      for id in notification.inserted + notification.updated {
        let isNew = notification.inserted.contains(id)
        try mergeSaved(id, isNew: isNew)
      }
      for id in notification.deleted { dropDeleted(id) }
    }
  }

  private func mergeSaved(_ id: ObjectID, isNew: Bool) throws(ContextError) {
    guard let object = state.objects[id] else {
      if isNew, let row = try parentRow(id, isFresh: false) { register(id, row) }
      return
    }
    // Its insertion here is the saved one, or is still pending.
    guard !object.isInserted else { return }
    state.objects[id]?.isTemporary = isTemporaryInParent(id)
    // A reported conflict compares the local values, and its decision replaces a certain leaf.
    guard !object.isFault, state.settlements[id] == nil,
      let row = try parentRow(id, isFresh: false)
    else { return }
    try takeOver(id, row)
  }

  private func dropDeleted(_ id: ObjectID) {
    // An insertion under the id is an object of its own.
    // A reported conflict is about what exists in the store now; the deletion is older or part of it.
    guard let object = state.objects[id], !object.isInserted, state.settlements[id] == nil
    else { return }
    let isEdited = object.change == .updated && options.deletedInParent == .comesBack
    guard !isEdited else { return }
    if object.isFault {
      state.objects[id] = nil
    } else {
      state.objects[id]?.change = .deletedElsewhere
    }
    dropReferences(to: id)
  }
}
