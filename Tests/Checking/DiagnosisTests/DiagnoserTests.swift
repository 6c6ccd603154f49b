import Conformance
import Datastore
import Defects
import Diagnosis
import JSON
import ReferenceDatastore
import Scenarios
import Testing

/// Diagnoses of stores whose error is known. `tools/diagnosis/measure` measures stores that share no
/// code with the model.
struct DiagnoserTests {
  private static let files = [
    "core/changes.json", "core/diff.json", "core/id.json", "core/list.json", "core/local.json",
    "core/record.json", "core/tree.json", "core/unicode.json", "core/winner.json",
    "capabilities/atomic-batch.json",
  ]
  private static let some = [
    "stubs-are-missing", "unknown-revision-reported-each-time", "possible-ancestors-never-reported",
    "negative-limit-ignored", "list-by-utf16", "latest-returns-the-best-leaf",
    "local-deletion-of-unknown-is-missing",
  ]

  /// A part of the corpus, so that a test takes little time.
  private static func corpus() throws -> Corpus {
    let whole = try ProductFileTests.corpus()
    return Corpus(
      clauses: whole.clauses, vectors: whole.vectors.filter { files.contains($0.file) })
  }

  private static func suspects(_ names: [String], _ corpus: Corpus) throws -> [Suspect] {
    let killers = try #require(try MutantList.read(ProductFileTests.corpus().folder)).mutants
    return try names.map { name in
      let defect = try #require(Defect.ofDocuments.first { $0.name == name })
      let vectors = killers.first { $0.name.string == name }?.vectors ?? []
      return Suspect(name: name, sentence: defect.sentence, killers: Set(vectors)) {
        defect.applied(to: $0)
      }
    }
  }

  private static func diagnosis(
    of store: any ImplementationUnderTest, among deviations: [String] = some,
    suspects names: [String] = []
  ) throws -> StoreDiagnosis {
    let corpus = try corpus()
    return Diagnoser(
      corpus, among: Deviation.named(deviations), suspects: try suspects(names, corpus)
    ).diagnose(store)
  }

  private static func model(_ deviations: String...) -> DeviatingDatastore {
    DeviatingDatastore(Deviation.named(deviations))
  }

  @Test func aCorrectStoreHasNoCause() throws {
    let diagnosis = try Self.diagnosis(of: Self.model())
    #expect(diagnosis.failureCount == 0)
    #expect(diagnosis.causes.isEmpty)
  }

  @Test(arguments: some)
  func oneDeviationIsFound(id: String) throws {
    let diagnosis = try Self.diagnosis(of: Self.model(id))
    #expect(diagnosis.failureCount > 0)
    #expect(diagnosis.causes.map(\.origin.name) == [id])
    #expect(diagnosis.unexplained.isEmpty)
  }

  @Test(arguments: some)
  func anUnknownDeviationIsNotGuessed(id: String) throws {
    let diagnosis = try Self.diagnosis(of: Self.model(id), among: Self.some.filter { $0 != id })
    #expect(diagnosis.causes.map(\.origin.name) == [])
    #expect(diagnosis.unexplained.count == diagnosis.failureCount)
  }

  @Test func severalDeviationsAreFoundTogether() throws {
    let names = ["stubs-are-missing", "list-by-utf16", "latest-returns-the-best-leaf"]
    let diagnosis = try Self.diagnosis(of: DeviatingDatastore(Deviation.named(names)))
    #expect(Set(diagnosis.causes.map(\.origin.name)) == Set(names))
    #expect(diagnosis.unexplained.isEmpty)
  }

  @Test func aMutantIsFound() throws {
    let name = "locals-written-once"
    let mutant = try #require(Defect.ofDocuments.first { $0.name == name })
    let store = mutant.applied(to: Self.model())
    let diagnosis = try Self.diagnosis(of: store, suspects: ["changes-winner-only", name])
    #expect(diagnosis.causes.map(\.origin.name) == [name])
    #expect(diagnosis.unexplained.isEmpty)
  }

  /// `batch-in-pieces` also fails the vector of `resolve-commits-itself`, in the same way.
  @Test func aMutantThatExplainsAPartIsNotNamed() throws {
    let part = "resolve-commits-itself"
    let mutant = try #require(Defect.ofDocuments.first { $0.name == "batch-in-pieces" })
    let diagnosis = try Self.diagnosis(
      of: mutant.applied(to: Self.model()), among: [], suspects: [part])
    #expect(diagnosis.failureCount > 1)
    #expect(diagnosis.causes.map(\.origin.name) == [])
    #expect(diagnosis.unexplained.count == diagnosis.failureCount)
  }
}
