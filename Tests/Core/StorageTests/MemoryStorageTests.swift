import CSQLite
import Storage
import Testing

@Suite struct MemoryStorageTests {
  @Test(arguments: ["WAL", "DELETE", "TRUNCATE", "PERSIST"])
  func sqliteWorksOnIt(mode: String) throws {
    let storage = MemoryStorage()
    do {
      let connection = VFSConnection("a.db", in: storage)
      #expect(connection.value("PRAGMA journal_mode = \(mode)") == mode.lowercased())
      #expect(connection.run("CREATE TABLE t (x, y); CREATE INDEX i ON t (y)") == SQLITE_OK)
      #expect(
        connection.run(
          """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
          INSERT INTO t SELECT i, hex(i * 7919) FROM n
          """) == SQLITE_OK)
      #expect(connection.run("BEGIN; DELETE FROM t; ROLLBACK") == SQLITE_OK)
      #expect(connection.run("DELETE FROM t WHERE x % 3 = 0; VACUUM") == SQLITE_OK)
    }
    let connection = VFSConnection("a.db", in: storage)
    #expect(connection.value("SELECT count(*) FROM t") == "3334")
    #expect(connection.value("PRAGMA integrity_check") == "ok")
    #expect(try storage.exists("a.db"))
  }

  @Test func instancesShareNothing() throws {
    let (left, right) = (MemoryStorage(), MemoryStorage())
    #expect(left.vfsName != right.vfsName)
    VFSConnection("a.db", in: left).run("CREATE TABLE t (x)")
    #expect(try left.fileNames() == ["a.db"])
    #expect(try right.fileNames() == [])
  }

  @Test func itsVFSIsGoneWithIt() throws {
    var storage: MemoryStorage? = MemoryStorage()
    let name = try #require(storage?.vfsName)
    #expect(sqlite3_vfs_find(name) != nil)
    storage = nil
    #expect(sqlite3_vfs_find(name) == nil)
  }

  @Test func manyAtOnceDoNotMix() async {
    await withTaskGroup(of: String?.self) { group in
      for number in 0..<40 {
        group.addTask {
          let storage = MemoryStorage()
          let connection = VFSConnection("a.db", in: storage)
          connection.run("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
          for _ in 0..<20 { connection.run("INSERT INTO t VALUES (\(number))") }
          return connection.value("SELECT count(*) || ' of ' || max(x) FROM t WHERE x = \(number)")
            == "20 of \(number)" ? nil : "\(number) is mixed"
        }
      }
      for await complaint in group { #expect(complaint == nil) }
    }
  }

  @Test func deletingTwiceIsNoError() throws {
    let storage = MemoryStorage()
    VFSConnection("b.db", in: storage).run("CREATE TABLE t (x)")
    VFSConnection("a.db", in: storage).run("CREATE TABLE t (x)")
    #expect(try storage.fileNames() == ["a.db", "b.db"])
    let before = storage.counts
    for _ in 0..<2 { try storage.delete("a.db") }
    try storage.syncDirectory()
    #expect(try storage.fileNames() == ["b.db"])
    #expect(try !storage.exists("a.db"))
    #expect(storage.counts[.delete] == before[.delete] + 1)
    #expect(storage.counts[.syncDirectory] == before[.syncDirectory] + 1)
  }

  @Test func capacityIsTheSumOfAllFiles() throws {
    let storage = MemoryStorage(capacityBytes: 40_000)
    let (left, right) = (VFSConnection("a.db", in: storage), VFSConnection("b.db", in: storage))
    #expect(left.run("PRAGMA page_size = 4096; CREATE TABLE t (x)") == SQLITE_OK)
    #expect(left.run("INSERT INTO t VALUES (zeroblob(16000))") == SQLITE_OK)
    #expect(right.run("CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(30000))") == SQLITE_FULL)
    right.run("ROLLBACK")
    let used = try storage.fileNames().reduce(0) { $0 + (storage[$1]?.count ?? 0) }
    #expect(used <= 40_000)
    storage.capacityBytes = nil
    #expect(right.run("INSERT INTO t VALUES (zeroblob(30000))") == SQLITE_OK)
    #expect(left.value("PRAGMA integrity_check") == "ok")
  }

  @Test func readOnlyRefusesChangesAndAnswersReads() throws {
    let storage = MemoryStorage()
    let connection = VFSConnection("a.db", in: storage)
    connection.run("CREATE TABLE t (x); INSERT INTO t VALUES (7)")
    storage.isReadOnly = true
    #expect(connection.run("INSERT INTO t VALUES (8)") == SQLITE_READONLY)
    #expect(connection.value("SELECT max(x) FROM t") == "7")
    let error = #expect(throws: StorageError.self) { try storage.delete("a.db") }
    #expect(error?.kind == .readOnly)
    storage.isReadOnly = false
    #expect(connection.run("INSERT INTO t VALUES (8)") == SQLITE_OK)
  }

  @Test func timeAndRandomnessAreFixed() {
    func now() -> String? {
      VFSConnection("a.db", in: MemoryStorage()).value("SELECT datetime('now')")
    }
    #expect(now() == "2000-01-01 00:00:00")
    func random() -> [CChar] {
      let storage = MemoryStorage()
      var bytes = [CChar](repeating: 0, count: 16)
      let vfs = storage.vfsName.flatMap { sqlite3_vfs_find($0) }
      #expect(vfs?.pointee.xRandomness(vfs, 16, &bytes) == 16)
      return bytes
    }
    #expect(random() == random())
    #expect(Set(random()).count > 4)
  }

  @Test func stepsAreCounted() {
    let storage = MemoryStorage()
    let connection = VFSConnection("a.db", in: storage)
    connection.run("PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    connection.run("INSERT INTO t VALUES (1)")
    let before = storage.counts
    connection.run("INSERT INTO t VALUES (2)")
    #expect(storage.counts[.sync] == before[.sync] + 1)
    // One page and the header of its frame in the log.
    #expect(storage.counts.bytesWritten == before.bytesWritten + 4096 + 24)
    #expect(storage.counts[.write] == before[.write] + 2)
  }
}
