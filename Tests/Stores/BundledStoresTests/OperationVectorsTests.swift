import Datastore
import Testing
import TouchstoneKit

/// Both stores pass all vectors, so a vector for each operation shows that both have it.
@Suite struct OperationVectorsTests {
  @Test func everyOperationHasAVector() throws {
    ObjectOperationFamilies.register()
    let vectors = try Corpus.standard().vectors.filter { $0.vector.provenance == nil }
    let performed = Set(vectors.flatMap { $0.vector.steps.map { "\($0.name)" } })
    // Sessions stand for the turns of a store's own replicator.
    let open = OperationTable.current.rows.map(\.name).filter { !performed.contains($0) }
    #expect(open == [])
  }
}
