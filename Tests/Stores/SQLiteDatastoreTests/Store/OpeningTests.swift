import Datastore
import JSON
import SQLiteDatastore
import Storage
import Testing

@Suite struct OpeningTests {
  @Test func namesThatAreNone() {
    let bench = Bench()
    let long = String(repeating: "a", count: 238)
    for name in ["", "A", "1a", "a.b", "a b", "_a", "é", "a\u{0}", "aB", long + "a"] {
      let store = StoreName(JSONString(name))
      #expect(bench.perform(.open(), on: store).errorKind == .badName, "\(name)")
      #expect(bench.perform(.close, on: store) == .ok(.done))
      #expect(bench.perform(.destroy, on: store) == .ok(.done))
      #expect(bench.perform(.info, on: store).errorKind == .noSuchStore)
    }
    for name in ["a", "a0_$()+/-", "a/b//", long] {
      #expect(bench.perform(.open(), on: StoreName(JSONString(name))) == .ok(.done), "\(name)")
    }
  }

  @Test func aSlashIsNoFolder() throws {
    let bench = Bench()
    bench.perform(.close)
    bench.perform(.open(), on: "notes/2026")
    bench.perform(.close, on: "notes/2026")
    #expect(try bench.storage.fileNames() == ["notes.sqlite", "notes:2026.sqlite"])
  }

  @Test func whatWasSetSurvivesClosing() {
    let bench = Bench(revisionIDs: .couchdb, collation: .cdt)
    bench.perform(.historyLimit(1))
    bench.perform(.setValidation(refuse: .bodyFieldEquals(field: "x", value: .unsigned(.max))))
    bench.perform(.create(id: "d", body: ["n": 1]))
    bench.perform(.writeLocal(id: "l", body: ["a\u{0}": 1]))
    let before = bench.info
    bench.perform(.close)
    #expect(bench.failure(.info) == .noSuchStore)
    #expect(bench.failure(.open()) == nil)
    #expect(bench.info == before)
    #expect(bench.failure(.open(revisionIDs: .couchdb, collation: .cdt)) == nil)
    #expect(bench.failure(.create(id: "e", body: ["x": .unsigned(.max)])) == .forbidden)
    #expect(bench.failure(.create(id: "e", body: ["x": .unsigned(.max - 1)])) == nil)
    #expect(bench.perform(.readLocal(id: "l")) == .ok(.local(body: ["a\u{0}": 1])))
  }

  @Test func aStoreIsWhatItWasMade() {
    let bench = Bench(revisionIDs: .own)
    for isOpen in [true, false] {
      if !isOpen { bench.perform(.close) }
      #expect(
        bench.failure(.open(revisionIDs: .couchdb)) == .badRequest(path: "revisionIDs"))
      #expect(bench.failure(.open(collation: .cdt)) == .badRequest(path: "collation"))
      #expect((bench.info == nil) == !isOpen)
      #expect(bench.failure(.open(revisionIDs: .cdtDigest2, collation: .bytes)) == nil)
    }
  }

  @Test func destroyingMakesAnotherStore() throws {
    for isOpen in [true, false] {
      let bench = Bench()
      bench.perform(.create(id: "d", body: [:]))
      bench.perform(.historyLimit(1))
      let before = try #require(bench.info)
      if !isOpen { bench.perform(.close) }
      #expect(bench.failure(.destroy) == nil)
      #expect(try bench.storage.fileNames() == [])
      #expect(bench.failure(.info) == .noSuchStore)
      bench.perform(.open(collation: .cdt))
      let after = try #require(bench.info)
      #expect(after.incarnation != before.incarnation)
      #expect(after.incarnation.utf8.count == 32)
      #expect(after.documents == 0)
      #expect(bench.failure(.changes(since: before.last)) == .badSequence)
    }
  }

  @Test func resetRemovesWhatIsOpenAndWhatIsNot() throws {
    let bench = Bench()
    bench.perform(.open(), on: "other")
    bench.perform(.close)
    bench.storage["someone.else"] = [1]
    try bench.datastore.reset()
    #expect(try bench.storage.fileNames() == ["someone.else"])
    #expect(bench.perform(.info, on: "other").errorKind == .noSuchStore)
  }

  @Test func runsOfOneSeedAreEqual() {
    func run(_ seed: UInt64) -> [Outcome] {
      let datastore = SQLiteDatastore(storage: MemoryStorage())
      let environment = RunEnvironment(seed: seed)
      return [.open(), .create(id: nil, body: ["n": 1]), .info, .list(), .changes()].map {
        (try? datastore.perform(StoreOperation("s", $0), environment)) ?? .unknown
      }
    }
    #expect(run(5) == run(5))
    #expect(run(5) != run(6))
  }
}
