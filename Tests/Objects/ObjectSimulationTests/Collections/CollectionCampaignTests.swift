import Datastore
import JSON
import ObjectSimulation
import Oracles
import ReferenceDatastore
import SQLiteDatastore
import Simulation
import Storage
import TestSeeds
import Testing

/// Several devices on one backend of collections.
struct CollectionCampaignTests {
  /// Guarantees of the backend hold; losses outside the guarantees occur, but not in replicated
  /// stores.
  @Test func whatIsPromisedIsKept() throws {
    var all = CollectionRun()
    // All kinds of losses and faults must occur, which they do under these seeds.
    for seed: UInt64 in 1...60 {
      all += try CollectionWorkload(seed: seed).run(over: ReferenceDatastore())
    }
    #expect(all.findings == [])
    #expect(all.losses.overwritten > 0 && all.losses.removed > 0 && all.losses.madeTwice > 0)
    #expect(all.conflicts > 0 && all.replicated > all.conflicts)
    #expect(all.lostRequests > 0 && all.lostAnswers > 0 && all.refusals > 0 && all.crashes > 0)
  }

  @Test func theSQLiteStoreKeepsTheSame() throws {
    for seed in RotatingSeeds.next(8) {
      let workload = CollectionWorkload(seed: seed)
      let run = try workload.run(over: SQLiteDatastore(storage: MemoryStorage()))
      #expect(run == (try workload.run(over: ReferenceDatastore())), "seed \(seed)")
    }
  }

  @Test func whatIsForgottenIsFound() throws {
    let workload = CollectionWorkload(seed: 1)
    let store = ForgetfulStore()
    let finding = try #require(try workload.run(over: store).findings.first)
    let shrunk = try workload.shrunk(over: store, showing: finding.shape)
    #expect(shrunk.steps.count < workload.steps.count)
    #expect(try shrunk.run(over: store).findings.first?.shape == finding.shape)
    #expect(try shrunk.run(over: store, records: true).trace?.lines.isEmpty == false)
    #expect(try shrunk.run(over: ReferenceDatastore()).findings == [])
  }

  /// An application that does not wait for callbacks loses updates of others and its own, even
  /// without faults; but it creates no duplicates.
  @Test func whatIsLostWhenNothingFails() throws {
    var all = CollectionRun()
    // An update must be lost, which happens under these seeds.
    for seed: UInt64 in 1...30 {
      all += try CollectionWorkload(seed: seed, hasFaults: false).run(over: ReferenceDatastore())
    }
    #expect(all.findings == [] && all.lostAnswers == 0)
    #expect(all.losses.overwritten > 0 && all.losses.madeTwice == 0)
  }
}

/// A store that acknowledges an update and loses it.
final class ForgetfulStore: ImplementationUnderTest {
  private let store = ReferenceDatastore()
  private var updates = 0

  var description: ImplementationDescription { store.description }

  func reset() throws(HarnessError) {
    store.reset()
    updates = 0
  }

  func crash(_ kind: CrashKind) throws(HarnessError) {}
  func shutdown() throws(HarnessError) {}

  func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    guard case .update(let id, let rev, _) = operation.action else {
      return store.perform(operation, environment)
    }
    updates += 1
    guard updates % 3 == 0 else { return store.perform(operation, environment) }
    return .ok(.written(id: id, rev: rev))
  }
}
