import Datastore
import JSON
import ReferenceDatastore
import Scenarios
import Testing

@testable import Simulation

/// A crash, hang or protocol error is a finding that is shrunk, and differs from a run that cannot
/// start.
@Suite struct BreakdownTests {
  /// The model, which throws an error from its first deletion on.
  private final class FragileDatastore: ImplementationUnderTest {
    private let store = ReferenceDatastore()
    private let error: HarnessError
    private var isBroken = false

    init(_ error: HarnessError) { self.error = error }

    var description: ImplementationDescription { store.description }

    func reset() { store.reset() }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      if case .delete = operation.action { isBroken = true }
      if isBroken { throw error }
      return store.perform(operation, environment)
    }

    func crash(_ kind: CrashKind) { store.crash(kind) }

    func shutdown() { store.shutdown() }
  }

  private static let breakdown = HarnessError(
    "the adapter was killed by SIGSEGV", breakdown: .init(shape: "SIGSEGV"))

  private func campaign(_ error: HarnessError) -> Campaign {
    var generator = ScenarioGenerator(
      capabilities: ReferenceDatastore().description.capabilities, crashes: [])
    generator.operationsPerReplica = 30
    return Campaign(
      generator, World.Participants(makeStore: { _ in PlainStore(FragileDatastore(error)) }))
  }

  @Test func isAFindingThatShrinks() throws {
    let campaign = campaign(Self.breakdown)
    let finding = try #require(try campaign.run(seed: 1).findings.first)
    #expect(finding.oracle == "breakdown")
    #expect(finding.shape == "SIGSEGV")
    #expect(
      finding.sentence.string.contains(
        "crashed, hung or violated the protocol: the adapter was killed by SIGSEGV"))
    var shrinker = ScenarioShrinker(finding, campaign.participants)
    let small = try #require(try shrinker.shrunk(campaign.generator.scenario(seed: 1)))
    #expect(small.scenario.steps.count <= 2)
  }

  @Test func whatCannotBeAskedEndsTheRun() {
    #expect(throws: HarnessError("no room")) {
      _ = try campaign(HarnessError("no room")).run(seed: 1)
    }
  }

  @Test func isADisagreementInTheComparison() throws {
    let differential = Differential { FragileDatastore(Self.breakdown) }
    for seed in UInt64(1)...20 {
      guard case .disagreed(let disagreement) = try differential.run(seed: seed) else { continue }
      #expect(disagreement.breakdown == "the adapter was killed by SIGSEGV")
      #expect(!disagreement.accepted.isEmpty)
      let small = try differential.shrunk(disagreement)
      guard case .delete = small.steps.last?.operation.action else {
        Issue.record("\(small.steps)")
        return
      }
      #expect(small.breakdown != nil)
      return
    }
    Issue.record("no seed deletes")
  }
}
