internal import Datastore

/// The store of an adapter that has a resolver only: no operation is supported.
final class NoStore: ImplementationUnderTest {
  let description: ImplementationDescription

  init(_ description: ImplementationDescription) { self.description = description }

  func reset() {}

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    .error(DatastoreError(.unsupported(what: operation.action.name)))
  }

  func crash(_ kind: CrashKind) {}

  func shutdown() {}
}
