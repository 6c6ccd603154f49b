import CSQLite
import Storage
import Testing

/// The effects of a power loss on one file, and on the names of files.
@Suite struct PowerLossTests {
  private static let (a, b, c) = (UInt8(ascii: "a"), UInt8(ascii: "b"), UInt8(ascii: "c"))

  /// A file of 2048 times `a`, all of it durable.
  private func durable() throws -> (MemoryStorage, VFSFile) {
    let storage = MemoryStorage()
    let file = VFSFile("x.db", in: storage)
    file.write(Self.a, count: 2048, at: 0)
    #expect(file.sync() == SQLITE_OK)
    try storage.syncDirectory()
    #expect(storage.unsyncedChanges == [])
    return (storage, file)
  }

  @Test(arguments: [
    (PowerLoss.Outcome.dropped, "a2048"), (.kept, "a100 b1000 a948"),
    (.torn(sectors: ~0), "a100 b1000 a948"), (.torn(sectors: 0), "a2048"),
    // The write touches three sectors: up to 512, up to 1024, up to 1100.
    (.torn(sectors: 0b001), "a100 b412 a1536"), (.torn(sectors: 0b010), "a512 b512 a1024"),
    (.torn(sectors: 0b100), "a1024 b76 a948"), (.torn(sectors: 0b101), "a100 b412 a512 b76 a948"),
  ])
  func aWriteIsLostOrTornAtSectors(outcome: PowerLoss.Outcome, left: String) throws {
    let (storage, file) = try durable()
    file.write(Self.b, count: 1000, at: 100)
    let changes = storage.unsyncedChanges
    #expect(changes.map { $0.sectorCount } == [3])
    #expect(changes.map { $0.step } == [StorageStep(.write, .database, ordinal: 2)])
    storage.restart(after: PowerLoss(outcomes: [changes[0].number: outcome]))
    #expect(runs(storage["x.db"]) == left)
    #expect(storage.unsyncedChanges == [])
  }

  @Test func aTornWriteMakesTheFileAsLongAsAWholeOne() throws {
    let (storage, file) = try durable()
    file.write(Self.b, count: 1024, at: 3072)
    let copy = storage.copy()
    storage.restart(after: PowerLoss(others: .torn(sectors: 0b10)))
    #expect(runs(storage["x.db"]) == "a2048 -1536 b512")
    copy.restart(after: PowerLoss(others: .torn(sectors: 0)))
    #expect(runs(copy["x.db"]) == "a2048 -2048")
  }

  @Test func theFatesOfSectorsRepeatAfter64() throws {
    let (storage, file) = try durable()
    file.write(Self.b, count: 65 * 512, at: 0)
    storage.restart(after: PowerLoss(others: .torn(sectors: 1)))
    #expect(runs(storage["x.db"]) == "b512 a1536 -\(60 * 512) b512")
  }

  @Test func changesOfOneFileAreIndependent() throws {
    for number in 0..<8 {
      let (storage, file) = try durable()
      file.write(Self.b, count: 1024, at: 0)
      file.truncate(to: 512)
      file.write(Self.c, count: 512, at: 1024)
      #expect(runs(storage["x.db"]) == "b512 -512 c512")
      let kept = (0..<3).map { number >> $0 & 1 == 1 }
      var outcomes: [Int: PowerLoss.Outcome] = [:]
      for (change, isKept) in zip(storage.unsyncedChanges, kept) {
        outcomes[change.number] = isKept ? .kept : .dropped
      }
      storage.restart(after: PowerLoss(outcomes: outcomes))
      let start = kept[0] ? "b512" : "a512"
      let left =
        switch (kept[1], kept[2]) {
        case (true, true): "\(start) -512 c512"
        case (true, false): start
        case (false, true): kept[0] ? "b1024 c512 a512" : "a1024 c512 a512"
        case (false, false): kept[0] ? "b1024 a1024" : "a2048"
        }
      #expect(runs(storage["x.db"]) == left, "\(kept)")
    }
  }

  @Test func aKillKeepsWhatWasWrittenAndNotYetSynced() throws {
    let (storage, file) = try durable()
    file.write(Self.b, count: 512, at: 0)
    storage.restart(after: nil)
    #expect(runs(storage["x.db"]) == "b512 a1536")
    #expect(storage.unsyncedChanges.count == 1)
    // The handle belongs to the crashed process.
    #expect(file.write(Self.c, count: 512, at: 0) == SQLITE_IOERR)
    #expect(file.sync() == SQLITE_IOERR)
    #expect(file.read(count: 1, at: 0).code == SQLITE_IOERR)
    storage.restart(after: PowerLoss())
    #expect(runs(storage["x.db"]) == "a2048")
  }

  @Test func aFailedSyncIsNotMadeGoodByTheNext() throws {
    let (storage, file) = try durable()
    file.write(Self.b, count: 1024, at: 0)
    storage.plan = FaultPlan([StorageFault(.io, .sync, role: .database, ordinals: 2...2)])
    #expect(file.sync() == SQLITE_IOERR | 4 << 8)
    file.write(Self.c, count: 512, at: 0)
    #expect(file.sync() == SQLITE_OK)
    #expect(runs(storage["x.db"]) == "c512 b512 a1024")
    #expect(storage.unsyncedChanges.map { $0.step.ordinal } == [2])
    let copy = storage.copy()
    storage.restart(after: PowerLoss(others: .dropped))
    #expect(runs(storage["x.db"]) == "c512 a1536")
    copy.restart(after: PowerLoss(others: .kept))
    #expect(runs(copy["x.db"]) == "c512 b512 a1024")
  }

  // MARK: Names

  @Test func aNameIsLostUntilTheFolderIsSynced() throws {
    let storage = MemoryStorage()
    let file = VFSFile("x.db", in: storage)
    file.write(Self.a, count: 512, at: 0)
    file.sync()
    #expect(
      storage.unsyncedChanges.map { $0.step } == [StorageStep(.create, .database, ordinal: 1)])
    let (copy, other) = (storage.copy(), storage.copy())
    storage.restart(after: PowerLoss(others: .dropped))
    #expect(try storage.fileNames() == [])
    copy.restart(after: PowerLoss(others: .kept))
    #expect(runs(copy["x.db"]) == "a512")
    try other.syncDirectory()
    other.restart(after: PowerLoss(others: .dropped))
    #expect(runs(other["x.db"]) == "a512")
  }

  @Test func aDeletedFileComesBackWithItsBytes() throws {
    let (storage, file) = try durable()
    file.write(Self.b, count: 512, at: 0)
    try storage.delete("x.db")
    #expect(try !storage.exists("x.db"))
    let copy = storage.copy()
    storage.restart(after: PowerLoss(others: .dropped))
    #expect(runs(storage["x.db"]) == "a2048")
    try copy.syncDirectory()
    copy.restart(after: PowerLoss(others: .dropped))
    #expect(try copy.fileNames() == [])
  }

  @Test func aNameMayLeadToTheOldFileOrToTheNew() throws {
    for (deletion, creation, left) in [
      (PowerLoss.Outcome.dropped, PowerLoss.Outcome.dropped, "a2048"), (.kept, .dropped, nil),
      (.kept, .kept, "b512"), (.dropped, .kept, "b512"),
    ] {
      let (storage, _) = try durable()
      try storage.delete("x.db")
      let new = VFSFile("x.db", in: storage)
      new.write(Self.b, count: 512, at: 0)
      new.sync()
      let numbers = storage.unsyncedChanges.map { $0.number }
      storage.restart(after: PowerLoss(outcomes: [numbers[0]: deletion, numbers[1]: creation]))
      #expect(runs(storage["x.db"]) == left)
    }
  }

  @Test func theFirstSyncOfALogMakesNamesDurable() {
    for (role, isDurable) in [
      (SQLITE_OPEN_WAL, true), (SQLITE_OPEN_MAIN_JOURNAL, true), (SQLITE_OPEN_MAIN_DB, false),
    ] {
      let storage = MemoryStorage()
      let file = VFSFile("x.db-wal", in: storage, role)
      file.write(Self.a, count: 1, at: 0)
      for _ in 0..<2 { #expect(file.sync() == SQLITE_OK) }
      #expect(storage.counts[.syncDirectory] == (isDurable ? 1 : 0))
      storage.restart(after: PowerLoss())
      #expect(runs(storage["x.db-wal"]) == (isDurable ? "a1" : nil))
    }
  }
}
