import Datastore
import Defects
import Storage
import Testing

@testable import CrashTesting

/// Crashes at every step, of a correct store and of wrong ones.
@Suite struct CrashExplorerTests {
  static func scenario(_ name: String) throws -> CrashScenario {
    try #require(CrashScenario.all.first { $0.name == name })
  }

  /// Few outcomes, so that the test is fast.
  static func options(_ defect: String? = nil) throws -> CrashOptions {
    var options = CrashOptions()
    options.outcomesMax = 5
    guard let defect else { return options }
    let found = try #require(CrashDefect.all.first { $0.name == defect })
    options.faults = found.faults
    options.makeStore = { found.applied(to: $1.makeStore(on: $0)) }
    return options
  }

  @Test func thereAreManyScenariosOfAllSorts() {
    let names = CrashScenario.all.map { $0.name }
    #expect(names.count >= 30)
    #expect(Set(names).count == names.count)
    #expect(CrashScenario.all.allSatisfy { !$0.summary.isEmpty })
  }

  @Test(
    arguments: [
      "batch", "lives", "resolve-refused", "upload-replaced", "destroy", "pull-attachments",
      "upgrade",
    ])
  func nothingIsLost(name: String) throws {
    var options = try Self.options()
    options.outcomesMax = 2
    let report = try CrashExplorer(options).run(try Self.scenario(name))
    #expect(report.losses == [])
    #expect(report.survivors == report.images)
    #expect(report.points > 5)
    // A kill at each point, and not all power losses are the same.
    #expect(report.images > report.points)
    #expect(report.outcomes >= report.images - report.points)
  }

  @Test(
    arguments: [
      ("log-not-synced", "local-documents"), ("content-not-synced", "attachments"),
      ("names-not-synced", "attachments"), ("database-not-synced", "close"),
      ("acknowledged-early", "local-documents"), ("batch-in-two-transactions", "batch"),
      ("resolve-in-two-transactions", "resolve"),
    ])
  func aWrongStoreIsFound(defect: String, name: String) throws {
    let report = try CrashExplorer(try Self.options(defect)).run(try Self.scenario(name))
    let lossCount = report.images - report.survivors
    #expect(lossCount > 0)
    #expect(report.losses.count == min(5, lossCount))
    let loss = try #require(report.losses.first)
    #expect(loss.scenario == name)
    // The report is enough to replay it, and contains nothing else.
    var again = try Self.options(defect)
    again.point = loss.point
    again.subset = loss.subset
    let second = try CrashExplorer(again).run(try Self.scenario(name))
    #expect(second.images == 1)
    #expect(second.losses == [loss])
  }

  /// Revisions of a rejected resolution remain.
  @Test(arguments: ["resolve-stops-halfway", "resolve-commits-itself"])
  func aRemainderIsFound(defect: String) throws {
    let report = try CrashExplorer(try Self.options(defect)).run(
      try Self.scenario("resolve-refused"))
    #expect(!report.losses.isEmpty)
  }

  @Test func whatIsLostIsSaid() throws {
    let options = try Self.options("log-not-synced")
    let losses = try CrashExplorer(options).run(try Self.scenario("local-documents")).losses
    #expect(
      losses.contains {
        $0.finding.kind == .lost
          && $0.finding.sentence.contains("' was acknowledged and is missing")
      })
  }

  @Test func twoRunsAreTheSame() throws {
    func run() throws -> [Int] {
      let report = try CrashExplorer(try Self.options()).run(try Self.scenario("push"))
      return [report.steps, report.points, report.outcomes, report.images, report.survivors]
    }
    #expect(try run() == run())
  }
}
