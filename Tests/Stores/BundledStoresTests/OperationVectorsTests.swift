import Datastore
import Testing
import TouchstoneKit

/// Both stores pass all vectors, so a vector for each operation shows that both have it.
@Suite struct OperationVectorsTests {
  @Test func everyOperationHasAVector() throws {
    ObjectOperationFamilies.register()
    let vectors = try Corpus.standard().vectors.filter { $0.vector.provenance == nil }
    let performed = Set(vectors.flatMap { $0.vector.steps.map { "\($0.name)" } })
    // Other tests of this process register families of their own.
    let bundled: Set = ["objects", "contexts", "stacks", "collections"]
    let families = OperationFamily.registered.filter { bundled.contains($0.name) }
    #expect(families.count == bundled.count)
    let rows = OperationTable.core.rows.map(\.name) + families.flatMap { $0.table.rows.map(\.name) }
    // Sessions stand for the turns of a store's own replicator.
    let open = rows.filter { !performed.contains($0) }
    #expect(open == [])
  }
}
