import Datastore
import JSON
import ReferenceDatastore
import Replication
import Scenarios
import Testing

@testable import Simulation

/// Capability `replicate`: an implementation's own replicator runs in the simulated network.
@Suite struct OwnReplicatorTests {
  private func campaign(
    declaring deviations: [Deviation] = [],
    _ makeMachine: @escaping (ReplicatorConfiguration) -> any ReplicationMachine = {
      Replicator($0)
    }
  ) -> Campaign {
    let participants = World.Participants(makeStore: { _ in
      PlainStore(
        ReplicatingDatastore(ReferenceDatastore(), makeMachine: makeMachine),
        followsModel: deviations.isEmpty, deviations: deviations)
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

  /// A replicator that ends as an error at an empty attachment.
  private struct Staller: ReplicationMachine {
    private var base: any ReplicationMachine
    private var hasStalled = false

    init(_ configuration: ReplicatorConfiguration) { base = Replicator(configuration) }

    var state: ReplicatorState { hasStalled ? .error : base.state }
    var report: ReplicationReport { base.report }

    mutating func handle(_ event: ReplicatorEvent) -> [ReplicatorEffect] {
      if case .response(_, .ok(.revisions(let answers))) = event {
        hasStalled = answers.contains { answer in
          guard case .records(let records) = answer.found else { return false }
          return records.contains { $0.attachments.contains { $0.content == .data("") } }
        }
      }
      return hasStalled ? [] : base.handle(event)
    }
  }

  /// A session that a declared deviation stops ends its run without a finding.
  @Test func aDeclaredStallIsNoFinding() throws {
    let deviation = try #require(Deviation.named("empty-attachment-stalls-session"))
    let declared = campaign(declaring: [deviation]) { Staller($0) }
    let seeds = UInt64(1)...60
    var stalled: [UInt64] = []
    for seed in seeds {
      let run = try declared.run(seed: seed)
      #expect(run.findings.isEmpty, "seed \(seed): \(run.findings)")
      if run.deviations.map(\.id) == [deviation.id] { stalled.append(seed) }
    }
    #expect(!stalled.isEmpty)
    let undeclared = campaign { Staller($0) }
    #expect(try stalled.contains { try !undeclared.run(seed: $0).findings.isEmpty })
    // Another error of the replicator is no such stall.
    let idle = campaign(declaring: [deviation]) { _ in Idler() }
    #expect(try seeds.contains { try !idle.run(seed: $0).findings.isEmpty })
  }
}
