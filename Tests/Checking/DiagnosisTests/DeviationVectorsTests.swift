import Conformance
import Datastore
import Diagnosis
import JSON
import ReferenceDatastore
import Scenarios
import Testing

/// Every deviation fails a vector.
struct DeviationVectorsTests {
  /// Deviations that no vector shows: the contract leaves open what a store does with a suffix of 16
  /// bytes under the collation couchdb, a model keeps the rules where nothing is predicted, and no
  /// vector edits an unknown document with a history limit of 1, and the model has neither a
  /// replicator of its own nor copies on other nodes nor several clients.
  private static let hidden: Set<String> = [
    "sixteen-bytes-are-their-digits", "generation-0-names-no-revision", "huge-generations-stored",
    "limit-splits-repeated-suffixes",
    "nul-in-attachment-names-accepted", "tombstones-keep-attachments",
    "repeated-record-with-attachments-replaces", "recreation-with-attachments-named-otherwise",
    "malformed-revision-ids-unpredictable", "limit-separates-branches",
    "limit-1-accepts-unknown-revisions", "empty-attachment-stalls-session",
    "cut-revision-not-stored-again", "joining-path-stored-twice", "losing-attachments-replaced",
    "stale-copies", "cut-leaf-listed-twice", "failed-stub-stores-other-shards",
    "resolve-in-pieces",
  ]

  @Test(arguments: Deviation.all.map(\.id))
  func aVectorFails(id: String) throws {
    let deviation = try #require(Deviation.named(id))
    let store = DeviatingDatastore([deviation])
    func isShown(by vectors: [CorpusVector]) -> Bool {
      vectors.contains { vector in
        if case .fail = vector.verdict(on: store) { true } else { false }
      }
    }
    // A vector of one of its clauses, mostly; lint.json has the others.
    let corpus = try ProductFileTests.corpus()
    let own = corpus.vectors.filter { vector in
      vector.clauses.contains { deviation.clauses.contains($0.id.description) }
    }
    guard !Self.hidden.contains(id) else {
      #expect(!isShown(by: own))
      return
    }
    #expect(isShown(by: own) || isShown(by: corpus.vectors.filter { $0.vector.provenance == nil }))
  }
}
