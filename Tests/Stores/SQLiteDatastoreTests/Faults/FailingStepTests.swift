import Datastore
import SQLiteDatastore
import Storage
import Testing

/// Each step that a script performs on its files fails once, and each time the store is checked:
/// immediately, after a crash at that moment, and after a crash at the end.
@Suite struct FailingStepTests {
  /// All steps of a run without faults.
  private static func steps(_ script: Script) -> [StorageStep] {
    let bench = Bench(storage: MemoryStorage(), opens: false)
    var steps: [StorageStep] = []
    bench.storage.onStep = { step, _ in steps.append(step) }
    for index in script.operations.indices { script.perform(index, on: bench) }
    return steps
  }

  /// The steps by kind; a step that changes nothing cannot really fail because of a full disk.
  private static let cases: [(StorageFault.Effect, StorageStep.Kind)] =
    StorageStep.Kind.allCases.map { (.io, $0) } + [
      (.full, .create), (.full, .write), (.full, .sync),
    ]

  @Test(arguments: Script.all, cases)
  func whatFailedIsNotThere(
    script: Script, fault: (effect: StorageFault.Effect, kind: StorageStep.Kind)
  ) {
    let (effect, kind) = fault
    var expectations = Expectations(script)
    for step in Self.steps(script) where step.kind == kind {
      let bench = Bench(storage: MemoryStorage(), opens: false)
      bench.storage.plan = FaultPlan([StorageFault(effect, at: step)])
      var done: Set<Int> = []
      for index in script.operations.indices {
        let action = script.operations[index].name
        let outcome = script.perform(index, on: bench)
        switch outcome {
        case .ok: done.insert(index)
        case .error:
          expect(
            script, expectations.state(done), in: bench.storage, "\(effect) at \(step), \(action)")
        case .unknown:
          // The file was removed and may reappear: the only failure that cannot be rolled back.
          #expect(script.operations[index] == .destroy && kind == .syncDirectory, "\(step)")
          done.insert(index)
        }
      }
      let state = expectations.state(done)
      #expect(script.observe(bench) == state, "\(effect) at \(step)")
      expect(script, state, in: bench.storage, "\(effect) at \(step), at the end")
      expectInvariants(in: bench.storage)
    }
  }

  /// Checks that a store is in a state after any crash of the process that has it open.
  private func expect(
    _ script: Script, _ state: [Outcome], in storage: MemoryStorage, _ what: String
  ) {
    for loss in [Loss.kill, .dropped, .kept, .mixed] {
      let copy = storage.copy()
      loss.strike(copy)
      #expect(script.observe(copy) == state, "\(what), then \(loss)")
    }
  }
}
