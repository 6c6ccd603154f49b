public import ObjectMapping

// Fetching over changes that are not saved.

extension ManagedObjectContext {
  /// The objects that a request asks for, as they are in this context.
  ///
  /// The parent says which of its objects are asked for. With `includesPendingChanges` what was deleted
  /// here is left out, what was changed here is asked for again, and what was inserted here is added;
  /// the delete rules are followed first. Without, order, offset and limit are the parent's as well.
  /// Objects that are registered keep their values.
  ///
  /// Source: Core Data, `NSFetchRequest.includesPendingChanges`.
  public func fetch(
    _ request: FetchRequest, includesPendingChanges: Bool = true
  ) throws(ContextError) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    for id in try fetchIDs(request, includesPendingChanges: includesPendingChanges) {
      objects.append(try object(id))
    }
    return objects
  }

  /// The ids of the objects that a request asks for; none of them is registered.
  public func fetchIDs(
    _ request: FetchRequest, includesPendingChanges: Bool = true
  ) throws(ContextError) -> [ObjectID] {
    try ContextError.ofStore { () throws(StoreError) in try request.check(in: model) }
    guard includesPendingChanges else {
      return try parentMembers(request, isWindow: true).map { $0.0 }
    }
    try processPendingChanges()
    let found = try members(request).map { id, row in
      ManagedObject(id, of: row.entity, row.values, version: row.version)
    }
    return request.arranged(found).map { $0.id }
  }

  /// How many objects a request asks for.
  public func count(
    _ request: FetchRequest, includesPendingChanges: Bool = true
  ) throws(ContextError) -> Int64 {
    Int64(try fetchIDs(request, includesPendingChanges: includesPendingChanges).count)
  }

  /// The objects of this context that a predicate is true of, in no order.
  private func members(_ request: FetchRequest) throws(ContextError) -> [(ObjectID, RowSnapshot)] {
    var members: [(ObjectID, RowSnapshot)] = []
    for (id, row) in try parentMembers(request, isWindow: false) {
      guard let object = state.objects[id], object.change != .unchanged else {
        members.append((id, state.objects[id]?.current ?? row))
        continue
      }
    }
    let changed = ids { $0.entity == request.entity && ($0.isInserted || $0.isUpdated) }
    guard !changed.isEmpty else { return members }
    for id in changed { try fulfil(id) }
    do throws(StoreError) {
      for id in try coordinator.store.members(request, among: changed, of: overlay) {
        if let row = state.objects[id]?.current { members.append((id, row)) }
      }
    } catch {
      throw ContextError(.store(error))
    }
    return members
  }

  /// Objects as they are in this context and its parents, before those of the store.
  private var overlay: ObjectOverlay {
    var overlay = ObjectOverlay()
    if case .context(let context) = parent { overlay = context.overlay }
    var own = ObjectOverlay()
    for (id, object) in state.objects {
      if object.isDeleted {
        own.gone.insert(id)
      } else if let row = object.current {
        own.objects[id] = ManagedObject(
          id, of: row.entity, row.values, identifier: row.identifier, version: row.version)
      }
    }
    overlay.cover(with: own)
    return overlay
  }

  /// What the parent has.
  ///
  /// - Parameter isWindow: whether order, offset and limit are taken there.
  private func parentMembers(
    _ request: FetchRequest, isWindow: Bool
  ) throws(ContextError) -> [(ObjectID, RowSnapshot)] {
    var asked = request
    if !isWindow { (asked.sort, asked.offset, asked.limit) = ([], 0, nil) }
    switch parent {
    case .coordinator(let cache): return try cache.fetch(asked)
    case .context(let context):
      return try context.fetch(asked).map { ($0.id, RowSnapshot($0)) }
    }
  }
}
