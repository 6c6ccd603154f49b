import Datastore
import JSON
import SQLiteDatastore
import Storage
import Testing

/// The behavior of a store with damaged files.
@Suite struct StorageFaultTests {
  private static let file = "notes.sqlite"

  /// Files in memory with a closed store of ten documents.
  private func storageWithAStore() throws -> MemoryStorage {
    let bench = Bench()
    for number in 0..<10 {
      bench.perform(.create(id: DocumentID(JSONString("d\(number)")), body: ["n": 1]))
    }
    try bench.datastore.shutdown()
    return bench.storage
  }

  private func openFailure(_ storage: MemoryStorage) -> DatastoreError.Kind? {
    Bench(storage: storage).failure(.open())
  }

  @Test func aTruncatedFileIsCorrupt() throws {
    let storage = try storageWithAStore()
    let whole = try #require(storage[Self.file])
    for size in [1, 100, 1000, 4096, 4097, 8192, whole.count - 4096] {
      storage[Self.file] = Array(whole.prefix(size))
      let bench = Bench(storage: storage)
      let failures = [
        bench.failure(.open()), bench.failure(.list()), bench.failure(.changes()),
        bench.failure(.create(id: "new", body: [:])),
      ]
      #expect(failures.contains(.storage(.corrupt)), "after \(size) bytes: \(failures)")
      #expect(
        failures.allSatisfy { $0 == nil || $0 == .storage(.corrupt) || $0 == .noSuchStore },
        "after \(size) bytes: \(failures)")
    }
    storage[Self.file] = whole
    #expect(Bench(storage: storage).info?.documents == 10)
  }

  @Test func overwrittenPagesAreCorruptAndNeverATrap() throws {
    let storage = try storageWithAStore()
    let whole = try #require(storage[Self.file])
    var random = SplitMix(state: 3)
    for round in 0..<60 {
      var damaged = whole
      for _ in 0..<(1 + round % 7) {
        let place = random.below(whole.count)
        for offset in place..<min(whole.count, place + 1 + random.below(40)) {
          damaged[offset] = UInt8(truncatingIfNeeded: random.next())
        }
      }
      storage[Self.file] = damaged
      let bench = Bench(storage: storage)
      for action: StoreAction in [
        .open(), .list(), .changes(), .read(id: "d3"), .create(id: "d3", body: [:]),
        .leaves(id: "d4"), .insertRevisions([RevisionRecord(id: "d5", path: ["1-x"], body: [:])]),
      ] {
        // Any outcome is acceptable, as long as there is one.
        #expect(bench.perform(action) != .unknown)
      }
    }
  }

  @Test func aFileOfAnotherKindIsCorruptAndLeftAlone() throws {
    let storage = MemoryStorage()
    storage[Self.file] = Array("this is not a database, but long enough to be checked for one".utf8)
    let before = storage[Self.file]
    #expect(openFailure(storage) == .storage(.corrupt))
    #expect(storage[Self.file] == before)
  }

  @Test func aDatabaseOfAnotherApplicationIsCorruptAndLeftAlone() throws {
    let storage = MemoryStorage()
    do {
      let other = RawDatabase(Self.file, in: storage)
      other.execute("CREATE TABLE theirs (x); PRAGMA user_version = 1")
    }
    let before = storage[Self.file]
    #expect(openFailure(storage) == .storage(.corrupt))
    #expect(storage[Self.file] == before)
    #expect(try storage.fileNames() == [Self.file])
  }

  @Test func aFileOfALaterVersionIsRefusedAndLeftAlone() throws {
    let storage = try storageWithAStore()
    RawDatabase(Self.file, in: storage).execute("PRAGMA user_version = 7")
    #expect(openFailure(storage) == .storage(.newerVersion))
    RawDatabase(Self.file, in: storage).execute("PRAGMA user_version = 6")
    #expect(openFailure(storage) == nil)
    #expect(Bench(storage: storage).info?.documents == 10)
  }

  @Test func aDamagedBodyIsNamed() throws {
    let storage = try storageWithAStore()
    RawDatabase(Self.file, in: storage)
      .execute("UPDATE revision SET body = '{\"n\":' WHERE document = 4")
    let bench = Bench(storage: storage)
    guard case .error(let error) = bench.perform(.read(id: "d3")) else {
      Issue.record("the damaged body was read")
      return
    }
    #expect(error.kind == .storage(.corrupt))
    #expect(error.message.contains("'d3'") && error.message.contains("1-"))
    #expect(bench.body("d4") == ["n": 1])
  }

  /// The message of a failed statement quotes the statement.
  @Test func aFailedStatementIsQuoted() throws {
    let storage = try storageWithAStore()
    let triggers = "CREATE TRIGGER t BEFORE INSERT ON revision BEGIN SELECT RAISE(ABORT, 'no'); END"
    #expect(RawDatabase(Self.file, in: storage).execute(triggers) == 0)
    let bench = Bench(storage: storage)
    guard case .error(let error) = bench.perform(.create(id: "new", body: [:])) else {
      Issue.record("the document was created")
      return
    }
    #expect(error.kind == .storage(.corrupt))
    #expect(error.message.contains("is damaged: no (in \"INSERT INTO revision"), "\(error)")
  }

  static let damagedTrees = [
    // A root that descends from its own leaf.
    "UPDATE revision SET parent = (SELECT max(rev) FROM revision) WHERE parent IS NULL",
    // Names of another generation: 9-x, and an invalid one.
    "UPDATE revision SET rev = x'392d78' WHERE generation = 2",
    "UPDATE revision SET rev = x'ff' WHERE generation = 2",
    "UPDATE revision SET generation = 9223372036854775807 WHERE leaf = 1",
    "UPDATE revision SET generation = -9223372036854775807 WHERE leaf = 0 AND parent IS NULL",
    "UPDATE document SET winner = x'392d78'", "UPDATE document SET winner = x''",
    "UPDATE document SET branched = 1 - branched", "UPDATE revision SET leaf = 1 - leaf",
    "UPDATE revision SET rank = NULL", "UPDATE revision SET rank = x'00'",
    "UPDATE revision SET body = NULL, deleted = NULL",
  ]

  @Test(arguments: damagedTrees, [false, true])
  func aDamagedTreeIsNoTrap(damage: String, isBranched: Bool) throws {
    let storage = MemoryStorage()
    let builder = Bench(storage: storage)
    builder.insert("d", ["4-d", "3-c", "2-b"])
    if isBranched { builder.insert("d", ["3-x", "2-b"]) }
    try builder.datastore.shutdown()
    #expect(RawDatabase(Self.file, in: storage).execute(damage) == 0)
    let bench = Bench(storage: storage)
    bench.perform(.historyLimit(2))
    for action: StoreAction in [
      .getRevisions([RevisionQuery(id: "d", revs: ["4-d", "1-a"], latest: true)]),
      .getRevisions([RevisionQuery(id: "d", revs: ["4-d"])]), .leaves(id: "d"),
      .insertRevisions([
        RevisionRecord(id: "d", path: ["5-e", "4-d", "3-c", "2-b", "1-a"], body: [:])
      ]),
      .read(id: "d"), .create(id: "d", body: [:]), .list(), .changes(), .compact,
      .resolve(id: "d", leaves: ["4-d"], keep: "4-d", body: [:]),
      .revsDiff([RevisionQuery(id: "d", revs: ["6-f"])]),
      .purge(id: "d", revs: ["4-d", "5-e"]),
    ] {
      #expect(bench.perform(action) != .unknown)
    }
  }

  @Test(arguments: [
    "UPDATE revision SET rank = NULL WHERE rank IS NOT NULL",
    "UPDATE revision SET leaf = 0, rank = NULL WHERE rank IS NOT NULL",
    "DELETE FROM revision WHERE rank IS NOT NULL",
  ])
  func aDocumentWithoutALeafIsNamed(damage: String) throws {
    let storage = MemoryStorage()
    let builder = Bench(storage: storage)
    builder.insert("d", ["3-c", "2-b", "1-a"])
    builder.insert("d", ["3-x", "2-b"])
    builder.insert("e", ["1-a"])
    try builder.datastore.shutdown()
    #expect(
      RawDatabase(Self.file, in: storage)
        .execute(damage) == 0)
    let bench = Bench(storage: storage)
    for action: StoreAction in [
      .leaves(id: "d"), .changes(), .resolve(id: "d", leaves: ["3-c", "3-x"], keep: "3-c"),
      .getRevisions([RevisionQuery(id: "d", revs: ["1-a"], latest: true)]),
      .getRevisions([RevisionQuery(id: "d", revs: ["2-b"], latest: true)]),
      .revsDiff([RevisionQuery(id: "d", revs: ["6-f"])]),
    ] {
      guard case .error(let error) = bench.perform(action) else {
        Issue.record("\(action) was answered")
        continue
      }
      #expect(error.kind == .storage(.corrupt), "\(action)")
      #expect(error.message.hasPrefix("notes.sqlite contains 'd' without a leaf"), "\(error)")
    }
    #expect(bench.leaves("e") == ["1-a"])
  }

  @Test(arguments: [
    "UPDATE revision SET parent = rev WHERE generation = 3",
    "UPDATE revision SET parent = rev WHERE generation = 2",
    "UPDATE revision SET parent = x'332d63' WHERE generation = 2",
    "UPDATE revision SET parent = x'312d61' WHERE generation = 3",
    "UPDATE revision SET parent = x'322d78' WHERE generation = 3",
  ])
  func aHistoryThatBitesItsTailIsCorrupt(damage: String) throws {
    let storage = MemoryStorage()
    let builder = Bench(storage: storage)
    builder.insert("d", ["3-c", "2-b", "1-a"])
    try builder.datastore.shutdown()
    #expect(RawDatabase(Self.file, in: storage).execute(damage) == 0)
    let bench = Bench(storage: storage)
    let ask = StoreAction.getRevisions([RevisionQuery(id: "d", revs: ["3-c"])])
    guard case .error(let error) = bench.perform(ask) else {
      Issue.record("the history was returned")
      return
    }
    #expect(error.kind == .storage(.corrupt))
    #expect(error.message.hasPrefix("notes.sqlite "))
  }

  @Test func countersThatNoStoreHasAreCorrupt() throws {
    let storage = try storageWithAStore()
    for change in [
      "last_sequence = 9223372036854775807", "live_documents = -1", "history_limit = 0",
      "collation = 'french'", "incarnation = x'ff'",
    ] {
      let before = storage[Self.file]
      RawDatabase(Self.file, in: storage).execute("UPDATE store SET \(change)")
      #expect(openFailure(storage) == (before == storage[Self.file] ? nil : .storage(.corrupt)))
      storage[Self.file] = before
    }
  }

  @Test func aFileThatWasTakenAwayTakesNoMoreWrites() throws {
    let bench = Bench()
    bench.perform(.create(id: "d", body: ["n": 1]))
    bench.storage[Self.file] = nil
    #expect(bench.failure(.create(id: "e", body: [:])) == .storage(.io))
    #expect(bench.body("d") == ["n": 1])
    bench.perform(.close)
    // The log with the write still exists, but no database to move it into.
    #expect(bench.failure(.open()) == .storage(.corrupt))
    #expect(bench.failure(.destroy) == nil)
    #expect(bench.failure(.open()) == nil)
    #expect(bench.info?.documents == 0)
  }

  @Test func aReadOnlyFolderRefusesOpeningAndWriting() throws {
    let storage = try storageWithAStore()
    storage.isReadOnly = true
    #expect(openFailure(storage) == .storage(.readOnly))
    #expect(Bench(storage: storage, collation: .bytes).info == nil)
    storage.isReadOnly = false
    let bench = Bench(storage: storage)
    storage.isReadOnly = true
    #expect(bench.failure(.create(id: "new", body: [:])) == .storage(.readOnly))
    #expect(bench.failure(.destroy) == .storage(.readOnly))
    #expect(bench.body("d1") == ["n": 1])
    storage.isReadOnly = false
    #expect(bench.failure(.read(id: "new")) == .notFound(.missing))
    #expect(bench.failure(.create(id: "new", body: [:])) == nil)
    expectInvariants(in: storage)
  }

  @Test func aFullDiskTakesNothingHalf() throws {
    let bench = Bench()
    bench.perform(.create(id: "kept", body: ["n": 1]))
    let big = JSONValue.text(String(repeating: "x", count: 50_000))
    for room in [0, 1, 4096, 5000, 20_000, 45_000] {
      let used = try bench.storage.fileNames().reduce(0) { $0 + (bench.storage[$1]?.count ?? 0) }
      bench.storage.capacityBytes = used + room
      let last = bench.last
      #expect(bench.failure(.create(id: "big", body: ["x": big])) == .storage(.full))
      let records = (0..<30).map {
        RevisionRecord(id: DocumentID(JSONString("r\($0)")), path: ["1-a"], body: ["x": big])
      }
      #expect(bench.failure(.insertRevisions(records)) == .storage(.full))
      #expect(bench.last == last)
      #expect(bench.body("kept") == ["n": 1])
      #expect(bench.failure(.read(id: "big")) == .notFound(.missing))
      #expect(bench.failure(.read(id: "r0")) == .notFound(.missing))
    }
    bench.storage.capacityBytes = nil
    #expect(bench.failure(.create(id: "big", body: ["x": big])) == nil)
    expectInvariants(in: bench.storage)
  }

  @Test func aStoreThatFindsNoRoomAtCreationCanBeMadeLater() {
    for capacity in stride(from: 0, to: 60_000, by: 1500) {
      let storage = MemoryStorage(capacityBytes: capacity)
      let bench = Bench(storage: storage)
      if bench.info != nil { continue }
      #expect(bench.failure(.open()) == .storage(.full), "\(capacity)")
      storage.capacityBytes = nil
      #expect(bench.failure(.open()) == nil, "\(capacity)")
      #expect(bench.failure(.create(id: "d", body: [:])) == nil)
      expectInvariants(in: storage)
    }
  }

  @Test func whoeverHoldsTheFileMakesWritersBusy() {
    let bench = Bench()
    bench.perform(.create(id: "d", body: ["n": 1]))
    let other = RawDatabase(Self.file, in: bench.storage)
    #expect(other.execute("BEGIN IMMEDIATE") == 0)
    #expect(bench.failure(.create(id: "e", body: [:])) == .busy)
    #expect(bench.failure(.compact) == .busy)
    // A reader does not block a writer.
    #expect(bench.body("d") == ["n": 1])
    #expect(bench.failure(.destroy) == .busy)
    #expect(other.execute("ROLLBACK") == 0)
    #expect(bench.failure(.create(id: "e", body: [:])) == nil)
  }

  @Test func twoDatastoresShareAStore() {
    let bench = Bench()
    let other = Bench(storage: bench.storage)
    let first = bench.written(.create(id: "d", body: ["n": 1]))
    let second = other.written(.update(id: "d", rev: first, body: ["n": 2]))
    #expect(bench.body("d") == ["n": 2])
    #expect(bench.failure(.update(id: "d", rev: first, body: [:])) == .conflict)
    #expect(bench.failure(.update(id: "d", rev: second, body: ["n": 3])) == nil)
    #expect(bench.info == other.info)
    #expect(bench.failure(.destroy) == .busy)
    #expect(other.body("d") == ["n": 3])
    other.perform(.close)
    #expect(bench.failure(.destroy) == nil)
    #expect(bench.info == nil)
  }
}
