import Datastore
import JSON
import SQLiteSimulation
import Scenarios
import Simulation
import Testing

@Suite struct SQLiteReplicaTests {
  /// A replica, and the results for its client.
  private final class Bench {
    let replica = SQLiteReplica()
    let environment = RunEnvironment(seed: 1)

    init() { perform(.open()) }

    @discardableResult
    func perform(_ action: StoreAction) -> Outcome {
      let outcome = try? replica.perform(StoreOperation("notes", action), environment)
      return outcome ?? .unknown
    }

    @discardableResult
    func create(_ number: Int) -> Outcome {
      perform(
        .create(id: DocumentID(JSONString("d\(number)")), body: ["n": .integer(Int64(number))]))
    }

    /// The ids of all documents, after the store was opened if it was not.
    func ids() -> [DocumentID]? {
      perform(.open())
      guard case .ok(.list(let rows)) = perform(.list()) else { return nil }
      return rows.map { $0.id }
    }

    func crash(in action: StoreAction, _ kind: CrashKind, draw: UInt64) throws -> Outcome? {
      try replica.performCrashing(
        StoreOperation("notes", action), environment, kind: kind, draw: draw)
    }
  }

  @Test(arguments: CrashKind.allCases)
  func whatWasAcknowledgedSurvives(kind: CrashKind) throws {
    let bench = Bench()
    for number in 0..<5 {
      bench.create(number)
      try bench.replica.crash(kind, draw: UInt64(number))
      #expect(bench.perform(.list()).errorKind == .noSuchStore)
      #expect(bench.ids()?.count == number + 1)
    }
  }

  @Test(arguments: CrashKind.allCases)
  func anOperationDiesInItsMidst(kind: CrashKind) throws {
    var (done, undone) = (0, 0)
    var probes = ProbeCounts()
    for draw in UInt64(0)..<60 {
      let bench = Bench()
      bench.create(1)
      let create = StoreAction.create(id: "d2", body: ["n": 2])
      let outcome = try bench.crash(in: create, kind, draw: draw)
      let ids = bench.ids()
      #expect(ids == ["d1"] || ids == ["d1", "d2"], "draw \(draw)")
      #expect(outcome == nil)
      if ids?.count == 2 { done += 1 } else { undone += 1 }
      probes += bench.replica.probes
      // Data that a client has read survives the next crash.
      try bench.replica.crash(.powerLoss, draw: draw)
      #expect(bench.ids() == ids)
    }
    #expect(done > 0 && undone > 20, "\(done), \(undone)")
    #expect(probes[.crashedAtStep] > 20)
    #expect((probes[.unsyncedLost] > 0) == (kind == .powerLoss))
    #expect((probes[.writeTorn] > 0) == (kind == .powerLoss))
  }

  @Test func aCrashWaitsForAChange() throws {
    var crashes = 0
    for draw in UInt64(0)..<40 {
      let bench = Bench()
      bench.create(1)
      let outcome = try bench.crash(in: .list(), .kill, draw: draw)
      if outcome == nil { crashes += 1 }
      #expect(bench.perform(.list()).result == outcome?.result)
    }
    #expect((1..<20).contains(crashes))
  }

  @Test func equalDrawsAreEqualRuns() throws {
    func run() throws -> (UInt64, [DocumentID]?, ProbeCounts) {
      let bench = Bench()
      for number in 0..<20 {
        let draw = UInt64(number)
        bench.create(number)
        if number % 3 == 0 { _ = bench.replica.setStorage(.failing, draw: draw) }
        let create = StoreAction.create(id: "x", body: ["n": .integer(Int64(number))])
        _ = try bench.crash(in: create, .powerLoss, draw: draw)
        _ = bench.replica.setStorage(.well, draw: 0)
        _ = bench.ids()
        if number == 7 { _ = bench.replica.copy() }
        if number == 12 { #expect(try bench.replica.restore()) }
      }
      return (bench.replica.digest, bench.ids(), bench.replica.probes)
    }
    let (left, right) = (try run(), try run())
    #expect(left == right)
  }

  @Test(arguments: [true, false])
  func aBadDiskRefusesAndLosesNothing(isFull: Bool) {
    let fault = DatastoreError.Kind.storage(isFull ? .full : .io)
    var refusals = 0
    let bench = Bench()
    var expected: [DocumentID] = []
    for number in 0..<120 {
      if number % 10 == 0 {
        _ = bench.replica.setStorage(isFull ? .full : .failing, draw: UInt64(number))
      }
      let body: JSONValue = ["x": .text(String(repeating: "x", count: number * 20))]
      let id = DocumentID(JSONString("d\(100 + number)"))
      let outcome = bench.perform(.create(id: id, body: body))
      if outcome.result != nil {
        expected.append(id)
      } else {
        #expect(outcome.errorKind == fault || outcome == .unknown)
        refusals += 1
      }
      guard number % 10 == 9 else { continue }
      _ = bench.replica.setStorage(.well, draw: 0)
      #expect(bench.ids() == expected)
    }
    #expect(refusals > 5 && expected.count > 5)
    #expect(bench.replica.probes[isFull ? .storageFull : .storageFailing] > 5)
  }

  @Test func aCopyComesBackAsOftenAsWanted() throws {
    let bench = Bench()
    #expect(try !bench.replica.restore())
    bench.create(1)
    #expect(bench.replica.copy())
    for number in 2..<4 {
      bench.create(number)
      #expect(try bench.replica.restore())
      #expect(bench.perform(.list()).errorKind == .noSuchStore)
      #expect(bench.ids() == ["d1"])
    }
  }

  @Test func aWitnessLeavesNoTrace() throws {
    func run(asks: Bool) throws -> UInt64 {
      let bench = Bench()
      for number in 0..<10 {
        bench.create(number)
        guard asks else { continue }
        let witness = try bench.replica.witness(of: "notes")
        let environment = RunEnvironment(seed: 7)
        let outcome = try witness.perform(StoreOperation("notes", .list()), environment)
        guard case .ok(.list(let rows)) = outcome else {
          Issue.record("\(outcome)")
          continue
        }
        #expect(rows.count == number + 1)
      }
      return bench.replica.digest
    }
    #expect(try run(asks: true) == run(asks: false))
  }

  @Test func neglectedSyncsShowWhenThePowerGoes() throws {
    var lost = 0
    for draw in UInt64(0)..<20 {
      let bench = Bench()
      #expect(bench.replica.neglectSyncs())
      #expect(bench.create(1).result != nil)
      try bench.replica.crash(.kill, draw: draw)
      #expect(bench.ids() == ["d1"])
      #expect(bench.create(2).result != nil)
      try bench.replica.crash(.powerLoss, draw: draw)
      if bench.ids() == ["d1"] { lost += 1 }
    }
    #expect(lost > 5)
  }
}
