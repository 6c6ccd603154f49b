import Datastore
import JSON
import Storage
import Testing

/// A store is removed while the disk fails more than once.
@Suite struct DestroyFaultTests {
  private static func bench() -> Bench {
    let bench = Bench()
    for number in 0..<3 {
      bench.perform(.create(id: DocumentID(JSONString("d\(number)")), body: ["n": 1]))
    }
    return bench
  }

  /// The steps of a destruction in which some of them fail.
  private static func steps(failing faults: [StorageFault]) -> [StorageStep] {
    let bench = bench()
    var steps: [StorageStep] = []
    bench.storage.plan = FaultPlan(faults)
    bench.storage.onStep = { step, _ in steps.append(step) }
    bench.perform(.destroy)
    return steps
  }

  /// The log must not remain without its database: that is indistinguishable from a lost database.
  @Test(arguments: [StorageFault.Effect.io, .full])
  func itIsThereWholeOrGone(effect: StorageFault.Effect) {
    for first in Self.steps(failing: []) {
      let fault = StorageFault(effect, at: first)
      let steps = Self.steps(failing: [fault])
      guard let place = steps.firstIndex(of: first) else { continue }
      for second in steps[(place + 1)...] {
        let bench = Self.bench()
        bench.storage.plan = FaultPlan([fault, StorageFault(.io, at: second)])
        let outcome = bench.perform(.destroy)
        bench.storage.plan = FaultPlan()
        // Only this process has the list of files that neither SQLite nor the store could remove,
        // or that remained because there was no room to move them.
        if effect == .io, first.kind != .delete {
          let next = Bench(storage: bench.storage.copy(), opens: false)
          #expect(next.failure(.open()) == nil, "\(outcome) after \(first) and \(second)")
        }
        bench.perform(.open())
        let count = bench.info?.documents
        let expected: [Int64?] =
          switch outcome {
          case .ok: [0]
          case .error: [3]
          case .unknown: [0, 3]
          }
        #expect(expected.contains(count), "\(outcome) after \(effect) at \(first), io at \(second)")
        expectInvariants(in: bench.storage)
      }
    }
  }
}
