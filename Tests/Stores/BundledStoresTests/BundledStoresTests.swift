import ReferenceDatastore
import SQLiteDatastore
import Storage
import Testing
import TouchstoneKit

/// Both bundled stores pass every vector, through the interfaces that users use.
struct BundledStoresTests {
  /// Vectors whose ids begin with one word. A case for each vector would take longer than the vector.
  struct Group: CustomTestStringConvertible, Sendable {
    let word: Substring
    let vectors: [CorpusVector]

    var testDescription: String { "\(word)-* (\(vectors.count))" }

    static func all() throws -> [Group] {
      let groups = Dictionary(grouping: try Corpus.standard().vectors) {
        $0.id.description.prefix { $0 != "-" }
      }
      return groups.map { Group(word: $0.key, vectors: $0.value) }.sorted { $0.word < $1.word }
    }

    /// Checks all vectors of the group.
    func check(_ body: (CorpusVector) throws -> Void) {
      for vector in vectors {
        do { try body(vector) } catch { Issue.record("\(vector.id): \(error)") }
      }
    }
  }

  /// No operation of a vector has more than one error, so the order of checks does not matter.
  @Test(arguments: try Group.all())
  func model(passes group: Group) {
    group.check { vector in
      let store = ErrorCounter()
      try vector.check(CollectionDatastore(ContextDatastore(store)))
      #expect(store.found.isEmpty, "\(vector.id)")
    }
  }

  @Test func operationsWithTwoErrorsAreFound() throws {
    let store = ErrorCounter()
    let environment = RunEnvironment(seed: 0)
    _ = store.perform(StoreOperation("a", .open()), environment)
    _ = store.perform(StoreOperation("a", .create(id: "_", body: [])), environment)
    #expect(store.found.count == 1)
  }

  @Test(arguments: try Group.all())
  func sqlite(passes group: Group) {
    group.check { vector in
      try vector.check(
        CollectionDatastore(ContextDatastore(SQLiteDatastore(storage: MemoryStorage()))))
    }
  }

  /// Every vector is in one group.
  @Test func groupsAreTheCorpus() throws {
    let vectors = try Group.all().flatMap(\.vectors)
    #expect(vectors.count == (try Corpus.standard().vectors.count))
    #expect(Set(vectors.map { "\($0.id)" }).count == vectors.count)
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
