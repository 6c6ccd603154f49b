import Datastore
import JSON
import SQLiteDatastore
import Storage
import Testing

/// The messages about damaged files: the file, the error, and the expectation.
@Suite struct MessageTests {
  private func message(_ bench: Bench, _ action: StoreAction) -> String {
    guard case .error(let error) = bench.perform(action) else { return "no error" }
    return error.message
  }

  private func message(of change: String, _ action: StoreAction = .open()) throws -> String {
    let builder = Bench()
    builder.insert("d", ["2-b", "1-a"])
    try builder.datastore.shutdown()
    RawDatabase("notes.sqlite", in: builder.storage).execute(change)
    return message(Bench(storage: builder.storage), action)
  }

  @Test func aFileThatIsNoDatabase() {
    let storage = MemoryStorage()
    storage["notes.sqlite"] = Array(String(repeating: "no database ", count: 100).utf8)
    #expect(message(Bench(storage: storage), .open()) == "notes.sqlite is not a database")
  }

  @Test(arguments: [0, -1, 1, 99])
  func aStoreOfAnotherVersion(version: Int) throws {
    #expect(
      try message(of: "PRAGMA user_version = \(version)")
        == "notes.sqlite has version \(version) of the store format; this program reads version 6")
  }

  @Test func aFullDisk() {
    for capacity in [0, 5000] {
      #expect(
        message(Bench(storage: MemoryStorage(capacityBytes: capacity)), .open())
          == "the disk is full: cannot write notes.sqlite")
    }
    let bench = Bench()
    bench.storage.capacityBytes = 0
    #expect(
      message(bench, .create(id: "d", body: [:])) == "the disk is full: cannot write notes.sqlite")
  }

  @Test func othersAndReadOnlyFolders() {
    let bench = Bench()
    let other = RawDatabase("notes.sqlite", in: bench.storage)
    other.execute("BEGIN IMMEDIATE")
    #expect(
      message(bench, .create(id: "d", body: [:]))
        == "notes.sqlite is in use by another connection")
    other.execute("ROLLBACK")
    bench.storage.isReadOnly = true
    #expect(message(bench, .create(id: "d", body: [:])) == "notes.sqlite is read-only")
    bench.storage.isReadOnly = false
    bench.storage["notes.sqlite"] = nil
    #expect(
      message(bench, .create(id: "d", body: [:]))
        == "notes.sqlite was removed or replaced while it was open")
  }

  @Test(arguments: [
    "DROP TABLE document", "DROP TABLE store", "DELETE FROM store",
    "ALTER TABLE revision DROP COLUMN body", "UPDATE store SET last_sequence = -1",
    "UPDATE store SET collation = 'french'", "UPDATE store SET incarnation = CAST(x'ff' AS TEXT)",
    "UPDATE revision SET rev = x'ff'", "UPDATE revision SET rev = x'2d'",
    "UPDATE revision SET body = '{' || char(10)", "UPDATE document SET winner = x'392d78'",
    "UPDATE store SET refuse = '{}'", "CREATE VIEW \"a\nb\" AS SELECT x FROM no_such_table",
  ])
  func damageNamesTheFileOnOneLine(change: String) throws {
    for action: StoreAction in [
      .open(), .read(id: "d"), .create(id: "e", body: [:]), .leaves(id: "d"),
    ] {
      let message = try message(of: "PRAGMA foreign_keys = OFF; " + change, action)
      guard message != "no error" else { continue }
      #expect(message.contains("notes.sqlite") || message.contains("'notes'"), "\(message)")
      #expect(!message.contains("\n") && !message.contains("SQLite "), "\(message)")
      // A statement is quoted and truncated, so that a damaged schema cannot make the message long.
      #expect(message.count < 300, "\(message)")
    }
  }
}
