import Testing
import TouchstoneKit

// Imports only `TouchstoneKit`, like another package; the compilation is part of the test.

private final class EmptyStore: ImplementationUnderTest {
  let description = ImplementationDescription(name: "empty", version: "1")

  func reset() {}

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    if case .open = operation.action { return .ok(.done) }
    return .error(DatastoreError(.notFound(.missing)))
  }

  func crash(_ kind: CrashKind) {}

  func shutdown() {}
}

/// Compiled but never called, because it would use the standard streams of the tests.
private func serve() throws(HarnessError) {
  var server = AdapterServer { _ in
    (implementation: EmptyStore(), keepsFolder: false)
  }
  try server.serve()
}

@Suite struct UmbrellaTests {
  @Test(arguments: try Corpus.standard().vectors(offeredBy: EmptyStore()).prefix(5))
  func offersVectors(_ vector: CorpusVector) {
    #expect(vector.vector.isCore)
  }

  @Test func anEmptyStoreDoesNotConform() throws {
    let vectors = try Corpus.standard().vectors(offeredBy: EmptyStore())
    let failing = vectors.filter { vector in
      (try? vector.check(EmptyStore())) == nil
    }
    #expect(failing.count > vectors.count / 2)
    #expect(failing.count < vectors.count)
  }
}
