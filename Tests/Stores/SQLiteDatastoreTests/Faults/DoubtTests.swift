import Datastore
import JSON
import SQLiteDatastore
import Storage
import Testing

/// Commits whose sync fails: their outcome, and the further behavior.
@Suite struct DoubtTests {
  /// A store with one document, whose next syncs of the log fail, a given number of times.
  private func bench(failing count: Int) -> Bench {
    let bench = Bench()
    bench.perform(.create(id: "first", body: ["n": 1]))
    let next = bench.storage.counts[.sync, .wal] + 1
    bench.storage.plan = FaultPlan([
      StorageFault(.io, .sync, role: .wal, ordinals: next...next + count - 1)
    ])
    return bench
  }

  /// Whether a document exists after a restart of the process.
  private func isThere(_ id: DocumentID, _ storage: MemoryStorage, _ loss: Loss) -> Bool {
    let copy = storage.copy()
    loss.strike(copy)
    let bench = Bench(storage: copy)
    expectInvariants(in: copy)
    return bench.body(id) != nil
  }

  @Test(arguments: Loss.allCases)
  func aFailedCommitStaysFailed(loss: Loss) {
    let bench = bench(failing: 1)
    #expect(bench.failure(.create(id: "lost", body: ["n": 2])) == .storage(.io))
    #expect(!isThere("lost", bench.storage, loss))
    #expect(isThere("first", bench.storage, loss))
    #expect(bench.failure(.create(id: "next", body: ["n": 3])) == nil)
    #expect(!isThere("lost", bench.storage, loss))
    #expect(isThere("next", bench.storage, loss))
  }

  @Test func whatCannotBeTakenBackIsUnknown() {
    let bench = bench(failing: 4)
    #expect(bench.perform(.create(id: "lost", body: ["n": 2])) == .unknown)
    // Two syncs failed, and two more will: until then the state of the store is undefined.
    #expect(bench.failure(.read(id: "first")) == .storage(.io))
    #expect(bench.failure(.info) == .storage(.io))
    // Decided: from now on the write has definitely not happened.
    #expect(bench.failure(.read(id: "lost")) == .notFound(.missing))
    #expect(bench.body("first") == ["n": 1])
    for loss in Loss.allCases { #expect(!isThere("lost", bench.storage, loss)) }
  }

  @Test func anUnknownCommitMayComeBack() throws {
    let bench = bench(failing: 9)
    #expect(bench.perform(.create(id: "lost", body: ["n": 2])) == .unknown)
    // The reason for the unknown outcome: the log contains the failed commit until it is
    // overwritten.
    let overwritten = isThere("lost", bench.storage, .kill)
    #expect(!overwritten)
    for loss in Loss.allCases { #expect(isThere("first", bench.storage, loss)) }
    // The process may have crashed between the two.
    let dying = self.bench(failing: 1)
    dying.storage.onStep = { step, effect in
      if effect != nil { dying.storage.plan.deadAfterChanges = dying.storage.counts.changes }
    }
    #expect(dying.perform(.create(id: "lost", body: ["n": 2])) == .unknown)
    dying.storage.onStep = nil
    #expect(isThere("lost", dying.storage, .kill))
    #expect(isThere("lost", dying.storage, .kept))
    #expect(!isThere("lost", dying.storage, .dropped))
  }

  @Test func aCreationThatFailedIsNoStore() throws {
    let storage = MemoryStorage()
    let made = Bench()
    let syncs = made.storage.counts[.sync, .wal]
    for count in [1, 2] {
      let copy = storage.copy()
      copy.plan = FaultPlan([
        StorageFault(.io, .sync, role: .wal, ordinals: syncs...syncs + count - 1)
      ])
      let bench = Bench(storage: copy, opens: false)
      let outcome = bench.perform(.open(collation: .cdt))
      #expect(count == 1 ? outcome.errorKind == .storage(.io) : outcome == .unknown)
      for loss in Loss.allCases where count == 1 {
        let other = copy.copy()
        loss.strike(other)
        #expect(Bench(storage: other, opens: false).failure(.open(collation: .bytes)) == nil)
      }
      #expect(bench.failure(.info) == .noSuchStore)
      #expect(bench.failure(.open(collation: .bytes)) == nil)
    }
  }

  @Test func aLogThatMovesIntoTheFileMeanwhileLosesNothing() {
    // More than four thousand pages: the commit is followed by a checkpoint.
    let records = (0..<30).map { number in
      RevisionRecord(
        id: DocumentID(JSONString("r\(number)")), path: ["1-a"],
        body: ["x": .text(String(repeating: "x", count: 560_000))])
    }
    let bench = bench(failing: 1)
    bench.storage.plan = FaultPlan()
    var moments: [MemoryStorage] = []
    bench.storage.onStep = { step, _ in
      let changes = bench.storage.counts.changes
      if changes % 709 == 0 || step.kind == .sync { moments.append(bench.storage.copy()) }
    }
    let before = bench.storage.counts[.write, .database]
    #expect(bench.failure(.insertRevisions(records)) == nil)
    bench.storage.onStep = nil
    #expect(bench.storage.counts[.write, .database] > before)
    moments.append(bench.storage.copy())
    for (number, moment) in moments.enumerated() {
      for loss in [Loss.kill, .dropped, .halves, .mixed] {
        let isDone = isThere("r29", moment, loss)
        #expect(isThere("first", moment, loss))
        #expect(isDone == isThere("r0", moment, loss), "at \(number), \(loss)")
        if number == moments.count - 1 { #expect(isDone) }
      }
    }
  }

  @Test func whoReadsALogThatWasLeftCanCountOnIt() throws {
    // The commit is written but not synced when the process crashes; the next one finds it.
    let probe = Bench()
    var lastWrite = 0
    probe.storage.onStep = { step, _ in
      if step.kind == .write { lastWrite = probe.storage.counts.changes }
    }
    probe.perform(.create(id: "d", body: ["n": 1]))
    probe.storage.onStep = nil
    let bench = Bench()
    bench.storage.plan.deadAfterChanges = lastWrite
    #expect(bench.perform(.create(id: "d", body: ["n": 1])) == .unknown)
    #expect(bench.storage.isDead)
    bench.storage.restart(after: nil)
    let next = Bench(storage: bench.storage)
    #expect(next.body("d") == ["n": 1])
    bench.storage.restart(after: PowerLoss(others: .dropped))
    #expect(Bench(storage: bench.storage).body("d") == ["n": 1])
  }

  @Test func aFullDiskDoesNotKeepALeftLogFromBeingRead() throws {
    let bench = Bench()
    for number in 0..<30 {
      bench.perform(.create(id: DocumentID(JSONString("d\(number)")), body: ["n": 1]))
    }
    try bench.datastore.crash(.kill)
    let used = try bench.storage.fileNames().reduce(0) { $0 + (bench.storage[$1]?.count ?? 0) }
    bench.storage.capacityBytes = used
    let next = Bench(storage: bench.storage)
    #expect(next.body("d29") == ["n": 1])
  }
}
