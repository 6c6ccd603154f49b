public import Datastore
internal import Digest
internal import JSON

/// A datastore that keeps objects as well, whichever datastore it is.
///
/// All operations but those on objects go to the datastore unchanged.
public final class ObjectDatastore: ImplementationUnderTest {
  public let description: ImplementationDescription

  private let host: ObjectHost
  /// The stores of objects that are open.
  private var stores: [StoreName: IncrementalStore] = [:]

  public init(_ datastore: any ImplementationUnderTest) {
    host = ObjectHost(datastore, Environment(seed: 0))
    var description = datastore.description
    description.capabilities.insert(.objects)
    self.description = description
  }

  public func reset() throws(HarnessError) {
    stores = [:]
    try host.datastore.reset()
  }

  public func crash(_ kind: CrashKind) throws(HarnessError) {
    stores = [:]
    try host.datastore.crash(kind)
  }

  public func begin(_ undertaking: Undertaking) throws(HarnessError) {
    stores = [:]
    try host.datastore.begin(undertaking)
  }

  public func end() throws(HarnessError) { try host.datastore.end() }

  public func takeLog() -> String { host.datastore.takeLog() }

  public func shutdown() throws(HarnessError) { try host.datastore.shutdown() }

  public func perform(
    _ operation: Operation, _ environment: inout Environment
  ) throws(HarnessError) -> Outcome {
    guard case .objects(let action) = operation.action else {
      switch operation.action {
      case .close, .destroy: stores[operation.store] = nil
      default: break
      }
      return try host.datastore.perform(operation, &environment)
    }
    host.environment = environment
    defer { environment = host.environment }
    do throws(StoreError) {
      return .ok(.objects(try answer(action, operation.store)))
    } catch {
      if case .harness(let failure) = error.reason { throw failure }
      if case .unanswered = error.reason { return .unknown }
      return .error(error.asDatastoreError)
    }
  }

  private func answer(
    _ action: ObjectAction, _ name: StoreName
  ) throws(StoreError) -> ObjectAnswer {
    switch action {
    case .encode(let model, let object, let form):
      let mapping = DocumentMapping(
        try self.model(model), form: try self.form(form), transformers: TransformerRegistry())
      let object = try self.object(object, mapping.model)
      let document = try mapped(object.id) { () throws(MappingError) in
        try mapping.encode(object)
      }
      return .encoded(body: .object(document.body), attachments: document.attachments)
    case .decode(let model, let id, let body, let attachments, let trustsNumbers):
      let mapping = DocumentMapping(
        try self.model(model), trustsNumbers: trustsNumbers ?? false)
      var document = EntityDocument(body: body.objectValue ?? JSONObject())
      for attachment in attachments {
        guard case .data(let text) = attachment.content, let bytes = Base64.decode(text.utf8)
        else { continue }
        document.contents[attachment.name] = EntityDocument.Content(
          type: attachment.type ?? "application/octet-stream", bytes: bytes)
      }
      let (object, warnings) = try mapped(id) { () throws(MappingError) in
        try mapping.decode(document, id: id)
      }
      return .object(object.json, warnings: warnings.map { $0.asObjectWarning })
    case .open(let model, let migrates):
      let store = try IncrementalStore(
        name, try self.model(model), host,
        IncrementalStoreOptions(migratesAutomatically: migrates ?? false))
      stores[name] = store
      return .opened(identifier: store.identifier)
    case .save(let inserted, let updated, let deleted):
      let store = try store(name)
      var request = SaveRequest(deleted: deleted)
      for object in inserted { request.inserted.append(try self.object(object, store.model)) }
      for update in updated {
        let object = try self.object(update, store.model)
        let changed = update.objectValue?["values"]?.objectValue?.members.map { $0.name } ?? []
        request.updated.append(SaveRequest.Update(object, changed: Set(changed)))
      }
      return .saved(try store.save(request))
    case .load(let id):
      let store = try store(name)
      let object = try store.object(id)
      defer { store.warnings = [] }
      return .object(object.json, warnings: store.warnings.map { $0.warning.asObjectWarning })
    }
  }

  private func store(_ name: StoreName) throws(StoreError) -> IncrementalStore {
    guard let store = stores[name] else {
      throw StoreError(
        .datastore(nil, DatastoreError(.noSuchStore)), "'\(name)' is no open store of objects")
    }
    return store
  }

  private func model(_ json: JSONValue) throws(StoreError) -> ManagedObjectModel {
    do throws(DecodingFailure) { return try ManagedObjectModel(json) } catch {
      throw StoreError(.badModel, error.description)
    }
  }

  private func form(_ name: Text?) throws(StoreError) -> DocumentMapping.Form {
    guard let name else { return .documented }
    guard let form = DocumentMapping.Form(rawValue: name.string) else {
      throw StoreError(
        .datastore(nil, DatastoreError(.badRequest(path: "form"))), "'\(name)' is no form")
    }
    return form
  }

  private func object(
    _ json: JSONValue, _ model: ManagedObjectModel
  ) throws(StoreError) -> ManagedObject {
    do throws(DecodingFailure) { return try ManagedObject(json, model) } catch {
      throw StoreError(.badObject, error.description)
    }
  }

  private func mapped<Value>(
    _ id: ObjectID, _ body: () throws(MappingError) -> Value
  ) throws(StoreError) -> Value {
    do throws(MappingError) { return try body() } catch {
      throw StoreError(.mapping(id, error), error.description)
    }
  }
}

extension StoreError {
  /// The error as the contract spells it.
  fileprivate var asDatastoreError: DatastoreError {
    let kind: DatastoreError.Kind =
      switch reason {
      case .datastore(_, let error): error.kind
      case .mapping(_, let error): .badObject(what: error.kind.rawValue)
      case .missingObject: .notFound(.missing)
      case .badModel: .badObject(what: "model")
      case .badObject: .badObject(what: "object")
      case .modelMismatch: .badObject(what: "modelMismatch")
      case .cannotMigrate: .badObject(what: "migration")
      case .badURL, .unknownType, .alreadyAdded: .badRequest(path: "store")
      case .badIdentifier: .badRequest(path: "id")
      case .noRemote: .badRequest(path: "remote")
      case .unanswered, .harness: .busy
      }
    return DatastoreError(kind, description)
  }
}

extension MappingWarning {
  fileprivate var asObjectWarning: ObjectWarning {
    ObjectWarning(kind: Text(kind.rawValue), property: property)
  }
}
