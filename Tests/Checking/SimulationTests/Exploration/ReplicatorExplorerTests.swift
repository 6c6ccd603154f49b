import Datastore
import ReferenceDatastore
import Replication
import Simulation
import Testing

/// The replicator of this project with every single event; `tools/explore-replicators` enumerates
/// pairs of events.
struct ReplicatorExplorerTests {
  @Test(arguments: ReplicatorSetting.all.map(\.name))
  func theReplicatorHasNoFinding(setting: String) throws {
    var explorer = ReplicatorExplorer(ReplicatorScope(events: 1, settings: [setting]))
    let found = try explorer.explore()
    #expect(found == nil)
    let report = explorer.report
    #expect(report.runs > 300)
    #expect(report.reduced > 100)
    #expect(report.ends > 20)
    #expect(report.cut > 0)
  }

  /// At least 3 pages with batch sizes 1 and 2: one request for changes per page.
  @Test func theScopeHasThreePages() throws {
    for setting in ["plain-1", "plain-2"] {
      var explorer = ReplicatorExplorer(ReplicatorScope(events: 0, settings: [setting]))
      #expect(try explorer.explore() == nil)
      #expect(explorer.report.runs == 1)
      // The identities and checkpoints of both stores take 6 requests, saving a checkpoint 2, a
      // page at least 2.
      #expect(explorer.report.requests >= 6 + 2 + 3 * 2 + 3 * 2)
    }
  }

  /// The partial-order reduction hides no finding: without it there is none either.
  @Test func theReductionHidesNothing() throws {
    var reduced = ReplicatorExplorer(ReplicatorScope(events: 1, settings: ["plain-2"]))
    var whole = ReplicatorExplorer(
      ReplicatorScope(events: 1, settings: ["plain-2"], reduces: false))
    #expect(try reduced.explore() == nil)
    #expect(try whole.explore() == nil)
    #expect(whole.report.reduced == 0)
    #expect(whole.report.placements == reduced.report.placements + reduced.report.reduced)
    #expect(whole.report.runs > reduced.report.runs)
  }

  @Test func theReplicatorBehindReplicateHasNoFinding() throws {
    var explorer = try ForeignReplicatorExplorer(
      ReplicatorScope(events: 1, settings: ["plain-2"], runsMax: 150),
      ReplicatingDatastore(ReferenceDatastore()))
    let found = try explorer.explore()
    #expect(found == nil)
    #expect((100...150).contains(explorer.report.runs))
    #expect(explorer.report.notExplored > 0)
  }

  @Test func pairsBehindReplicateArePossible() throws {
    var explorer = try ForeignReplicatorExplorer(
      ReplicatorScope(events: 2, settings: ["plain-2"], runsMax: 200),
      ReplicatingDatastore(ReferenceDatastore()))
    let found = try explorer.explore()
    #expect(found == nil)
    #expect(explorer.report.placements > explorer.report.runs)
  }

  /// A replicator behind `replicate` that ignores its filter.
  @Test func aReplicatorBehindReplicateIsFound() throws {
    var explorer = try ForeignReplicatorExplorer(
      ReplicatorScope(events: 0), ReferenceDatastore()
    ) { configuration in
      // The wrapper drops the filter.
      var configuration = configuration
      configuration.filter = nil
      return Replicator(configuration)
    }
    let found = try #require(try explorer.explore())
    #expect(found.setting == "selected")
    #expect(found.shape == "extra/filter")
    #expect(throws: HarnessError.self) {
      _ = try ForeignReplicatorExplorer(ReplicatorScope(), ReferenceDatastore())
    }
  }

  @Test(arguments: ["", "plain-3", "plain-1 x", "plain-1 0:stop", "plain-1 5", "push"])
  func whatIsNoPlan(text: String) { #expect(ReplicatorPlan(text) == nil) }

  @Test func aPlanNamesPossibleEvents() throws {
    let plan = try #require(ReplicatorPlan("plain-1 5:source:teleport"))
    var explorer = ReplicatorExplorer(ReplicatorScope())
    #expect(throws: HarnessError.self) { _ = try explorer.replay(plan) }
    let stop = try #require(ReplicatorPlan("plain-1 12:stop"))
    #expect(try explorer.replay(stop) == nil)
  }
}
