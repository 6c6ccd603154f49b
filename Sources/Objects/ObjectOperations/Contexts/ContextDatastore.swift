public import Datastore
internal import JSON
internal import ObjectContexts
internal import ObjectMapping

/// A layer that adds objects and contexts to any datastore.
///
/// Operations other than those on contexts are forwarded to the object store unchanged, bypassing
/// the contexts: their changes appear as those of another program.
public final class ContextDatastore: ImplementationLayer {
  public let description: ImplementationDescription

  let objects: ObjectDatastore
  /// The contexts of open object stores.
  private var sessions: [StoreName: ContextSession] = [:]

  /// Creates the layer over a datastore.
  public init(_ datastore: any ImplementationUnderTest) {
    objects = ObjectDatastore(datastore)
    var description = objects.description
    if description.capabilities.contains(.find) {
      description.capabilities.formUnion([.contexts, .stacks])
      description.sharedLayers.formUnion([.contexts, .stacks])
    }
    self.description = description
  }

  public var base: any ImplementationUnderTest { objects }

  public func forget() { sessions = [:] }

  public func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    guard operation.action.contexts != nil || operation.action.stacks != nil else {
      if operation.action.endsSessions { sessions[operation.store] = nil }
      return try objects.perform(operation, environment)
    }
    objects.host.environment = environment
    do throws(ContextError) {
      return .ok(try answer(operation))
    } catch {
      if case .store(let failure) = error.reason { return try failure.outcome() }
      return .error(error.asDatastoreError)
    }
  }

  private func answer(_ operation: StoreOperation) throws(ContextError) -> OperationResult {
    let session = try self.session(operation.store)
    sessions[operation.store] = session
    if let action = operation.action.contexts {
      return .contexts(try answer(action, session))
    }
    guard let action = operation.action.stacks else { return .done }
    return .stacks(try session.answer(action, objects))
  }

  private func answer(
    _ action: ContextAction, _ session: ContextSession
  ) throws(ContextError) -> ContextAnswer {
    if case .open(let parent, let policy, let options) = action.call {
      try session.open(action.context, parent: parent, policy: policy, options: options)
      return .done
    }
    return try session.undoing { () throws(ContextError) in try session.answer(action, objects) }
  }

  private func session(_ name: StoreName) throws(ContextError) -> ContextSession {
    if let session = sessions[name] { return session }
    return try ContextError.ofStore { () throws(StoreError) in
      try ContextSession(try objects.store(name))
    }
  }
}

extension ContextError {
  /// The error as an error of the contract.
  var asDatastoreError: DatastoreError {
    switch reason {
    case .store(let error): error.asDatastoreError
    case .alreadyRegistered: DatastoreError(.conflict, message)
    case .deletedObject: DatastoreError(.notFound(.deleted), message)
    default: DatastoreError(.badObject(what: what, name: name), message)
    }
  }

  private var what: String {
    switch reason {
    case .unknownEntity: "unknownEntity"
    case .unknownProperty: "unknownProperty"
    case .wrongKind: "wrongType"
    case .faultUnfulfilled: "faultUnfulfilled"
    case .temporaryObject: "temporaryObject"
    case .validation: "validation"
    case .mergeConflicts: "mergeConflicts"
    case .constraintConflicts: "constraintConflicts"
    case .missingStorePath, .application: "stack"
    case .deadlock: "deadlock"
    case .alreadyRegistered, .deletedObject, .store: ""
    }
  }

  private var name: JSONString? {
    switch reason {
    case .unknownEntity(let name), .unknownProperty(let name, _), .wrongKind(let name, _): name
    case .faultUnfulfilled(let id), .temporaryObject(let id): id.text
    case .deadlock(let waits):
      JSONString(
        waits.sorted { $0.queue.place < $1.queue.place }
          .map { "\($0.queue.rawValue)>\($0.waitsFor.rawValue)" }.joined(separator: " "))
    default: nil
    }
  }
}

extension StoreAction {
  /// Whether the operation ends the contexts of the store.
  fileprivate var endsSessions: Bool {
    switch self {
    case .close, .destroy: true
    default: if case .open? = objects { true } else { false }
    }
  }
}
