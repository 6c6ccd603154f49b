import ReferenceDatastore
import TouchstoneKit

/// The model, recording the operations that have more than one error.
final class ErrorCounter: ImplementationUnderTest {
  private let store = ReferenceDatastore()
  private(set) var found: [String] = []

  var description: ImplementationDescription { store.description }

  /// Pairs of errors that the clauses accept as alternatives.
  private static let alternatives: [Set<DatastoreError.Kind>] = [
    [.notFound(.missing), .conflict], [.conflict, .notFound(.deleted)],
  ]

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    for errors in store.refusals(of: operation) where errors.count > 1 {
      if Self.alternatives.contains(Set(errors.map { $0.kind })) { continue }
      found.append("\(operation): \(errors)")
    }
    return store.perform(operation, environment)
  }

  func reset() { store.reset() }
  func crash(_ kind: CrashKind) { store.crash(kind) }
  func shutdown() { store.shutdown() }
}
