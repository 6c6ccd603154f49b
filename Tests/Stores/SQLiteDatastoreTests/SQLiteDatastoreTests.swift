import Datastore
import JSON
import SQLiteDatastore
import Storage
import Testing

@Suite struct SQLiteDatastoreTests {
  @Test func aDocumentLivesThroughItsEdits() {
    let bench = Bench()
    let first = bench.written(.create(id: "d", body: ["n": 1]))
    #expect(bench.body("d") == ["n": 1])
    let second = bench.written(.update(id: "d", rev: first, body: ["n": 2]))
    #expect(bench.failure(.update(id: "d", rev: first, body: [:])) == .conflict)
    #expect(bench.body("d", first) == ["n": 1])
    let third = bench.written(.delete(id: "d", rev: second))
    #expect(bench.failure(.read(id: "d")) == .notFound(.deleted))
    #expect(bench.path("d", third) == [third, second, first])
    let fourth = bench.written(.create(id: "d", body: ["n": 4]))
    #expect(bench.path("d", fourth).count == 4)
    #expect(bench.last == 4)
  }
}
