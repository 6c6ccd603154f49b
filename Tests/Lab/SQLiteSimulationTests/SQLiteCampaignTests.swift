import Datastore
import Defects
import SQLiteSimulation
import Simulation
import TestSeeds
import Testing

/// Small campaigns over replicas whose files crash and fail.
@Suite struct SQLiteCampaignTests {
  private static func campaign(
    _ participants: World.Participants = .sqlite,
    faults: Set<ScenarioGenerator.FaultClass> = Set(ScenarioGenerator.FaultClass.allCases)
  ) -> Campaign {
    let replica = SQLiteReplica()
    var generator = ScenarioGenerator(
      capabilities: replica.description.capabilities, crashes: replica.crashes)
    generator.replicaCount = 2
    generator.operationsPerReplica = 30
    generator.faults = faults
    return Campaign(generator, participants)
  }

  @Test func nothingIsLost() throws {
    let campaign = Self.campaign(faults: [.crash, .storage, .loss])
    var probes = ProbeCounts()
    // The probes must be reached, which they are under these seeds.
    for seed in UInt64(1)...25 {
      let run = try campaign.run(seed: seed)
      #expect(run.findings.isEmpty, "seed \(seed)")
      probes += run.probes
    }
    for probe: Probe in [
      .crashedAtStep, .unsyncedLost, .writeTorn, .crashedInOpening, .storageFull,
      .storageFailing, .powerLost, .killed, .restored,
    ] {
      #expect(probes[probe] > 0, "\(probe.rawValue)")
    }
  }

  /// A store that is destroyed while its disk fails returns that error, and not that it is open
  /// elsewhere.
  @Test func aFailingDiskIsNotCalledBusy() throws {
    var campaign = Self.campaign()
    campaign.generator.replicaCount = 3
    campaign.generator.operationsPerReplica = 100
    let run = try campaign.run(seed: 4080)
    #expect(run.findings.isEmpty)
    #expect(run.probes[.storageFailing] > 0)
  }

  @Test func readersChangeNothing() throws {
    let campaign = Self.campaign()
    for seed in RotatingSeeds.next(5) {
      let run = try campaign.run(seed: seed)
      #expect(try campaign.run(seed: seed, records: true).digest == run.digest, "seed \(seed)")
      #expect(try campaign.run(seed: seed).digest == run.digest, "seed \(seed)")
    }
  }

  @Test func anUnsyncedWriteIsFound() throws {
    let mutant = try #require(ReplicationDefect.all.first { $0.name == "unsynced-write" })
    let campaign = Self.campaign(mutant.applied(to: .sqlite), faults: [.crash])
    let isFound = try (UInt64(1)...60).contains { !(try campaign.run(seed: $0).findings.isEmpty) }
    #expect(isFound)
  }

  @Test func aMutantInFrontOfTheStoreCrashesWithIt() throws {
    let mutant = try #require(ReplicationDefect.all.first { $0.name == "winner-by-arrival" })
    let replica = try mutant.applied(to: .sqlite).makeStore(0)
    let environment = RunEnvironment(seed: 1)
    let open = StoreOperation("notes", .open())
    #expect(replica.crashes == [.kill, .powerLoss])
    #expect(try replica.implementation.perform(open, environment) == .ok(.done))
    try replica.crash(.powerLoss, draw: 1)
    let outcome = try replica.implementation.perform(
      StoreOperation("notes", .list()), environment)
    #expect(outcome.errorKind == .noSuchStore)
  }
}
