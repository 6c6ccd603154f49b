public import Datastore
internal import Digest
internal import JSON
public import ObjectMapping

/// A layer that adds objects to any datastore.
///
/// Operations other than those on objects are forwarded to the datastore unchanged.
public final class ObjectDatastore: ImplementationLayer {
  public let description: ImplementationDescription

  /// The datastore with the documents, and its environment.
  public let host: ObjectHost
  /// The open object stores.
  private var stores: [StoreName: IncrementalStore] = [:]

  /// Creates the layer over a datastore.
  public init(_ datastore: any ImplementationUnderTest) {
    host = ObjectHost(datastore, RunEnvironment(seed: 0))
    var description = datastore.description
    description.capabilities.insert(.objects)
    description.sharedLayers.insert(.objects)
    self.description = description
  }

  public var base: any ImplementationUnderTest { host.datastore }

  public func forget() { stores = [:] }

  public func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    guard let action = operation.action.objects else {
      switch operation.action {
      case .close, .destroy: stores[operation.store] = nil
      default: break
      }
      return try host.datastore.perform(operation, environment)
    }
    host.environment = environment
    do throws(StoreError) {
      return .ok(.objects(try answer(action, operation.store)))
    } catch {
      return try error.outcome()
    }
  }

  private func answer(
    _ action: ObjectAction, _ name: StoreName
  ) throws(StoreError) -> ObjectAnswer {
    switch action {
    case .describe(let model, let transformers, predicates: let predicates):
      try describe(model, transformers, predicates: predicates)
    case .validate(let model, let object): try validate(object, try self.model(model))
    case .encode(let model, let object, let form, let transformers):
      try encode(
        object,
        DocumentMapping(
          try self.model(model), form: try self.form(form),
          transformers: TransformerRegistry(transformers)))
    case .decode(let decoding): try decode(decoding)
    case .coordinate(let coordination): .coordinated(try coordinate(coordination))
    case .open(let model, let migrates, let form):
      try open(
        name, try self.model(model),
        options: IncrementalStoreOptions(
          form: try self.form(form), migratesAutomatically: migrates ?? false))
    case .save(let inserted, let updated, let deleted):
      try save(inserted, updated, deleted: deleted, store: try store(name))
    case .load(let reference): try load(reference, try store(name))
    case .list(let entity):
      .objects(try store(name).objects(of: entity).map { $0.json })
    case .fetch(let fetch): try self.fetch(fetch, try store(name))
    case .updateAll(let entity, let predicate, let arguments, let values):
      try updateAll(entity, predicate, arguments: arguments, values: values, store: try store(name))
    case .check:
      .checked(
        try store(name).check().map { ObjectFault(id: $0.id, what: JSONString($0.fault.what)) })
    }
  }

  // MARK: Object stores

  private func open(
    _ name: StoreName, _ model: ManagedObjectModel, options: IncrementalStoreOptions
  ) throws(StoreError) -> ObjectAnswer {
    let store = try IncrementalStore(name, model, host: host, options: options)
    stores[name] = store
    return .opened(identifier: store.identifier)
  }

  /// The object store with a name; throws `noSuchStore` if it is not open.
  public func store(_ name: StoreName) throws(StoreError) -> IncrementalStore {
    guard let store = stores[name] else {
      throw StoreError(
        .datastore(nil, DatastoreError(.noSuchStore)), "'\(name)' is not an open object store")
    }
    // Warnings belong to one operation.
    store.warnings = []
    return store
  }

  private func save(
    _ inserted: [JSONValue], _ updated: [JSONValue], deleted: [DocumentID],
    store: IncrementalStore
  ) throws(StoreError) -> ObjectAnswer {
    var request = SaveRequest(deleted: deleted)
    for object in inserted { request.inserted.append(try self.object(object, store.model)) }
    for update in updated {
      let object = try self.object(update, store.model)
      let changed = update.objectValue?["values"]?.objectValue?.members.map { $0.name } ?? []
      request.updated.append(SaveRequest.Update(object, changed: Set(changed)))
    }
    return .saved(try store.save(request))
  }

  private func load(
    _ reference: ObjectReference, _ store: IncrementalStore
  ) throws(StoreError) -> ObjectAnswer {
    let object =
      switch reference {
      case .id(let id): try store.object(id)
      case .identifier(let identifier): try store.object(at: identifier)
      }
    return .object(object.json, warnings: store.warnings.map { $0.warning.asObjectWarning })
  }
}
