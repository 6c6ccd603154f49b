import Datastore
import JSON
import ReferenceDatastore
import Scenarios
import Testing

@testable import Simulation

/// A store whose reads may come from a copy that lacks the latest writes is asked again.
@Suite struct StaleAnswerLayerTests {
  /// The model with a copy that lacks the latest write; the copy answers feeds and lists.
  private final class LaggingDatastore: ImplementationUnderTest {
    private let store = ReferenceDatastore()
    private let copy = ReferenceDatastore()
    /// The number of answers of the copy after a write.
    var lag: Int
    private var staleAnswersLeft = 0
    /// What the next operations throw.
    var errors: [HarnessError] = []
    private(set) var performedCount = 0
    let description: ImplementationDescription

    init(lag: Int, isDeterministic: Bool = true) {
      self.lag = lag
      var description = store.description
      description.isDeterministic = isDeterministic
      self.description = description
    }

    func reset() {
      store.reset()
      copy.reset()
      staleAnswersLeft = 0
    }

    func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      performedCount += 1
      if !errors.isEmpty { throw errors.removeFirst() }
      switch operation.action {
      case .list, .changes, .revsDiff:
        guard staleAnswersLeft > 0 else { break }
        staleAnswersLeft -= 1
        return copy.perform(operation, environment)
      case .read, .leaves, .getRevisions, .readLocal, .info: break
      default:
        copy.restore(store.snapshot)
        _ = copy.perform(StoreOperation(operation.store, .open()), environment)
        staleAnswersLeft = lag
      }
      return store.perform(operation, environment)
    }

    func crash(_ kind: CrashKind) { store.crash(kind) }

    func shutdown() { store.shutdown() }
  }

  private let stale: Deviation
  private let environment = RunEnvironment(seed: 1)
  private static let breakdown = HarnessError("gone", breakdown: .init(shape: "status 500"))

  init() throws { stale = try #require(Deviation.named("stale-copies")) }

  private func layer(_ base: LaggingDatastore, pauses: Int) -> StaleAnswerLayer {
    StaleAnswerLayer(
      base, deviations: [stale], pausesMilliseconds: Array(repeating: 0, count: pauses))
  }

  private func create(_ id: DocumentID, in store: any ImplementationUnderTest) throws {
    _ = try store.perform(StoreOperation("a", .open()), environment)
    _ = try store.perform(StoreOperation("a", .create(id: id, body: [:])), environment)
  }

  private func listed(_ store: any ImplementationUnderTest) throws -> Int? {
    let outcome = try store.perform(StoreOperation("a", .list()), environment)
    guard case .ok(.list(let rows)) = outcome else { return nil }
    return rows.count
  }

  @Test func aStaleAnswerIsReplacedByTheRightOne() throws {
    let store = layer(LaggingDatastore(lag: 2), pauses: 2)
    try create("d", in: store)
    #expect(try listed(store) == 1)
    #expect(store.staleCount == 1)
    #expect(store.occurred == ["stale-copies"])
    try store.begin(.run("next"))
    #expect(store.occurred == [])
    #expect(store.staleCount == 1)
  }

  /// The answers of a deterministic store do not depend on the time.
  @Test(arguments: [true, false]) func onlyOtherStoresAreWaitedFor(isDeterministic: Bool) throws {
    let store = StaleAnswerLayer(
      LaggingDatastore(lag: 2, isDeterministic: isDeterministic), deviations: [stale],
      pausesMilliseconds: [1, 2])
    try create("d", in: store)
    #expect(try listed(store) == 1)
    #expect(store.staleCount == 1)
    #expect(store.longestWaitMilliseconds == (isDeterministic ? 0 : 3))
  }

  @Test func anAnswerThatStaysWrongCounts() throws {
    let store = layer(LaggingDatastore(lag: 4), pauses: 3)
    try create("d", in: store)
    #expect(try listed(store) == 0)
    #expect(store.staleCount == 0)
    // The store is not followed any more.
    #expect(try listed(store) == 1)
    #expect(store.staleCount == 0)
  }

  /// Only a node that went away excuses a failure, and only of what can be repeated.
  @Test func aFailedReadIsRepeatedAfterAKill() throws {
    let base = LaggingDatastore(lag: 0)
    let store = layer(base, pauses: 2)
    try create("d", in: store)
    base.errors = [Self.breakdown]
    #expect(throws: Self.breakdown) { try listed(store) }
    store.isDisturbed = { true }
    base.errors = [Self.breakdown, Self.breakdown]
    #expect(try listed(store) == 1)
    base.errors = [Self.breakdown]
    let count = base.performedCount
    #expect(throws: Self.breakdown) {
      try store.perform(StoreOperation("a", .create(id: "e", body: [:])), environment)
    }
    #expect(base.performedCount == count + 1)
    base.errors = Array(repeating: Self.breakdown, count: 3)
    #expect(throws: Self.breakdown) { try listed(store) }
  }

  /// Only the deviation hides it, and only where the store is right in the end.
  @Test func aComparisonAgreesOnlyWithTheDeviation() throws {
    for (mode, agrees) in [(StoreFollower.Mode.declared([stale]), true), (.rulesOnly, false)] {
      let differential = Differential(mode: mode) { LaggingDatastore(lag: 1) }
      let results = try (1...5).map { try differential.evaluate(seed: $0, keys: differential.keys) }
      let found = results.count {
        if case .agreed = $0.verdict { false } else { true }
      }
      #expect((found == 0) == agrees, "\(found)")
      #expect(results.contains { $0.deviations.map(\.id) == ["stale-copies"] } == agrees)
    }
  }

  /// A store whose copies differ from the first edit on, until they are settled.
  private final class DisturbedStore: SimulatedStore {
    let implementation: any ImplementationUnderTest
    let deviations: [Deviation]
    private(set) var isDisturbed: Bool
    private let base = LaggingDatastore(lag: 2)

    init(_ stale: Deviation, isDisturbed: Bool) {
      (deviations, self.isDisturbed) = ([stale], isDisturbed)
      let layer = StaleAnswerLayer(base, deviations: [stale], pausesMilliseconds: [])
      implementation = layer
      layer.isDisturbed = { [unowned self] in self.isDisturbed }
    }

    func beginRun(_ label: JSONString) throws(HarnessError) {
      try implementation.begin(.run(label))
    }

    func settle() {
      isDisturbed = false
      base.lag = 0
    }
  }

  /// Until the copies are equal, only writes are observed; the final state still counts.
  @Test func aDisturbedStoreIsJudgedAtTheEnd() throws {
    var generator = ScenarioGenerator(
      capabilities: ReferenceDatastore().description.capabilities, crashes: [])
    generator.operationsPerReplica = 30
    for isDisturbed in [true, false] {
      let stale = stale
      let campaign = Campaign(
        generator,
        World.Participants(makeStore: { _ in DisturbedStore(stale, isDisturbed: isDisturbed) }))
      let runs = try (1...3).map { try campaign.run(seed: $0) }
      #expect(
        runs.allSatisfy { $0.findings.isEmpty } == isDisturbed,
        "\(runs.flatMap(\.findings).map(\.sentence))")
      #expect(runs.allSatisfy { $0.deviations.map(\.id) == ["stale-copies"] } || !isDisturbed)
    }
  }

  @Test func simulatedStoresAreAskedAgain() throws {
    var generator = ScenarioGenerator(
      capabilities: ReferenceDatastore().description.capabilities, crashes: [])
    generator.operationsPerReplica = 30
    for deviations in [[stale], []] {
      let campaign = Campaign(
        generator,
        World.Participants(makeStore: { _ in
          PlainStore(LaggingDatastore(lag: 1), deviations: deviations)
        }))
      let runs = try (1...3).map { try campaign.run(seed: $0) }
      #expect(runs.allSatisfy { $0.findings.isEmpty } == !deviations.isEmpty)
      #expect(runs.contains { $0.deviations.map(\.id) == ["stale-copies"] } == !deviations.isEmpty)
    }
  }
}
