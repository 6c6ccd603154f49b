public import ObjectMapping

// Fetches that include unsaved changes.

extension ManagedObjectContext {
  /// The objects of a fetch, with their values in this context.
  ///
  /// The parent evaluates the request on its objects. With `includesPendingChanges` deleted objects
  /// are excluded, changed ones are evaluated again, and inserted ones are included; the delete
  /// rules are applied first. Without it, order, offset and limit are applied by the parent.
  /// Registered objects keep their values.
  ///
  /// Source: Core Data, `NSFetchRequest.includesPendingChanges`.
  public func fetch(
    _ request: ObjectFetchRequest, includesPendingChanges: Bool = true
  ) throws(ContextError) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    for id in try fetchIDs(request, includesPendingChanges: includesPendingChanges) {
      objects.append(try object(id))
    }
    return objects
  }

  /// The ids of the objects of a fetch; no object is registered.
  public func fetchIDs(
    _ request: ObjectFetchRequest, includesPendingChanges: Bool = true
  ) throws(ContextError) -> [ObjectID] {
    try ContextError.ofStore { () throws(StoreError) in try request.check(in: model) }
    return try rows(request, includesPendingChanges: includesPendingChanges).map { $0.0 }
  }

  /// The ids of the objects of a fetch with their values in this context; no object is registered.
  private func rows(
    _ request: ObjectFetchRequest, includesPendingChanges: Bool
  ) throws(ContextError) -> [(ObjectID, RowSnapshot)] {
    guard includesPendingChanges else { return try parentMembers(request, isWindow: true) }
    try processPendingChanges()
    let rows = Dictionary(try members(request)) { first, _ in first }
    let found = rows.keys.inByteOrder.compactMap { id in
      rows[id].map { ManagedObject(id, of: $0.entity, $0.values, version: $0.version) }
    }
    return request.arranged(found).compactMap { object in rows[object.id].map { (object.id, $0) } }
  }

  /// The number of objects of a fetch.
  public func count(
    _ request: ObjectFetchRequest, includesPendingChanges: Bool = true
  ) throws(ContextError) -> Int64 {
    Int64(try fetchIDs(request, includesPendingChanges: includesPendingChanges).count)
  }

  /// The objects of this context that match the predicate, unsorted.
  private func members(_ request: ObjectFetchRequest) throws(ContextError) -> [(
    ObjectID, RowSnapshot
  )] {
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

  /// Objects in this context and its parents, which override those of the store.
  private var overlay: ObjectOverlay {
    var overlay = ObjectOverlay()
    if case .context(let context) = parent { overlay = context.overlay }
    var own = ObjectOverlay()
    for id in state.settlements.keys where isDropped(id) { own.gone.insert(id) }
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

  /// The parent's results.
  ///
  /// - Parameter isWindow: whether order, offset and limit are applied by the parent.
  private func parentMembers(
    _ request: ObjectFetchRequest, isWindow: Bool
  ) throws(ContextError) -> [(ObjectID, RowSnapshot)] {
    var asked = request
    if !isWindow { (asked.sort, asked.offset, asked.limit) = ([], 0, nil) }
    let rows =
      switch parent {
      case .coordinator(let cache): try cache.fetch(asked)
      case .context(let context): try context.rows(asked, includesPendingChanges: true)
      }
    return rows.filter { !isDropped($0.0) }
  }
}
