internal import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping

extension ContextSession {
  func answer(
    _ action: ContextAction, _ objects: ObjectDatastore
  ) throws(ContextError) -> ContextAnswer {
    let context = try context(action.context)
    switch action.call {
    case .open: return .done
    case .insert(let id, let entity, let values):
      try context.insert(entity, id: id, try self.values(values ?? [:], of: entity))
    case .change(let id, let values):
      let entity = try context.object(id).entity
      try context.set(try self.values(values, of: entity), of: id)
    case .delete(let id): try context.delete(id)
    case .read(let id): return .object(encoded(try context.object(id)))
    case .inspectObject(let id): return .inspectedObject(try inspect(id, context))
    case .inspect: return .inspectedContext(inspect(context))
    case .fetch(let fetch, let includesPendingChanges):
      return try self.fetch(
        fetch, includesPendingChanges ?? true, context: context, objects: objects)
    case .observeFetch(let observer, let fetch):
      return try observe(fetch, as: observer, of: action.context, objects: objects)
    case .updateFetch(let observer): return try update(observer, of: action.context)
    case .refresh(let id, let merges): try context.refresh(id, merging: merges)
    case .obtainPermanentIDs(let ids): context.obtainPermanentIDs(ids)
    case .rollback: context.rollback()
    case .reset: context.reset()
    case .save:
      let notification = try save(action.context, context)
      return .saved(
        SavedChanges(notification), events: context.state.events.map { ContextEvent($0) })
    case .merge(let other):
      if let notification = try self.context(other).state.lastNotification {
        try context.merge(notification)
      }
    case .processConflicts:
      return .conflicts(try context.processConflicts().map { ObjectConflict($0, store.model) })
    case .resolve(let policy):
      let policy = try self.policy(policy)
      if context.state.constraints.isEmpty {
        try context.resolve(context.state.conflicts, by: policy)
      } else {
        try context.resolve(context.state.constraints, by: policy)
      }
    }
    return .done
  }

  func values(
    _ json: JSONValue, of entity: JSONString
  ) throws(ContextError) -> [JSONString: PropertyValue] {
    guard let description = store.model[entity] else {
      throw ContextError(.unknownEntity(entity))
    }
    for member in json.objectValue?.members ?? []
    where description.attribute(member.name) == nil
      && description.relationship(member.name) == nil
    {
      throw ContextError(.unknownProperty(member.name, of: entity))
    }
    do throws(DecodingFailure) {
      let object: JSONValue = ["id": "any", "entity": .string(entity), "values": json]
      return try ManagedObject(object, store.model).properties
    } catch {
      throw ContextError(.store(StoreError(.badObject, error.description)))
    }
  }

  private func fetch(
    _ fetch: ObjectFetch, _ includesPendingChanges: Bool, context: ManagedObjectContext,
    objects: ObjectDatastore
  ) throws(ContextError) -> ContextAnswer {
    guard fetch.result != .groups else {
      let message = "result: 'groups' is not one of objects, ids, count"
      throw Self.badRequest("result", message: message)
    }
    let request = try ContextError.ofStore { () throws(StoreError) in try objects.request(fetch) }
    switch fetch.result {
    case .ids:
      return .ids(try context.fetchIDs(request, includesPendingChanges: includesPendingChanges))
    case .count:
      return .count(try context.count(request, includesPendingChanges: includesPendingChanges))
    case .objects, .groups:
      let found = try context.fetch(request, includesPendingChanges: includesPendingChanges)
      return .objects(found.map { encoded($0) })
    }
  }

  // MARK: Encoding

  /// An object as encoded in results: to-many relationships are always present.
  func encoded(_ object: ManagedObject) -> JSONValue {
    guard var json = object.json.objectValue else { return object.json }
    json["values"] = RowSnapshot(object).encoded(store.model)
    return .object(json)
  }

  /// The values that differ from the committed ones, null for nil.
  private func changes(
    _ id: DocumentID, _ object: ContextObject, context: ManagedObjectContext
  ) -> JSONValue {
    let changed = context.changedValues(id)
    return .object(
      JSONObject(
        changed.keys.inByteOrder.map { name in
          let isToMany = store.model[object.entity]?.relationship(name)?.isToMany ?? false
          let value = changed[name] ?? PropertyValue.none
          return (name, value == .none && isToMany ? [] : value.json)
        }))
  }

  // MARK: Inspection

  private func inspect(
    _ id: DocumentID, _ context: ManagedObjectContext
  ) throws(ContextError) -> InspectedObject {
    guard let object = context.registered(id) else {
      throw ContextError(.store(StoreError(.missingObject(id), "'\(id)' is not registered")))
    }
    var inspected = InspectedObject(entity: object.entity)
    inspected.isInserted = object.isInserted
    inspected.isUpdated = object.isUpdated
    inspected.isDeleted = object.isDeleted
    inspected.isFault = object.isFault
    inspected.isTemporary = context.isTemporary(id)
    inspected.values = object.current.map { $0.encoded(store.model) }
    inspected.changed = object.isFault ? nil : changes(id, object, context: context)
    inspected.committed = object.committed.map { $0.encoded(store.model) }
    inspected.version = object.current?.version
    return inspected
  }

  private func inspect(_ context: ManagedObjectContext) -> InspectedContext {
    var inspected = InspectedContext()
    inspected.changes = SavedChanges(
      inserted: context.insertedIDs, updated: context.updatedIDs, deleted: context.deletedIDs)
    inspected.registered = context.registeredIDs
    inspected.hasChanges = context.hasChanges
    inspected.events = context.state.events.map { ContextEvent($0) }
    inspected.failure = context.state.failure.map { ContextFailure($0, store.model) }
    return inspected
  }
}

extension SavedChanges {
  init(_ notification: SaveNotification) {
    self.init(
      inserted: notification.inserted, updated: notification.updated,
      deleted: notification.deleted)
  }
}

extension ContextEvent {
  fileprivate init(_ event: SaveEvent) {
    switch event {
    case .willSave, .validated, .written, .didSave: self.init(JSONString(event.name))
    case .deletePropagated, .permanentIDs, .conflictsDetected:
      self.init(JSONString(event.name), objects: event.objects)
    }
  }
}

extension ContextFailure {
  fileprivate init(_ error: ContextError, _ model: ManagedObjectModel) {
    self.init(code: error.code)
    switch error.reason {
    case .validation(let objects):
      invalid = objects.map { object in
        Invalid(id: object.id, codes: object.failures.map { $0.reason.rawValue })
      }
    case .mergeConflicts(let found): conflicts = found.map { ObjectConflict($0, model) }
    case .constraintConflicts(let found):
      constraints = found.map { conflict in
        Constraint(
          entity: conflict.entity, attributes: conflict.attributes, objects: conflict.objects,
          row: conflict.row)
      }
    default: break
    }
  }
}

extension ObjectConflict {
  fileprivate init(_ conflict: MergeConflict, _ model: ManagedObjectModel) {
    self.init(
      id: conflict.id, entity: conflict.entity, oldVersion: conflict.oldVersion,
      newVersion: conflict.newVersion, object: conflict.objectSnapshot?.encoded(model),
      cached: conflict.cachedSnapshot?.encoded(model),
      persisted: conflict.persistedSnapshot?.encoded(model),
      others: conflict.others.map { $0.encoded(model) })
  }
}

extension RowSnapshot {
  /// The values in byte order of their names, with an empty list for an empty relationship.
  fileprivate func encoded(_ model: ManagedObjectModel) -> JSONValue {
    var json: [JSONString: JSONValue] = values.mapValues { $0.json }
    for relationship in model[entity]?.relationships ?? []
    where relationship.isToMany && !relationship.isTransient {
      json[relationship.name] = json[relationship.name] ?? []
    }
    return .object(JSONObject(json.keys.inByteOrder.map { ($0, json[$0] ?? .null) }))
  }
}
