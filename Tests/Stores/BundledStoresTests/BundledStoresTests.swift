import ReferenceDatastore
import SQLiteDatastore
import Storage
import Testing
import TouchstoneKit

/// Both bundled stores pass every vector, through the interfaces that users use.
struct BundledStoresTests {
  /// No operation of a vector has more than one error, so the order of checks does not matter.
  @Test(arguments: try Corpus.standard().vectors)
  func model(passes vector: CorpusVector) throws {
    let store = ErrorCounter()
    try vector.check(CollectionDatastore(ContextDatastore(store)))
    #expect(store.found.isEmpty)
  }

  @Test func operationsWithTwoErrorsAreFound() throws {
    let store = ErrorCounter()
    let environment = RunEnvironment(seed: 0)
    _ = store.perform(StoreOperation("a", .open()), environment)
    _ = store.perform(StoreOperation("a", .create(id: "_", body: [])), environment)
    #expect(store.found.count == 1)
  }

  @Test(arguments: try Corpus.standard().vectors)
  func sqlite(passes vector: CorpusVector) throws {
    try vector.check(
      CollectionDatastore(ContextDatastore(SQLiteDatastore(storage: MemoryStorage()))))
  }

  /// Every capability is offered by a bundled store; otherwise its vectors would never run.
  @Test func everythingIsOffered() throws {
    let corpus = try Corpus.standard()
    #expect(corpus.vectors.count >= 100)
    let model = CollectionDatastore(ContextDatastore(ReferenceDatastore()))
    #expect(try corpus.vectors(offeredBy: model, matching: []).count == corpus.vectors.count)
    let sqlite = CollectionDatastore(ContextDatastore(SQLiteDatastore(storage: MemoryStorage())))
    #expect(try corpus.vectors(offeredBy: sqlite, matching: []).count == corpus.vectors.count)
  }
}
