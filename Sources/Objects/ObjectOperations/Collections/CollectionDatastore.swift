public import Collections
public import Datastore
internal import JSON
internal import ObjectMapping

/// A layer that adds a backend of collections to any datastore.
///
/// Operations other than those on collections are forwarded to the datastore unchanged, bypassing
/// the clients: their changes appear as those of another program.
public final class CollectionDatastore: ImplementationLayer {
  public let description: ImplementationDescription

  private let host: ObjectHost
  public var base: any ImplementationUnderTest { host.datastore }
  /// The parameters of the open object stores.
  private var openings: [StoreName: Opening] = [:]
  private var backends: [StoreName: (backend: CollectionBackend, endpoint: any BackendEndpoint)] =
    [:]
  private let connect: (CollectionBackend) throws(HarnessError) -> any BackendEndpoint
  private var devices: [StoreName: [JSONString: CollectionDevice]] = [:]

  private struct Opening {
    var model: JSONValue
    var form: JSONString?
  }

  /// Creates the layer over a datastore.
  ///
  /// - Parameter connect: returns the endpoint through which clients reach a backend.
  public init(
    _ datastore: any ImplementationUnderTest,
    connect: @escaping (CollectionBackend) throws(HarnessError) -> any BackendEndpoint = { $0 }
  ) {
    self.connect = connect
    host = ObjectHost(datastore, RunEnvironment(seed: 0))
    var description = datastore.description
    if description.capabilities.contains(.find) {
      description.capabilities.insert(.collections)
      description.sharedLayers.insert(.collections)
    }
    self.description = description
  }

  public func forget() {
    backends = [:]
    devices = [:]
    openings = [:]
  }

  public func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    guard let action = operation.action.collections else {
      return try passOn(operation, environment)
    }
    guard description.capabilities.isSuperset(of: operation.action.capabilities) else {
      return .error(DatastoreError(.unsupported(what: action.name)))
    }
    // Every open store is a backend.
    guard case .ok = try base.perform(StoreOperation(operation.store, .info), environment) else {
      return .error(DatastoreError(.noSuchStore, "'\(operation.store)' is not open"))
    }
    return try answer(action, operation.store, environment: environment)
  }

  private func passOn(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    let store = operation.store
    switch operation.action {
    case .open, .close, .destroy:
      backends[store] = nil
      devices[store] = nil
    default: break
    }
    let outcome = try base.perform(operation, environment)
    switch operation.action {
    case .close, .destroy: openings[store] = nil
    default:
      if case .open(let model, _, let form)? = operation.action.objects, case .ok = outcome {
        openings[store] = Opening(model: model, form: form)
      }
    }
    return outcome
  }

  private func answer(
    _ action: CollectionAction, _ store: StoreName, environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    let (backend, endpoint) = try backend(store)
    switch action {
    case .setRules(let collection, let rules):
      do throws(DatastoreError) {
        backend.rules[collection] = try CollectionReader.rules(rules)
      } catch {
        return .error(error)
      }
      return .ok(.collections(.done))
    case .client(let name, let call):
      var device = devices[store]?[name] ?? CollectionDevice()
      let request: CollectionDevice.Request
      do throws(DatastoreError) { request = try device.prepare(call) } catch {
        return .error(error)
      }
      defer { devices[store, default: [:]][name] = device }
      do throws(StoreError) {
        return .ok(
          .collections(
            try device.carryOut(request, endpoint, environment: environment) {
              (name) throws(StoreError) in
              try self.objects(name)
            }))
      } catch {
        return try error.outcome()
      }
    }
  }

  private func backend(
    _ store: StoreName
  ) throws(HarnessError) -> (backend: CollectionBackend, endpoint: any BackendEndpoint) {
    if let known = backends[store] { return known }
    let backend = CollectionBackend(base, store: store)
    let entry = (backend, try connect(backend))
    backends[store] = entry
    return entry
  }

  /// The object store with a name; throws `noSuchStore` if it is not open.
  private func objects(_ name: StoreName) throws(StoreError) -> IncrementalStore {
    guard let opening = openings[name] else {
      throw StoreError(
        .datastore(nil, DatastoreError(.noSuchStore)), "'\(name)' is not an open object store")
    }
    let model: ManagedObjectModel
    do throws(DecodingFailure) { model = try ManagedObjectModel(opening.model) } catch {
      throw StoreError(.badModel, error.description)
    }
    let form = opening.form.flatMap { DocumentMapping.Form(rawValue: $0.string) }
    return try IncrementalStore(
      name, model, host: host, options: IncrementalStoreOptions(form: form ?? .documented))
  }
}
