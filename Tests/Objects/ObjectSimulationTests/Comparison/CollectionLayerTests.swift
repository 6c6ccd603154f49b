import Datastore
import JSON
import ObjectOperations
import ObjectSimulation
import ReferenceDatastore
import SQLiteDatastore
import Simulation
import Storage
import Testing

/// Random operations of clients of collections, of migrations, of selectors, of fetches and of
/// stored objects.
@Suite struct CollectionLayerTests {
  private static let layers = [
    "collections", "migrations", "selectors", "fetches", "stored-objects",
  ]

  /// Ids that implementations make differ between the two stores, and correspond.
  @Test(arguments: layers)
  func bothBundledStoresAgree(name: String) throws {
    let layer = try #require(ComparedLayer.all.first { $0.name == name })
    let comparison = LayerComparison(layer, stepCount: 30) {
      CollectionDatastore(ContextDatastore(SQLiteDatastore(storage: MemoryStorage())))
    }
    for seed in UInt64(101)...115 {
      guard case .agreed(let operations) = try comparison.run(seed: seed) else {
        Issue.record("seed \(seed)")
        continue
      }
      #expect(operations > 30)
    }
  }

  /// A layer that ignores one operation is found.
  @Test(arguments: [
    ("collections", "removeFromCollection"), ("migrations", "crashClient"),
    ("selectors", "insertRevisions"), ("fetches", "insertRevisions"),
    ("stored-objects", "saveObjects"), ("collections", "read"), ("contexts", "read"),
    ("contexts-complete", "read"), ("stacks", "read"),
  ])
  func aLayerThatIgnoresAnOperationIsFound(name: String, operation: String) throws {
    let layer = try #require(ComparedLayer.all.first { $0.name == name })
    let comparison = LayerComparison(layer) { IgnoringLayer(operation) }
    let isFound = try (UInt64(1)...20).contains { seed in
      if case .disagreed = try comparison.run(seed: seed) { true } else { false }
    }
    #expect(isFound)
  }

  /// The ids of revisions that a store makes are not compared, but its documents are.
  @Test(arguments: ["collections", "contexts", "contexts-complete", "stacks"])
  func idsOfRevisionsAreUpToTheStore(name: String) throws {
    let layer = try #require(ComparedLayer.all.first { $0.name == name })
    let comparison = LayerComparison(layer, stepCount: 30) { RevisingLayer() }
    for seed in UInt64(1)...10 {
      guard case .agreed = try comparison.run(seed: seed) else {
        Issue.record("seed \(seed)")
        continue
      }
    }
  }
}

/// The bundled layers on a store that names all revisions of documents alike.
private final class RevisingLayer: ImplementationLayer {
  let base: any ImplementationUnderTest = CollectionDatastore(
    ContextDatastore(ReferenceDatastore()))

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    let outcome = try base.perform(operation, environment)
    guard case .ok(.document(var document)) = outcome else { return outcome }
    document.rev = "1-own"
    return .ok(.document(document))
  }
}

/// The bundled layers without the effect of one operation.
private final class IgnoringLayer: ImplementationLayer {
  let base: any ImplementationUnderTest = CollectionDatastore(
    ContextDatastore(ReferenceDatastore()))
  private let ignored: String

  init(_ ignored: String) { self.ignored = ignored }

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    guard operation.action.name == ignored else { return try base.perform(operation, environment) }
    return .ok(.done)
  }
}
