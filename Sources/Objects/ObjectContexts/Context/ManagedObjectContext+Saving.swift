public import ObjectMapping

// The steps of a save.

extension ManagedObjectContext {
  /// Writes all changes to the parent: to the store behind the coordinator, or as changes of the
  /// parent context, which must be saved in turn.
  ///
  /// The order is that of `SaveEvent`. If it throws, nothing was written and the context is
  /// unchanged; `events` contains the completed steps, and `conflicts` the conflicts. For a store
  /// without atomic saves, the error of a failed write lists the previous writes.
  ///
  /// Source: Core Data, the order of a save; atomic.
  @discardableResult
  public func save() throws(ContextError) -> SaveNotification {
    state.events = []
    state.conflicts = []
    state.constraints = []
    state.failure = nil
    guard hasChanges else {
      let notification = SaveNotification()
      if options.postsOnEmptySave {
        state.events = [.willSave, .didSave]
        state.lastNotification = notification
      }
      return notification
    }
    do throws(ContextError) {
      return try undoing { () throws(ContextError) in try saveChanges() }
    } catch {
      if case .constraintConflicts(let constraints) = error.reason {
        state.constraints = constraints
      }
      state.failure = error
      throw error
    }
  }

  private func saveChanges() throws(ContextError) -> SaveNotification {
    state.events.append(.willSave)
    let propagated = try processPendingChanges()
    state.events.append(.deletePropagated(propagated))
    try completeInverses()
    try validate()
    state.events.append(.validated)
    let notification =
      switch parent {
      case .coordinator(let cache): try save(to: cache)
      case .context(let context): try save(into: context)
      }
    state.events.append(.didSave)
    state.lastNotification = notification
    return notification
  }

  /// The notification of a save of the current changes.
  var pendingNotification: SaveNotification {
    SaveNotification(inserted: insertedIDs, updated: updatedIDs, deleted: deletedIDs)
  }

  /// Assigns permanent ids to inserted objects before they are saved.
  ///
  /// Source: Core Data, `obtainPermanentIDs(for:)`.
  public func obtainPermanentIDs(_ ids: [ObjectID]) {
    for id in ids where state.objects[id]?.isInserted ?? false {
      state.objects[id]?.isTemporary = false
    }
  }

  /// Completes a save: the saved values become the committed ones.
  func commit(_ versions: [ObjectID: Int64]) {
    for (id, object) in state.objects {
      switch object.change {
      case .unchanged: break
      case .deleted, .deletedElsewhere: state.objects[id] = nil
      case .inserted, .updated:
        var object = object
        object.change = .unchanged
        if let version = versions[id] { object.current?.version = version }
        object.committed = object.current
        state.objects[id] = object
      }
    }
  }
}
