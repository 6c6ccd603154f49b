import CSQLite
import Storage
import Testing

/// Two connections to one file, in both locking modes of SQLite.
@Suite struct MemoryFileTests {
  private func pair(_ mode: String) -> (VFSConnection, VFSConnection, MemoryStorage) {
    let storage = MemoryStorage()
    let (left, right) = (VFSConnection("a.db", in: storage), VFSConnection("a.db", in: storage))
    left.run("PRAGMA journal_mode = \(mode); CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    return (left, right, storage)
  }

  @Test(arguments: ["WAL", "DELETE"])
  func oneWritesAtATime(mode: String) {
    let (left, right, _) = pair(mode)
    #expect(left.run("BEGIN IMMEDIATE") == SQLITE_OK)
    #expect(right.run("BEGIN IMMEDIATE") == SQLITE_BUSY)
    #expect(right.value("SELECT count(*) FROM t") == "1")
    #expect(left.run("INSERT INTO t VALUES (2); COMMIT") == SQLITE_OK)
    #expect(right.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (3); COMMIT") == SQLITE_OK)
    #expect(left.value("SELECT count(*) FROM t") == "3")
    #expect(left.value("PRAGMA integrity_check") == "ok")
  }

  @Test func aReaderHoldsUpACommitToTheJournal() {
    let (left, right, _) = pair("DELETE")
    #expect(right.run("BEGIN; SELECT * FROM t") == SQLITE_OK)
    #expect(left.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)") == SQLITE_OK)
    #expect(left.run("COMMIT") == SQLITE_BUSY)
    // The writer is pending: no new reader can lock the file, but the old one continues.
    #expect(right.value("SELECT count(*) FROM t") == "1")
    #expect(right.run("COMMIT") == SQLITE_OK)
    #expect(right.value("SELECT count(*) FROM t") == nil)
    #expect(left.run("COMMIT") == SQLITE_OK)
    #expect(right.value("SELECT count(*) FROM t") == "2")
  }

  @Test func anExclusiveTransactionKeepsReadersOut() {
    let (left, right, _) = pair("DELETE")
    #expect(left.run("BEGIN EXCLUSIVE") == SQLITE_OK)
    #expect(right.value("SELECT count(*) FROM t") == nil)
    #expect(left.run("ROLLBACK") == SQLITE_OK)
    #expect(right.value("SELECT count(*) FROM t") == "1")
  }

  @Test func aReaderOfTheLogSeesWhatWas() {
    let (left, right, _) = pair("WAL")
    #expect(right.run("BEGIN; SELECT * FROM t") == SQLITE_OK)
    #expect(left.run("INSERT INTO t VALUES (2)") == SQLITE_OK)
    #expect(right.value("SELECT count(*) FROM t") == "1")
    // It cannot write to a state that is no longer current.
    #expect(right.run("INSERT INTO t VALUES (3)") == SQLITE_BUSY)
    #expect(right.run("ROLLBACK") == SQLITE_OK)
    #expect(right.value("SELECT count(*) FROM t") == "2")
  }

  @Test func aCheckpointWaitsForReaders() {
    let (left, right, storage) = pair("WAL")
    #expect(right.run("BEGIN; SELECT * FROM t") == SQLITE_OK)
    left.run("INSERT INTO t VALUES (2)")
    #expect(left.value("PRAGMA wal_checkpoint(TRUNCATE)") == "1")
    right.run("COMMIT")
    #expect(left.value("PRAGMA wal_checkpoint(TRUNCATE)") == "0")
    #expect(storage["a.db-wal"] == [])
    #expect(right.value("SELECT count(*) FROM t") == "2")
  }

  @Test func leavingTheLogTakesTheFileAlone() {
    let (left, right, _) = pair("WAL")
    #expect(right.value("SELECT count(*) FROM t") == "1")
    #expect(left.value("PRAGMA journal_mode = DELETE") == nil)
    #expect(left.value("PRAGMA journal_mode") == "wal")
  }

  @Test func aConnectionThatGoesLetsGoOfItsLocks() {
    let storage = MemoryStorage()
    let left = VFSConnection("a.db", in: storage)
    left.run("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    do {
      let right = VFSConnection("a.db", in: storage)
      #expect(right.run("BEGIN IMMEDIATE") == SQLITE_OK)
      #expect(left.run("BEGIN IMMEDIATE") == SQLITE_BUSY)
    }
    #expect(left.run("BEGIN IMMEDIATE; COMMIT") == SQLITE_OK)
  }

  @Test func theLogIsRecoveredWhenNobodyHasItsIndex() throws {
    let (left, _, storage) = pair("WAL")
    left.run("INSERT INTO t VALUES (2)")
    // The files in their current state, as a process would find them after a crash of all others.
    let copy = MemoryStorage()
    for name in try storage.fileNames() { copy[name] = storage[name] }
    #expect(try copy.fileNames() == ["a.db", "a.db-wal"])
    #expect(VFSConnection("a.db", in: copy).value("SELECT count(*) FROM t") == "2")
  }
}
