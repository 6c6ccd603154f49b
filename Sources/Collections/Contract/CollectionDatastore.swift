public import Datastore
internal import JSON

/// A datastore that is the backend of collections as well, whichever datastore it is.
///
/// All operations but those on collections go to the datastore unchanged, and past the clients: what
/// they change is seen as what another program changed.
public final class CollectionDatastore: ImplementationUnderTest {
  public let description: ImplementationDescription

  private let datastore: any ImplementationUnderTest
  private var backends: [StoreName: CollectionBackend] = [:]
  private var devices: [StoreName: [Text: CollectionDevice]] = [:]

  public init(_ datastore: any ImplementationUnderTest) {
    self.datastore = datastore
    var description = datastore.description
    if description.capabilities.contains(.find) { description.capabilities.insert(.collections) }
    self.description = description
  }

  public func reset() throws(HarnessError) {
    forget()
    try datastore.reset()
  }

  public func crash(_ kind: CrashKind) throws(HarnessError) {
    forget()
    try datastore.crash(kind)
  }

  public func begin(_ undertaking: Undertaking) throws(HarnessError) {
    forget()
    try datastore.begin(undertaking)
  }

  public func end() throws(HarnessError) { try datastore.end() }

  public func takeLog() -> String { datastore.takeLog() }

  public func shutdown() throws(HarnessError) { try datastore.shutdown() }

  private func forget() {
    backends = [:]
    devices = [:]
  }

  public func perform(
    _ operation: Operation, _ environment: inout Environment
  ) throws(HarnessError) -> Outcome {
    guard case .collections(let action) = operation.action else {
      switch operation.action {
      case .open, .close, .destroy:
        backends[operation.store] = nil
        devices[operation.store] = nil
      default: break
      }
      return try datastore.perform(operation, &environment)
    }
    guard description.capabilities.contains(.collections) else {
      return .error(DatastoreError(.unsupported(what: action.name)))
    }
    // There is a backend where there is a store.
    guard case .ok = try datastore.perform(Operation(operation.store, .info), &environment) else {
      return .error(DatastoreError(.noSuchStore, "'\(operation.store)' is not open"))
    }
    return try answer(action, operation.store, &environment)
  }

  private func answer(
    _ action: CollectionAction, _ store: StoreName, _ environment: inout Environment
  ) throws(HarnessError) -> Outcome {
    let backend = backends[store] ?? CollectionBackend(datastore, store: store)
    backends[store] = backend
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
      let answer = try device.carryOut(request, backend, &environment)
      devices[store, default: [:]][name] = device
      return .ok(.collections(answer))
    }
  }
}
