import Datastore
import SQLiteDatastore
import Storage
import Testing

/// The process crashes after each of the changes that a script makes to its files, and each time
/// the store is reopened.
@Suite struct CrashPointTests {
  /// The files at one moment, and the acknowledged operations.
  private struct Moment {
    let storage: MemoryStorage
    let acknowledged: Set<Int>
    /// The operation in progress.
    let current: Int
  }

  /// The moments before each change, and the one at the end.
  private func moments(_ script: Script) -> [Moment] {
    let bench = Bench(storage: MemoryStorage(), opens: false)
    var moments: [Moment] = []
    var acknowledged: Set<Int> = []
    for index in script.operations.indices {
      bench.storage.onStep = { step, _ in
        guard step.isChange else { return }
        moments.append(
          Moment(storage: bench.storage.copy(), acknowledged: acknowledged, current: index))
      }
      let outcome = script.perform(index, on: bench)
      #expect(outcome.result != nil, "\(script.operations[index].name): \(outcome)")
      acknowledged.insert(index)
    }
    bench.storage.onStep = nil
    moments.append(
      Moment(
        storage: bench.storage.copy(), acknowledged: acknowledged,
        current: script.operations.count - 1))
    return moments
  }

  @Test(arguments: Script.all, Loss.allCases)
  func whatWasAcknowledgedIsThere(script: Script, loss: Loss) throws {
    var expectations = Expectations(script)
    var seen: Set<[Outcome]> = []
    for (number, moment) in moments(script).enumerated() {
      let storage = moment.storage
      loss.strike(storage)
      let state = script.observe(storage)
      let without = expectations.state(moment.acknowledged)
      let with = expectations.state(moment.acknowledged.union([moment.current]))
      #expect(
        state == without || state == with,
        "\(loss) after \(number) changes, in \(script.operations[moment.current].name): \(state)")
      seen.insert(state)
      // A state that was returned once cannot be lost afterwards.
      storage.restart(after: PowerLoss(others: .dropped))
      #expect(script.observe(storage) == state, "\(loss) after \(number) changes")
      expectInvariants(in: storage)
      storage.restart(after: nil)
      if script.usesBlobs { try expectNothingLeftOver(storage) }
    }
    // All states were reached, so the script ran to its end.
    #expect(seen.count >= 9)
  }

  /// Checks that a compaction leaves only files with a row.
  private func expectNothingLeftOver(_ storage: MemoryStorage) throws {
    let bench = Bench(storage: storage)
    #expect(bench.failure(.compact) == nil)
    try bench.datastore.shutdown()
    let count = RawDatabase("notes.sqlite", in: storage).rows("SELECT count(*) FROM blob")
    let files = try storage.fileNames().filter {
      $0.hasSuffix(".blob") || $0.hasSuffix(".part")
    }
    #expect([["\(files.count)"]] == count, "\(files)")
  }

  @Test(arguments: Script.all)
  func aDeadProcessChangesNothing(script: Script) {
    let moments = moments(script)
    for count in stride(from: 0, to: moments.count, by: 7) {
      let bench = Bench(storage: MemoryStorage(), opens: false)
      bench.storage.plan.deadAfterChanges = count
      for index in script.operations.indices where !bench.storage.isDead {
        let outcome = script.perform(index, on: bench)
        #expect(bench.storage.isDead || outcome.result != nil)
      }
      for index in script.operations.indices.dropFirst() {
        let outcome = script.perform(index, on: bench)
        // A read from the cache of a crashed process does not count.
        #expect(bench.storage.isDead && outcome != .ok(.done) || script.operations[index] == .close)
      }
      // The files equal those of the run up to that moment, although the bytes of two logs always
      // differ.
      let frozen = moments[count].storage
      #expect(bench.storage.unsyncedChanges == frozen.unsyncedChanges, "\(count)")
    }
  }

  @Test(arguments: Script.all)
  func twoRunsTakeTheSameSteps(script: Script) {
    func run() -> (UInt64, [StorageStep]) {
      let bench = Bench(storage: MemoryStorage(), opens: false)
      var steps: [StorageStep] = []
      bench.storage.onStep = { step, _ in steps.append(step) }
      for index in script.operations.indices { script.perform(index, on: bench) }
      return (bench.storage.digest, steps)
    }
    let (left, right) = (run(), run())
    #expect(left.0 == right.0)
    #expect(left.1 == right.1)
  }
}
