import CSQLite
import Storage
import Testing

/// Copies of a storage, such as a backup that is restored on another device.
@Suite struct CopyTests {
  private static let (a, b) = (UInt8(ascii: "a"), UInt8(ascii: "b"))

  @Test func aCopySharesNothing() throws {
    let storage = MemoryStorage(capacityBytes: 5000)
    let file = VFSFile("x.db", in: storage)
    file.write(Self.a, count: 512, at: 0)
    file.sync()
    try storage.syncDirectory()
    file.write(Self.b, count: 100, at: 0)
    storage.plan = FaultPlan([StorageFault(.io, .write, role: .database, ordinals: 1...99)])
    let copy = storage.copy()
    #expect(copy.vfsName != storage.vfsName)
    #expect(copy.unsyncedChanges == storage.unsyncedChanges)
    #expect(copy.counts == storage.counts && copy.digest == storage.digest)
    #expect(copy.capacityBytes == 5000 && copy.plan == FaultPlan())
    storage.plan = FaultPlan()
    file.truncate(to: 0)
    try storage.delete("x.db")
    storage.restart(after: PowerLoss(others: .kept))
    #expect(try storage.fileNames() == [])
    #expect(runs(copy["x.db"]) == "b100 a412")
    VFSFile("x.db", in: copy).write(Self.b, count: 1, at: 600)
    #expect(copy.counts[.write] == 3)
    copy.restart(after: PowerLoss(others: .dropped))
    #expect(runs(copy["x.db"]) == "a512")
  }

  @Test func aCopyIsOpenNowhere() throws {
    let storage = MemoryStorage()
    let connection = VFSConnection("a.db", in: storage)
    connection.run("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    connection.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)")
    let copy = storage.copy()
    let other = VFSConnection("a.db", in: copy)
    #expect(other.run("INSERT INTO t VALUES (3)") == SQLITE_OK)
    #expect(connection.run("COMMIT") == SQLITE_OK)
    #expect(other.value("SELECT sum(x) FROM t") == "4")
    #expect(connection.value("SELECT sum(x) FROM t") == "3")
    #expect(other.value("PRAGMA integrity_check") == "ok")
  }

  @Test func aRestartLeavesNoLock() throws {
    let storage = MemoryStorage()
    let dead = VFSConnection("a.db", in: storage)
    dead.run("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    dead.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
    storage.restart(after: nil)
    let next = VFSConnection("a.db", in: storage)
    #expect(next.run("INSERT INTO t VALUES (2)") == SQLITE_OK)
    #expect(dead.run("COMMIT") == SQLITE_IOERR)
    #expect(next.value("SELECT group_concat(x) FROM t") == "2")
    #expect(next.value("PRAGMA integrity_check") == "ok")
  }
}
