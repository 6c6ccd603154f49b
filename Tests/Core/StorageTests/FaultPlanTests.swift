import CSQLite
import Storage
import Testing

/// Faults of steps, and their reports.
@Suite struct FaultPlanTests {
  private static let a = UInt8(ascii: "a")

  @Test func onlyTheNamedStepsFail() {
    let storage = MemoryStorage()
    storage.plan = FaultPlan([StorageFault(.io, .write, role: .database, ordinals: 2...3)])
    let (file, log) = (VFSFile("x.db", in: storage), VFSFile("x.db-wal", in: storage))
    let codes = (0..<4).map { _ in file.write(Self.a, count: 1, at: 0) }
    #expect(codes == [SQLITE_OK, SQLITE_IOERR | 3 << 8, SQLITE_IOERR | 3 << 8, SQLITE_OK])
    for _ in 0..<3 { #expect(log.write(Self.a, count: 1, at: 0) == SQLITE_OK) }
    #expect(storage.counts[.write, .database] == 4)
    #expect(storage.counts[.write, .wal] == 3)
    #expect(storage.counts[.write] == 7)
    #expect(storage.counts.bytesWritten == 5)
  }

  @Test func aLookUpFailsWhenThePlanSaysSo() throws {
    let storage = MemoryStorage()
    try storage.create("x.db")
    storage.plan = FaultPlan(failedLookUps: storage.counts.lookUps + 2...storage.counts.lookUps + 3)
    #expect(try storage.size(of: "x.db") == 0)
    #expect(throws: StorageError.self) { try storage.size(of: "x.db") }
    let error = #expect(throws: StorageError.self) { try storage.fileNames() }
    #expect(error?.kind == .io)
    #expect(try storage.fileNames() == ["x.db"])
    // SQLite itself also looks up the lengths of files and the log.
    let connection = VFSConnection("x.db", in: storage)
    storage.plan.failedLookUps = 0...Int.max
    #expect(connection.run("CREATE TABLE t (x)") == SQLITE_IOERR)
    storage.plan = FaultPlan()
    #expect(connection.run("CREATE TABLE t (x)") == SQLITE_OK)
  }

  @Test func aLockIsHeldWhenThePlanSaysSo() throws {
    let storage = MemoryStorage()
    let connection = VFSConnection("x.db", in: storage)
    connection.run("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    let first = storage.counts.locks
    #expect(connection.run("INSERT INTO t VALUES (1)") == SQLITE_OK)
    let count = storage.counts.locks - first
    #expect(count > 1)
    var refusals = 0
    for lock in 1...count {
      storage.plan.heldLocks = storage.counts.locks + lock...storage.counts.locks + lock
      let code = connection.run("INSERT INTO t VALUES (1)")
      #expect([SQLITE_OK, SQLITE_BUSY].contains(code))
      if code != SQLITE_OK { refusals += 1 }
    }
    #expect(refusals > 0)
    storage.plan.heldLocks = 0...Int.max
    #expect(connection.run("INSERT INTO t VALUES (1)") != SQLITE_OK)
    storage.plan = FaultPlan()
    #expect(connection.run("INSERT INTO t VALUES (1)") == SQLITE_OK)
  }

  @Test func eachKindFailsAsSQLiteExpectsIt() throws {
    let storage = MemoryStorage()
    let file = VFSFile("x.db", in: storage)
    storage.plan = FaultPlan(
      StorageStep.Kind.allCases.flatMap { kind in
        [FileRole.database, .folder].map { StorageFault(.io, kind, role: $0, ordinals: 2...2) }
      } + [StorageFault(.full, .write, role: .database, ordinals: 3...3)])
    for _ in 0..<2 {
      file.write(Self.a, count: 1, at: 0)
      file.truncate(to: 1)
      file.sync()
    }
    #expect(file.write(Self.a, count: 9, at: 0) == SQLITE_FULL)
    #expect(file.systemError == 28)
    #expect(runs(storage["x.db"]) == "a1")
    _ = file.read(count: 1, at: 0)
    #expect(file.read(count: 1, at: 0).code == SQLITE_IOERR | 1 << 8)
    #expect(file.systemError == 5)
    _ = VFSFile("x.db", in: storage)
    #expect(VFSFile("x.db", in: storage).opened == SQLITE_CANTOPEN)
    #expect(VFSFile("y.db", in: storage).opened == SQLITE_CANTOPEN)
    #expect(try storage.fileNames() == ["x.db"])
    try storage.syncDirectory()
    let error = #expect(throws: StorageError.self) { try storage.syncDirectory() }
    #expect(error?.kind == .io)
    try storage.create("y.db")
    try storage.delete("y.db")
    #expect(throws: StorageError.self) { try storage.delete("x.db") }
    #expect(try storage.exists("x.db"))
  }

  @Test func aLieDoesNothingAndSaysOk() throws {
    let storage = MemoryStorage()
    let file = VFSFile("x.db", in: storage)
    try storage.syncDirectory()
    file.write(Self.a, count: 4, at: 0)
    storage.plan = FaultPlan([
      StorageFault(.lie, .sync, role: .database, ordinals: 1...1),
      StorageFault(.lie, .read, role: .database, ordinals: 1...1),
      StorageFault(.lie, .write, role: .database, ordinals: 2...2),
      StorageFault(.lie, .syncDirectory, role: .folder, ordinals: 2...2),
    ])
    #expect(file.sync() == SQLITE_OK)
    let (code, bytes) = file.read(count: 4, at: 0)
    #expect(code == SQLITE_IOERR | 2 << 8)
    #expect(bytes == [Self.a, Self.a, 0, 0])
    #expect(file.write(0, count: 4, at: 0) == SQLITE_OK)
    #expect(runs(storage["x.db"]) == "a4")
    try storage.create("y.db")
    try storage.syncDirectory()
    storage.restart(after: PowerLoss())
    #expect(try storage.fileNames() == ["x.db"])
    #expect(storage["x.db"] == [])
  }

  @Test func aDeadProcessDoesNothing() throws {
    let storage = MemoryStorage()
    let file = VFSFile("x.db", in: storage)
    file.write(Self.a, count: 1, at: 0)
    storage.plan.deadAfterChanges = storage.counts.changes + 1
    #expect(!storage.isDead)
    #expect(file.write(Self.a, count: 2, at: 0) == SQLITE_OK)
    #expect(storage.isDead)
    let (counts, digest) = (storage.counts, storage.digest)
    #expect(file.write(Self.a, count: 3, at: 0) & 0xff == SQLITE_IOERR)
    #expect(file.truncate(to: 0) & 0xff == SQLITE_IOERR)
    #expect(file.sync() & 0xff == SQLITE_IOERR)
    #expect(file.read(count: 1, at: 0).code & 0xff == SQLITE_IOERR)
    #expect(VFSFile("x.db", in: storage).opened == SQLITE_CANTOPEN)
    #expect(throws: StorageError.self) { try storage.fileNames() }
    #expect(throws: StorageError.self) { try storage.size(of: "x.db") }
    #expect(throws: StorageError.self) { try storage.delete("x.db") }
    #expect(throws: StorageError.self) { try storage.delete("none") }
    #expect(throws: StorageError.self) { try storage.syncDirectory() }
    #expect(storage.counts == counts && storage.digest == digest)
    #expect(storage.unsyncedChanges.count == 3)
    storage.restart(after: nil)
    #expect(!storage.isDead)
    #expect(runs(storage["x.db"]) == "a2")
    #expect(VFSFile("x.db", in: storage).opened == SQLITE_OK)
  }

  @Test func theTraceIsThatOfTheSteps() throws {
    let storage = MemoryStorage()
    var trace: [String] = []
    storage.onStep = { step, effect in trace.append("\(step)\(effect.map { " \($0)" } ?? "")") }
    storage.plan = FaultPlan([StorageFault(.io, at: StorageStep(.sync, .wal, ordinal: 1))])
    let log = VFSFile("x.db-wal", in: storage, SQLITE_OPEN_WAL)
    log.write(Self.a, count: 1, at: 0)
    for _ in 0..<2 { log.sync() }
    _ = VFSFile("x.db-journal", in: storage)
    try storage.delete("x.db-journal")
    #expect(
      trace == [
        "create wal 1", "write wal 1", "sync wal 1 io", "sync wal 2", "syncDirectory folder 1",
        "create journal 1", "delete journal 1",
      ])
    #expect(storage.counts.changes == trace.count)
    // FNV-1a, so that a trace can be compared across versions and languages.
    let bytes: [UInt8] = [
      1, 1, 255, 3, 1, 255, 5, 1, 0, 5, 1, 255, 7, 4, 255, 1, 3, 255, 6, 3, 255,
    ]
    #expect(
      storage.digest
        == bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 })
    let before = storage.digest
    storage.restart(after: nil)
    #expect(storage.digest != before)
  }

  @Test func aFullDiskIsAStepThatFails() {
    let storage = MemoryStorage(capacityBytes: 10)
    var effects: [StorageFault.Effect?] = []
    storage.onStep = { step, effect in if step.kind == .write { effects.append(effect) } }
    let file = VFSFile("x.db", in: storage)
    #expect(file.write(Self.a, count: 10, at: 0) == SQLITE_OK)
    #expect(file.write(Self.a, count: 1, at: 10) == SQLITE_FULL)
    #expect(file.write(Self.a, count: 10, at: 0) == SQLITE_OK)
    #expect(effects == [nil, .full, nil])
    // Space of changes undone by a power loss is free again.
    storage.restart(after: PowerLoss())
    let other = VFSFile("y.db", in: storage)
    #expect(other.write(Self.a, count: 10, at: 0) == SQLITE_OK)
  }
}
