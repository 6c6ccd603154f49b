import Collections
import Conformance
import Datastore
import Defects
import JSON
import ObjectContexts
import ObjectDefects
import ObjectOperations
import ReferenceDatastore
import Replication
import Scenarios
import Testing

@Suite struct DefectTests {
  /// The hand-written vectors, which alone are evidence.
  static let corpus = Result {
    ObjectOperationFamilies.register()
    let whole = try Corpus.released()
    let vectors = whole.vectors.filter { vector in
      !["observed/", "generated/"].contains { vector.file.hasPrefix($0) }
    }
    return Corpus(folder: whole.folder, clauses: whole.clauses, vectors: vectors)
  }

  /// The correct store, with all capabilities.
  static func store() -> any ImplementationUnderTest {
    CollectionDatastore(ContextDatastore(ReferenceDatastore()))
  }

  @Test func namesAreUniqueAndInOrder() {
    let names = Defect.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(names.count >= 10)
  }

  /// Each mutant is killed, and a vector that kills it cites the violated rule.
  @Test(arguments: Defect.all.map(\.name))
  func isKilledByItsClause(name: String) throws {
    let corpus = try Self.corpus.get()
    let defect = try #require(Defect.all.first { $0.name == name })
    #expect(defect.sentence.hasSuffix("."))
    #expect(corpus.clauses.contains { $0.id.description == defect.clause })
    let citing = corpus.vectors.filter {
      $0.clauses.contains { $0.id.description == defect.clause }
    }
    let report = Runner(defect.applied(to: Self.store())).run(
      Corpus(clauses: corpus.clauses, vectors: citing))
    #expect(
      report.results.contains { if case .fail = $0.verdict { true } else { false } })
  }

  /// The control of mutants of replicators: without a mutant there is no failure.
  @Test func aReplicatorWithoutMutantsConforms() throws {
    let corpus = try Self.corpus.get()
    let store = ReplicatingDatastore(Self.store())
    let report = Runner(store).run(corpus)
    let failures = report.results.filter { !$0.verdict.isPass }
    #expect(failures.map(\.vector.id) == [])
    #expect(report.results.contains { $0.vector.vector.steps.contains { $0.name == "replicate" } })
  }

  @Test func mutantsOfReplicationHaveOneName() {
    let names = Set(Defect.all.map(\.name))
    for mutant in ReplicationDefect.all {
      #expect(names.contains(mutant.name) == (mutant.clause != nil), "\(mutant.name)")
    }
  }

  @Test func aDefectiveStoreSaysSo() throws {
    let defect = try #require(Defect.all.first)
    let store = defect.applied(to: ReferenceDatastore())
    #expect(store.description.name == "ReferenceDatastore with \(defect.name)")
    #expect(store.description.profiles == ReferenceDatastore().description.profiles)
    try store.shutdown()
  }
}
