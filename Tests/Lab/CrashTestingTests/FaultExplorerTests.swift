import Datastore
import Storage
import Testing

@testable import CrashTesting

/// Failures of the disk at every call, for a correct store and for wrong ones.
@Suite struct FaultExplorerTests {
  @Test func nothingIsLost() throws {
    let report = try FaultExplorer().run(try CrashExplorerTests.scenario("open-existing"))
    #expect(report.losses == [])
    #expect(report.survivors == report.faults)
    #expect(report.refusals >= report.faults / 2)
    #expect(report.counts.map { $0.count }.reduce(0, +) == report.faults)
    #expect(report.counts.allSatisfy { $0.count > 0 })
  }

  /// A sample of the faults.
  @Test(arguments: ["local-documents", "upload-abandoned", "push"])
  func nothingIsLostByOneInTwenty(name: String) throws {
    let scenario = try CrashExplorerTests.scenario(name)
    var options = CrashOptions()
    for fault in stride(from: 1, through: 100, by: 21) {
      options.point = fault
      let report = try FaultExplorer(options).run(scenario)
      #expect(report.faults == 1)
      #expect(report.losses == [])
    }
  }

  @Test func aStoreThatHidesFailuresIsFound() throws {
    var options = try CrashExplorerTests.options("failure-hidden")
    let scenario = try CrashExplorerTests.scenario("local-documents")
    var losses: [CrashLoss] = []
    for fault in 1...200 where losses.isEmpty {
      options.point = fault
      losses = try FaultExplorer(options).run(scenario).losses
    }
    let loss = try #require(losses.first)
    #expect(loss.point == options.point)
    #expect(loss.finding.kind == .lost)
    #expect(loss.step?.contains(" at ") == true)
    #expect(try FaultExplorer(options).run(scenario).losses == [loss])
  }

  @Test func aFaultIsOnceOrLasting() {
    let steps = [
      StorageStep(.write, .wal, ordinal: 3), StorageStep(.read, .database, ordinal: 1),
      StorageStep(.sync, .blob, ordinal: 2),
    ]
    let faults = DiskFault.all(at: steps, locks: 7..<8, lookUps: 2..<3)
    #expect(
      faults.map { "\($0)" } == [
        "write error at write wal 3", "write error at write wal 3 and all after it",
        "full disk at write wal 3", "full disk at write wal 3 and all after it",
        "read error at read database 1", "read error at read database 1 and all after it",
        "sync error at sync blob 2", "sync error at sync blob 2 and all after it",
        "lock contention at lock 7", "lock contention at lock 7 and all after it",
        "read error at look-up 2", "read error at look-up 2 and all after it",
      ])
    #expect(
      faults[3].plan([]).faults == [StorageFault(.full, .write, role: .wal, ordinals: 3...Int.max)])
    #expect(faults[8].plan([]).heldLocks == 7...7)
    #expect(faults[11].plan([]).failedLookUps == 2...Int.max)
  }
}
