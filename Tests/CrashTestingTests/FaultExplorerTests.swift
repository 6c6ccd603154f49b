import Datastore
import Storage
import Testing

@testable import CrashTesting

/// Failures of the disk at every call, under a right store and under wrong ones.
@Suite struct FaultExplorerTests {
  @Test func nothingIsLost() throws {
    let report = try FaultExplorer().run(try CrashExplorerTests.scenario("open-existing"))
    #expect(report.losses == [])
    #expect(report.survivors == report.faults)
    #expect(report.refusals >= report.faults / 2)
    #expect(report.counts.map { $0.count }.reduce(0, +) == report.faults)
    #expect(report.counts.allSatisfy { $0.count > 0 })
  }

  /// Some of many.
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
    let options = try CrashExplorerTests.options("failure-hidden")
    let scenario = try CrashExplorerTests.scenario("local-documents")
    let report = try FaultExplorer(options).run(scenario)
    #expect(report.lossCount > 0)
    let loss = try #require(report.losses.first)
    #expect(loss.finding.kind == .lost)
    var again = options
    again.point = loss.point
    let second = try FaultExplorer(again).run(scenario)
    #expect(second.faults == 1)
    #expect(second.losses == [loss])
  }

  @Test func aFaultIsOnceOrLasting() {
    let steps = [
      StorageStep(.write, .wal, 3), StorageStep(.read, .database, 1), StorageStep(.sync, .blob, 2),
    ]
    let faults = DiskFault.all(at: steps, locks: 7..<8)
    #expect(
      faults.map { "\($0)" } == [
        "write error at write wal 3", "write error at write wal 3 and all after it",
        "full disk at write wal 3", "full disk at write wal 3 and all after it",
        "read error at read database 1", "read error at read database 1 and all after it",
        "sync error at sync blob 2", "sync error at sync blob 2 and all after it",
        "lock contention at lock 7", "lock contention at lock 7 and all after it",
      ])
    #expect(
      faults[3].plan([]).faults == [StorageFault(.full, .write, .wal, 3...Int.max)])
    #expect(faults[8].plan([]).heldLocks == 7...7)
  }
}
