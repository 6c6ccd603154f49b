import Datastore
import Foundation
import JSON
import SQLiteDatastore
import Storage
import Testing

/// Databases of other applications, which are neither opened nor removed.
@Suite struct OwnerTests {
  private static let others = [
    "CREATE TABLE photo (x)", "PRAGMA application_id = 1349021556",
    "PRAGMA application_id = -1; CREATE TABLE photo (x)",
    "PRAGMA journal_mode = WAL; CREATE TABLE photo (x); INSERT INTO photo VALUES (7)",
    "PRAGMA journal_mode = WAL; PRAGMA application_id = 1349021556",
  ]

  /// All files of a storage with their contents.
  private func contents(_ storage: MemoryStorage) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try storage.fileNames() { contents[name] = storage[name] }
    return contents
  }

  /// The files created by statements, closed or as left by a crash of the process.
  private func storage(
    _ fileName: String, _ statements: String, isClosed: Bool = true
  ) throws -> MemoryStorage {
    let storage = MemoryStorage()
    let workshop = isClosed ? storage : MemoryStorage()
    try withExtendedLifetime(RawDatabase(fileName, in: workshop)) { other in
      #expect(other.execute(statements) == 0)
      if !isClosed { for (name, bytes) in try contents(workshop) { storage[name] = bytes } }
    }
    return storage
  }

  @Test(arguments: others, [true, false])
  func aDatabaseOfAnotherApplicationStays(statements: String, isClosed: Bool) throws {
    let storage = try storage("notes.sqlite", statements, isClosed: isClosed)
    let before = try contents(storage)
    let bench = Bench(storage: storage)
    for action: StoreAction in [.open(), .destroy, .open()] {
      guard case .error(let error) = bench.perform(action) else {
        Issue.record("\(action) was done")
        continue
      }
      #expect(error.kind == .storage(.corrupt))
      #expect(
        error.message.hasPrefix("notes.sqlite is not a store but a database of another application")
      )
      #expect(try contents(storage) == before)
    }
    try bench.datastore.reset()
    #expect(try contents(storage) == before)
  }

  @Test func theMessageSaysWhoseItIs() throws {
    for (statements, owner) in [
      ("PRAGMA application_id = 1349021556", "its application_id is 1349021556 ('Phot')"),
      ("PRAGMA application_id = 7", "its application_id is 7"),
      ("CREATE TABLE t (x)", "it has tables but no application_id"),
    ] {
      let bench = Bench(storage: try storage("notes.sqlite", statements))
      guard case .error(let error) = bench.perform(.destroy) else {
        Issue.record("it was removed")
        continue
      }
      #expect(error.message.hasSuffix(": " + owner), "\(error.message)")
    }
  }

  @Test func resetTakesStoresAndLeavesTheRest() throws {
    let storage = try storage("photos.sqlite", "CREATE TABLE photo (x)")
    storage["My Photos.sqlite"] = Array("not a name that a store can have".utf8)
    storage[".sqlite"] = []
    storage["notes.db"] = []
    let before = try contents(storage)
    let bench = Bench(storage: storage)
    for name: StoreName in ["a", "b/c", "d"] {
      bench.perform(.open(), on: name)
      bench.perform(.create(id: "d", body: [:]), on: name)
    }
    storage["d.sqlite"] = nil
    storage["garbage.sqlite"] = Array("this is no database".utf8)
    try bench.datastore.reset()
    #expect(try contents(storage) == before)
  }

  @Test func whatIsOursOrNoDatabaseIsDestroyed() throws {
    let builder = Bench()
    for number in 0..<40 {
      builder.perform(.create(id: DocumentID(JSONString("d\(number)")), body: ["n": 1]))
    }
    try builder.datastore.shutdown()
    let whole = try #require(builder.storage["notes.sqlite"])
    var overwritten = whole
    for place in 100..<3000 { overwritten[place] = 0xa5 }
    for bytes in [
      [], Array("x".utf8), Array(repeating: 0x20, count: 5000), Array(whole.prefix(99)),
      Array(whole.prefix(100)), Array(whole.prefix(4096)), Array(whole.prefix(8192)), overwritten,
    ] {
      let storage = MemoryStorage()
      storage["notes.sqlite"] = bytes
      storage["notes.sqlite-wal"] = [1, 2, 3]
      #expect(Bench(storage: storage).failure(.destroy) == nil, "\(bytes.count) bytes")
      #expect(try storage.fileNames() == [])
    }
    for version in [0, 99] {
      RawDatabase("notes.sqlite", in: builder.storage).execute("PRAGMA user_version = \(version)")
      let copy = MemoryStorage()
      copy["notes.sqlite"] = builder.storage["notes.sqlite"]
      #expect(Bench(storage: copy).failure(.destroy) == nil)
      #expect(try copy.fileNames() == [])
    }
  }

  @Test func aLogWithoutItsDatabaseIsDestroyedToo() throws {
    let storage = MemoryStorage()
    storage["notes.sqlite-wal"] = [1, 2, 3]
    let bench = Bench(storage: storage)
    #expect(bench.failure(.info) == .noSuchStore)
    #expect(bench.failure(.destroy) == nil)
    #expect(try storage.fileNames() == [])
    #expect(bench.failure(.destroy) == nil)
    #expect(bench.failure(.open()) == nil)
  }

  @Test func onDiskTheFileStaysAsItIs() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = try DiskStorage(directory: folder.path)
    RawDatabase("photos.sqlite", in: storage)
      .execute("PRAGMA journal_mode = WAL; CREATE TABLE photo (x)")
    let file = folder.appending(path: "photos.sqlite")
    let before = try Data(contentsOf: file)
    let bench = Bench()
    let datastore = SQLiteDatastore(storage: storage)
    let outcome = try datastore.perform(StoreOperation("photos", .destroy), bench.environment)
    #expect(outcome.errorKind == .storage(.corrupt))
    try datastore.reset()
    #expect(try Data(contentsOf: file) == before)
    #expect(try storage.fileNames() == ["photos.sqlite"])
  }
}
