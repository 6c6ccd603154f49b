import ReferenceDatastore
import Testing
import TouchstoneKit

/// No vector gives an operation more than one fault, so that the order of checks is each store's own.
struct OneFaultTests {
  @Test(arguments: try Corpus.standard().vectors)
  func noOperationHasTwo(vector: CorpusVector) throws {
    let store = FaultCounter()
    _ = vector.verdict(on: CollectionDatastore(ContextDatastore(store)))
    #expect(store.found.isEmpty)
  }

  @Test func theCounterCounts() throws {
    let store = FaultCounter()
    var environment = Environment(seed: 0)
    _ = store.perform(Operation("a", .open()), &environment)
    _ = store.perform(Operation("a", .create(id: "_", body: [])), &environment)
    #expect(store.found.count == 1)
  }
}

/// The model, which takes note of operations that have more than one error.
private final class FaultCounter: ImplementationUnderTest {
  private let store = ReferenceDatastore()
  private(set) var found: [String] = []

  var description: ImplementationDescription { store.description }

  /// Kinds of mistake for which the clauses accept either of two errors.
  private static let alternatives: [Set<DatastoreError.Kind>] = [
    [.notFound(.missing), .conflict], [.conflict, .notFound(.deleted)],
  ]

  func perform(_ operation: Operation, _ environment: inout Environment) -> Outcome {
    for errors in store.refusals(of: operation) where errors.count > 1 {
      if Self.alternatives.contains(Set(errors.map { $0.kind })) { continue }
      found.append("\(operation): \(errors)")
    }
    return store.perform(operation, &environment)
  }

  func reset() { store.reset() }
  func crash(_ kind: CrashKind) { store.crash(kind) }
  func shutdown() { store.shutdown() }
}
