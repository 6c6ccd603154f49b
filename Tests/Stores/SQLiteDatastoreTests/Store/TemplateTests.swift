import Datastore
import JSON
import Storage
import Synchronization
import Testing

@testable import SQLiteDatastore

/// New stores are copies of a template; the difference must not be visible.
@Suite struct TemplateTests {
  private static let file = "notes.sqlite"
  private static let shape = """
    SELECT type, name, tbl_name, sql FROM sqlite_schema
    UNION ALL SELECT 'mark', application_id, '', '' FROM pragma_application_id
    UNION ALL SELECT 'version', user_version, '', '' FROM pragma_user_version
    """

  @Test func aCopyIsWhatTheSchemaMakes() {
    let storage = MemoryStorage()
    let made = RawDatabase("made.sqlite", in: storage)
    #expect(made.execute(Schema.creation) == 0)
    let bench = Bench(storage: storage, revisionIDs: .couchdb, collation: .cdt)
    let copy = RawDatabase(Self.file, in: storage)
    #expect(copy.rows(Self.shape) == made.rows(Self.shape))
    #expect(copy.rows("PRAGMA journal_mode") == [["wal"]])
    #expect(
      copy.rows("SELECT only, revision_ids, collation, last_sequence FROM store")
        == [["1", "couchdb", "cdt", "0"]])
    let second = Bench(storage: MemoryStorage(), opens: false)
    second.environment = RunEnvironment(seed: 2)
    second.perform(.open())
    #expect(second.info?.incarnation != bench.info?.incarnation)
    #expect(second.info?.documents == 0)
  }

  @Test(arguments: [
    (512, 512), (4096, 4096), (1024, 1024), (nil, 4096), (65_536, 65_536), (0, 4096), (-1, 4096),
    (1000, 4096), (131_072, 4096),
  ])
  func aNewStoreHasTheRequestedPageSize(requested: Int?, pageBytes: Int) throws {
    let storage = MemoryStorage()
    let datastore = SQLiteDatastore(storage: storage, pageBytes: requested)
    let environment = RunEnvironment(seed: 1)
    #expect(try datastore.perform(StoreOperation("notes", .open()), environment).result != nil)
    let created = StoreOperation("notes", .create(id: "d", body: ["n": 1]))
    #expect(try datastore.perform(created, environment).result != nil)
    let raw = RawDatabase(Self.file, in: storage)
    #expect(raw.rows("PRAGMA page_size") == [["\(pageBytes)"]])
    #expect(try #require(storage[Self.file]).count == pageBytes)
    expectInvariants(in: storage)
  }

  /// A page kept for each new store would accumulate in a long campaign.
  @Test func newStoresLeaveNothingBehind() {
    for _ in 0..<20 { _ = Bench() }
    let unsynced = StoreTemplate.idle.withLock { templates in
      templates.map { $0.storage.unsyncedChanges.count }
    }
    #expect(!unsynced.isEmpty)
    #expect(unsynced.allSatisfy { $0 == 0 })
  }

  @Test func aStoreThatAnotherMakesMeanwhileStays() throws {
    let storage = MemoryStorage()
    let other = Bench(storage: storage, opens: false)
    // Requested after the file was found to be empty, and before anything is written.
    let store = try #require(
      try Store.open(
        Self.file, in: storage, Store.Wishes(revisionIDs: nil, collation: .cdt),
        settings: Store.Settings(busyMilliseconds: 0),
        incarnation: {
          #expect(other.failure(.open(collation: .cdt)) == nil)
          #expect(other.failure(.create(id: "d", body: ["n": 1])) == nil)
          return "00000000"
        }))
    #expect(other.body("d") == ["n": 1])
    #expect(store.identity.incarnation == other.info?.incarnation)
    #expect(store.row.liveDocuments == 1)
    expectInvariants(in: storage)
  }

  @Test(arguments: [
    "CREATE TABLE t (x); DROP TABLE t", "PRAGMA page_size = 1024; VACUUM",
    "PRAGMA auto_vacuum = FULL; CREATE TABLE t (x); DROP TABLE t",
    "PRAGMA page_size = 1024; PRAGMA journal_mode = WAL",
  ])
  func aDatabaseWithoutTablesBecomesAStore(statements: String) {
    let storage = MemoryStorage()
    withExtendedLifetime(RawDatabase(Self.file, in: storage)) { database in
      #expect(database.execute(statements) == 0)
    }
    let bench = Bench(storage: storage)
    #expect(bench.failure(.create(id: "d", body: ["n": 1])) == nil)
    #expect(bench.body("d") == ["n": 1])
    expectInvariants(in: storage)
  }

  /// Its length equals one page of the template.
  @Test func aDatabaseOfSmallerPagesBecomesAStore() throws {
    let storage = MemoryStorage()
    withExtendedLifetime(RawDatabase(Self.file, in: storage)) { database in
      let statements = """
        PRAGMA page_size = 512; CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(3500)); DROP TABLE t
        """
      #expect(database.execute(statements) == 0)
    }
    #expect(storage[Self.file]?.count == 4096)
    let bench = Bench(storage: storage)
    #expect(bench.failure(.create(id: "d", body: ["n": 1])) == nil)
    #expect(bench.body("d") == ["n": 1])
    expectInvariants(in: storage)
  }

  @Test func resetRemovesAnOpenStoreButNotWhatTookItsPlace() throws {
    let bench = Bench()
    bench.perform(.create(id: "d", body: [:]))
    try bench.datastore.reset()
    #expect(try bench.storage.fileNames() == [])
    bench.perform(.open())
    bench.storage[Self.file] = nil
    bench.storage[Self.file + "-wal"] = nil
    withExtendedLifetime(RawDatabase(Self.file, in: bench.storage)) { other in
      #expect(other.execute("CREATE TABLE photo (x)") == 0)
    }
    try bench.datastore.reset()
    #expect(try bench.storage.fileNames() == [Self.file])
  }
}
