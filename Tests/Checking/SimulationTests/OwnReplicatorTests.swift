import Datastore
import ReferenceDatastore
import Replication
import Scenarios
import Testing

@testable import Simulation

/// Capability `replicate`: an implementation's own replicator runs in the simulated network.
@Suite struct OwnReplicatorTests {
  private func campaign(
    _ makeMachine: @escaping (ReplicatorConfiguration) -> any ReplicationMachine = {
      Replicator($0)
    }
  ) -> Campaign {
    let participants = World.Participants(makeStore: { _ in
      PlainStore(
        ReplicatingDatastore(ReferenceDatastore(), makeMachine: makeMachine), followsModel: true)
    })
    var capabilities = ReferenceDatastore().description.capabilities
    // The harness does not observe what the replicator's own store rejects.
    capabilities.remove(.validation)
    var generator = ScenarioGenerator(capabilities: capabilities, crashes: [.kill])
    generator.operationsPerReplica = 40
    return Campaign(generator, participants)
  }

  @Test func losesNothing() throws {
    let campaign = campaign()
    var probes = ProbeCounts()
    // The probes must be reached, which they are under these seeds.
    for seed in UInt64(1)...60 {
      let run = try campaign.run(seed: seed)
      #expect(run.findings.isEmpty, "seed \(seed): \(run.findings)")
      probes += run.probes
    }
    #expect(probes[.requestLost] > 0)
    #expect(probes[.crashedInSession] > 0)
  }

  @Test func saysTheSameTwice() throws {
    let campaign = campaign()
    #expect(try campaign.run(seed: 5).digest == campaign.run(seed: 5).digest)
  }

  /// A replicator that reports completion without any request.
  private struct Idler: ReplicationMachine {
    private(set) var state: ReplicatorState = .pending
    let report = ReplicationReport()

    mutating func handle(_ event: ReplicatorEvent) -> [ReplicatorEffect] {
      state = .complete
      return []
    }
  }

  @Test func aLazyOneIsFound() throws {
    let campaign = campaign { _ in Idler() }
    #expect(try (UInt64(1)...20).contains { try !campaign.run(seed: $0).findings.isEmpty })
  }
}
