import Datastore
import JSON
import SQLiteDatastore
import Storage
import Testing

/// Files that lost their contents, or their database, are never treated as a new store.
@Suite struct LostFileTests {
  /// A store with one document after a crash: the document is in the log.
  private func killedStore() throws -> MemoryStorage {
    let bench = Bench()
    #expect(bench.failure(.create(id: "d", body: ["n": 1])) == nil)
    try bench.datastore.crash(.kill)
    return bench.storage
  }

  @Test(arguments: [nil, []] as [[UInt8]?])
  func aLogWithoutItsDatabaseIsCorruptAndLeftAlone(database: [UInt8]?) throws {
    let storage = try killedStore()
    let whole = storage["notes.sqlite"]
    let log = storage["notes.sqlite-wal"]
    storage["notes.sqlite"] = database
    let bench = Bench(storage: storage)
    guard case .error(let error) = bench.perform(.open()) else {
      Issue.record("the store was opened")
      return
    }
    #expect(error.kind == .storage(.corrupt))
    #expect(
      error.message
        == "notes.sqlite is missing or empty, but notes.sqlite-wal contains its latest writes")
    #expect(storage["notes.sqlite"] == database)
    #expect(storage["notes.sqlite-wal"] == log)
    // So nothing is lost if the file is restored.
    storage["notes.sqlite"] = whole
    #expect(bench.failure(.open()) == nil)
    #expect(bench.body("d") == ["n": 1])
  }

  @Test func aFileShorterThanAHeaderIsCorruptAndLeftAlone() throws {
    for withLog in [true, false] {
      let storage = try killedStore()
      if !withLog { storage["notes.sqlite-wal"] = nil }
      let whole = try #require(storage["notes.sqlite"])
      let log = storage["notes.sqlite-wal"]
      for size in [1, 2, 16, 50, 99] {
        storage["notes.sqlite"] = Array(whole.prefix(size))
        let bench = Bench(storage: storage)
        guard case .error(let error) = bench.perform(.open()) else {
          Issue.record("\(size) bytes were opened")
          continue
        }
        #expect(error.kind == .storage(.corrupt))
        #expect(
          error.message == "notes.sqlite is not a database: it ends after \(size) bytes")
        #expect(storage["notes.sqlite"] == Array(whole.prefix(size)))
        #expect(storage["notes.sqlite-wal"] == log)
      }
    }
  }

  @Test func anEmptyFileWithoutALogIsANewStore() {
    for log in [nil, []] as [[UInt8]?] {
      let storage = MemoryStorage()
      storage["notes.sqlite"] = []
      storage["notes.sqlite-wal"] = log
      #expect(Bench(storage: storage).info?.documents == 0)
    }
  }

  @Test func aCreationThatWasCutOffOpensAsNew() throws {
    // The disk is full after each of the steps, and then the process crashes.
    var sizes: Set<Int> = []
    for capacity in stride(from: 0, to: 90_000, by: 500) {
      let storage = MemoryStorage(capacityBytes: capacity)
      let creator = Bench(storage: storage)
      let isDone = creator.info != nil
      try creator.datastore.crash(.kill)
      let size = storage["notes.sqlite"]?.count ?? 0
      let log = storage["notes.sqlite-wal"]?.count ?? 0
      #expect(size > 0 || log == 0, "\(capacity)")
      sizes.insert(size)
      storage.capacityBytes = nil
      let bench = Bench(storage: storage)
      #expect(bench.info?.documents == 0, "\(capacity)")
      #expect(bench.failure(.create(id: "d", body: [:])) == nil)
      expectInvariants(in: storage)
      if isDone { break }
    }
    #expect(sizes == [0, 4096])
  }

  @Test func theLogIsBegunAfterTheFile() throws {
    // `open` relies on this: the change of the journal mode alone writes the first page.
    let storage = MemoryStorage()
    let database = RawDatabase("a.sqlite", in: storage)
    database.execute("PRAGMA journal_mode = WAL")
    #expect(storage["a.sqlite"]?.count == 4096)
    #expect((storage["a.sqlite-wal"] ?? []).isEmpty)
  }

  @Test func aJournalUndoesAWriteThatWasCutOff() throws {
    // The first page is written under a journal with the information that the file was empty.
    let workshop = MemoryStorage()
    let database = RawDatabase("notes.sqlite", in: workshop)
    database.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; CREATE TABLE t (x);")
    database.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO t SELECT zeroblob(3000) FROM n
      """)
    let journal = try #require(workshop["notes.sqlite-journal"])
    let page = try #require(workshop["notes.sqlite"])
    #expect(!journal.isEmpty && page.count >= 4096)
    for size in [page.count, 60] {
      let storage = MemoryStorage()
      storage["notes.sqlite"] = Array(page.prefix(size))
      storage["notes.sqlite-journal"] = journal
      #expect(Bench(storage: storage).info?.documents == 0, "\(size)")
    }
  }
}
