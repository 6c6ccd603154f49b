import Datastore
import JSON
import SQLiteDatastore
import Storage
import Testing

@Suite struct CrashTests {
  @Test func aKilledStoreKeepsEveryAcknowledgedWrite() throws {
    let bench = Bench()
    for number in 0..<20 {
      bench.perform(.create(id: DocumentID(JSONString("d\(number)")), body: ["n": 1]))
    }
    let before = bench.info
    let filesBefore = try bench.storage.fileNames().map { bench.storage[$0] }
    try bench.datastore.crash(.kill)
    // The log still exists, with the contents that a closing store would have moved into the
    // database.
    #expect(try bench.storage.fileNames() == ["notes.sqlite", "notes.sqlite-wal"])
    #expect(try bench.storage.fileNames().map { bench.storage[$0] } == filesBefore)
    #expect(bench.failure(.info) == .noSuchStore)
    #expect(bench.failure(.open()) == nil)
    #expect(bench.info == before)
    expectInvariants(in: bench.storage)
  }

  @Test func everyPrefixOfTheLogIsAStateThatWas() throws {
    let bench = Bench()
    var states = Set([bench.info])
    for number in 0..<6 {
      bench.perform(.create(id: DocumentID(JSONString("d\(number)")), body: ["n": 1]))
      states.insert(bench.info)
    }
    try bench.datastore.crash(.kill)
    let database = try #require(bench.storage["notes.sqlite"])
    let log = try #require(bench.storage["notes.sqlite-wal"])
    var seen = Set<StoreInfo?>()
    for length in Array(stride(from: 0, to: log.count, by: 2500)) + [log.count] {
      let storage = MemoryStorage()
      storage["notes.sqlite"] = database
      storage["notes.sqlite-wal"] = Array(log.prefix(length))
      let survivor = Bench(storage: storage)
      // Before the schema's commit the store does not exist, and opening creates one that equals
      // the first, because the environment has the same seed.
      #expect(states.contains(survivor.info), "after \(length) bytes")
      seen.insert(survivor.info)
      #expect(survivor.failure(.create(id: "new", body: [:])) == nil)
      expectInvariants(in: storage)
    }
    #expect(seen == states)
  }

  @Test func powerLossIsNotDeclared() throws {
    let bench = Bench()
    #expect(bench.datastore.description.crashes == [.kill])
    #expect(throws: HarnessError.self) { try bench.datastore.crash(.powerLoss) }
  }
}
