import Datastore
import JSON
import Oracles
import ReferenceDatastore
import SQLiteDatastore
import Simulation
import Storage
import Testing

/// Several devices on one backend of collections.
struct CollectionCampaignTests {
  /// What the backend promises it keeps; what it does not promise is lost, and not by replicated stores.
  @Test func whatIsPromisedIsKept() throws {
    var all = CollectionRun()
    for seed: UInt64 in 1...60 {
      all += try CollectionWorkload(seed: seed).run(over: ReferenceDatastore())
    }
    #expect(all.findings == [])
    #expect(all.losses.overwritten > 0 && all.losses.removed > 0 && all.losses.madeTwice > 0)
    #expect(all.conflicts > 0 && all.replicated > all.conflicts)
    #expect(all.lostRequests > 0 && all.lostAnswers > 0 && all.refusals > 0 && all.crashes > 0)
  }

  @Test func theSQLiteStoreKeepsTheSame() throws {
    for seed: UInt64 in 1...8 {
      let workload = CollectionWorkload(seed: seed)
      let run = try workload.run(over: SQLiteDatastore(storage: MemoryStorage()))
      #expect(run == (try workload.run(over: ReferenceDatastore())))
    }
  }
}
