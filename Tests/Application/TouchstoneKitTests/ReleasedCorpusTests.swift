import Testing
import TouchstoneKit

@testable import Conformance

/// The corpus that comes with Touchstone, with the operations of all families.
@Suite struct ReleasedCorpusTests {
  @Test func theStandardCorpusIsRight() throws {
    let corpus = try Corpus.standard()
    #expect(!corpus.vectors.isEmpty)
    #expect(corpus.vectors.contains { $0.vector.isCore })
    #expect(corpus.integrity == .released)
  }

  @Test(
    arguments: [
      "tree-adopted-parent-stays", "changes-limit-negative", "compact-late-body-keeps-flag",
      "history-limit-no-change-no-cut", "history-limit-purge-is-a-change",
      "history-limit-cut-link-moves-nothing", "dense-changes-history-limit-no-op",
      "couchdb-history-170",
    ] as [VectorID])
  func whatTheProductDoesByDesignIsNotRequiredOfTheFamily(_ id: VectorID) throws {
    let vector = try #require(try Corpus.standard().graded(.family).vector(id))
    #expect(vector.weight == .contractOnly)
  }

  /// The clauses of these layers are defined in this project, so they bind every store that offers
  /// them.
  @Test func layersAreTheClausesOfObjectsToCollections() throws {
    let layers: Set<JSONString> = ["CDTIS", "COLL", "CONFL", "CTX", "DS", "FETCH", "PRED"]
    for clause in try Corpus.standard().clauses {
      #expect((clause.binds == .layer) == layers.contains(clause.family), "\(clause.id)")
    }
  }

  /// The layers from objects to collections are shared code, not independent implementations.
  @Test func sharedLayersAreNamedInEveryReportForPeople() throws {
    func report(_ capabilities: Set<Capability>) throws -> RunReport {
      var description = ImplementationDescription(
        name: "store", version: "1", capabilities: capabilities)
      description.sharedLayers = [.objects, .contexts]
      let corpus = try Corpus.standard()
      let vector = try #require(
        corpus.vectors.first { Set($0.vector.capabilities) == capabilities })
      return RunReport(
        implementation: description, corpus: corpus,
        results: [RunReport.Result(vector: vector, verdict: .pass)])
    }
    let objects = try report([.objects])
    let note = "objects: Touchstone's own layers over the store, shared by all bundled stores"
    #expect(RunSummary(objects).sharedLayers == note)
    #expect(TerminalReport(objects).text.contains("\n\(note)\n"))
    #expect(ReportFormat.markdown.text(of: objects).contains("\n\(note)\n"))
    #expect(ReportFormat.html.text(of: objects).contains("shared by all bundled stores"))
    #expect(
      ReportFormat.jsonl.text(of: objects).contains(#""sharedLayers":["objects","contexts"]"#))
    #expect(RunSummary(try report([])).sharedLayers == nil)
  }
}
