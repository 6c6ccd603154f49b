import Datastore
import JSON
import ReferenceDatastore
import Replication
import Scenarios
import Testing

@testable import Simulation

/// The search finds the event that a reader would name, over stores whose errors are known.
@Suite struct PointOfNoReturnTests {
  private typealias Point = Trace.PointOfNoReturn

  // MARK: Scenarios

  /// Replica `a` has `d` first, and `b` gets it. Then a compaction at `b` removes all its documents.
  private static let lateLoss = Scenario(
    seed: 1, replicas: ["a", "b"],
    steps: steps([
      .perform(at: "a", ClientOperation(.create(id: "d", body: ["v": 1]))),
      .replicate(Replicate(source: "a", target: "b", by: "b")),
      // A second run reads the checkpoint of the first one.
      .replicate(Replicate(source: "a", target: "b", by: "b")),
      .perform(at: "b", ClientOperation(.compact)),
      .perform(at: "a", ClientOperation(.create(id: "f", body: [:]))),
    ]))

  private static func steps(_ directives: [Directive]) -> [ScenarioStep] {
    directives.enumerated().map { place, directive in
      ScenarioStep(
        StepID(JSONString("s\(place + 1)")), when: Int64(place + 1) * 10_000, directive)
    }
  }

  private func point(
    of scenario: Scenario, _ participants: World.Participants
  ) throws -> Trace.PointOfNoReturn {
    try PointOfNoReturnSearch.point(of: scenario, participants).get()
  }

  /// The entries of the event of a point.
  private func entries(
    _ point: Trace.PointOfNoReturn, _ scenario: Scenario, _ participants: World.Participants
  ) throws -> [Trace.Entry] {
    guard case .event(let range) = point.place else { return [] }
    var world = try World(scenario, participants, records: true)
    return Array(try #require(try world.run().trace).entries[range])
  }

  // MARK: Losses

  /// The loss becomes inevitable with the compaction, neither with the write nor with the finding.
  @Test func aLossThatBecomesInevitableLate() throws {
    let participants = LosingReplica.participants(at: 1)
    let point = try point(of: Self.lateLoss, participants)
    let entries = try entries(point, Self.lateLoss, participants)
    #expect(entries.first?.step == "s4" && entries.first?.replica == "b")
    #expect(point.before.saving > 0 && point.before.saving < point.before.tried)
    #expect(point.after.saving == 0 && point.after.tried >= 3 * Int(PointOfNoReturnSearch.choices))
    #expect(point.whileRunning == nil)
    // The other replica still has the document, behind a checkpoint.
    #expect(point.remedy == .withoutCheckpoints)
  }

  /// With a third replica that has a copy and does not replicate to `b`, a new pair is enough.
  @Test func aNewPairIsAMilderRemedy() throws {
    var scenario = Self.lateLoss
    scenario.replicas.append("c")
    scenario.steps.insert(
      ScenarioStep(
        "r", when: 15_000, .replicate(Replicate(source: "a", target: "c", by: "c"))), at: 1)
    let participants = LosingReplica.participants(at: 1)
    let point = try point(of: scenario, participants)
    #expect(try entries(point, scenario, participants).first?.step == "s4")
    #expect(point.remedy == .allPairs)
  }

  /// The last copy is gone, so no remedy has an effect.
  @Test func nothingHelpsWithoutACopy() throws {
    var scenario = Self.lateLoss
    scenario.steps[0].directive = .perform(
      at: "b", ClientOperation(.create(id: "d", body: ["v": 1])))
    scenario.steps.removeSubrange(1...2)
    let participants = LosingReplica.participants(at: 1)
    let point = try point(of: scenario, participants)
    #expect(try entries(point, scenario, participants).first?.step == "s4")
    #expect(point.remedy == nil)
  }

  /// After the first compaction no continuation that is tried saves the document, although a later
  /// write of the recorded run does. Bisection alone would end at the first compaction.
  @Test func aCopyThatIsRestoredInTime() throws {
    var scenario = Self.lateLoss
    scenario.steps[4].directive = .perform(
      at: "a", ClientOperation(.update(id: "d", rev: "0", body: ["v": 2]), leaf: 0))
    scenario.steps += [
      ScenarioStep("s6", when: 60_000, .replicate(Replicate(source: "a", target: "b", by: "b"))),
      ScenarioStep("s7", when: 70_000, .perform(at: "b", ClientOperation(.compact))),
    ]
    scenario.steps.insert(
      contentsOf: (0..<80).map {
        ScenarioStep(
          StepID(JSONString("i\($0)")), when: 41_000, .perform(at: "a", ClientOperation(.info)))
      }, at: 4)
    let participants = LosingReplica.participants(at: 1)
    let point = try point(of: scenario, participants)
    #expect(try entries(point, scenario, participants).first?.step == "s7")
  }

  // MARK: No point

  @Test func aRunWithoutAFinding() throws {
    #expect(
      try PointOfNoReturnSearch.point(of: Self.lateLoss, .model) == .failure(.noSuchFinding))
  }

  /// Each replication run fails, so no continuation of any prefix converges.
  @Test func aReplicatorThatAlwaysFails() throws {
    let participants = World.Participants(
      makeStore: { _ in ModelReplica() }, makeMachine: { _ in FailingMachine() })
    let scenario = Scenario(
      seed: 1, replicas: ["a", "b"],
      steps: Self.steps([.perform(at: "a", ClientOperation(.create(id: "d", body: [:])))]))
    let point = try point(of: scenario, participants)
    #expect(point.place == .beginning)
    #expect(point.document == nil && point.before == point.after && point.after.saving == 0)
  }

  @Test func limits() throws {
    let participants = LosingReplica.participants(at: 1)
    #expect(
      try PointOfNoReturnSearch.point(of: Self.lateLoss, participants, isInterrupted: { true })
        == .failure(.interrupted))
    var long = Self.lateLoss
    long.steps.insert(
      contentsOf: (0..<PointOfNoReturnSearch.eventsMax).map {
        ScenarioStep(
          StepID(JSONString("l\($0)")), when: 1, .perform(at: "a", ClientOperation(.info)))
      }, at: 0)
    let result = try PointOfNoReturnSearch.point(of: long, participants)
    guard case .failure(.tooLong(let events)) = result else {
      Issue.record("a long run was searched")
      return
    }
    #expect(events > PointOfNoReturnSearch.eventsMax)
    var random = participants
    random.makeStore = { replica in LosingReplica(loses: replica == 1, isDeterministic: false) }
    #expect(
      try PointOfNoReturnSearch.point(of: Self.lateLoss, random) == .failure(.notDeterministic))
  }

  // MARK: Continuations

  private func isSaved(
    _ course: Continuation.Course, after count: Int, _ scenario: Scenario = lateLoss
  ) throws -> Bool {
    var world = try World(scenario, LosingReplica.participants(at: 1))
    let state = try world.finalState(
      of: Continuation(course: course, choice: 0), after: count)
    let first = try #require(state.firstOfEnd)
    return !state.findings[first...].contains { $0.document == "d" }
  }

  /// Only courses with operations of clients perform the compaction after the beginning.
  @Test func coursesPerformTheirSteps() throws {
    for course in Continuation.Course.allCases {
      #expect(try isSaved(course, after: 0) == (course < .work), "\(course)")
    }
    // A fault that helps: without checkpoints everything is copied again.
    var scenario = Self.lateLoss
    scenario.steps[4].directive = .loseCheckpoint("b")
    #expect(try !isSaved(.work, after: 0, scenario))
    #expect(try isSaved(.fail, after: 0, scenario))
  }

  /// The pairs of the final replication have another order with another choice.
  @Test func choicesChangeTheOrder() throws {
    var scenario = Self.lateLoss
    scenario.replicas.append("c")
    var orders: Set<[JSONString]> = []
    for choice in 0..<PointOfNoReturnSearch.choices {
      var world = try World(scenario, .model)
      _ = try world.finalState(of: Continuation(course: .end, choice: choice), after: 0)
      orders.insert(world.sessions.prefix(4).map(\.name))
    }
    #expect(orders.count >= 4)
  }

  /// A continuation of the whole run with the scenario's own choices is the run itself.
  @Test func aContinuationRepeatsItsPrefix() throws {
    var recorded = try World(Self.lateLoss, .model, records: true)
    let run = try recorded.run()
    let count = run.progress.count
    #expect(count > 20 && run.progress.last?.steps == 5)
    for (before, after) in zip(run.progress, run.progress.dropFirst()) {
      #expect(before.entries.upperBound <= after.entries.lowerBound)
    }
    for place in stride(from: 0, through: count, by: 7) {
      var world = try World(Self.lateLoss, .model)
      let state = try world.finalState(
        of: Continuation(course: .work, choice: 3), after: place)
      #expect(state.firstOfEnd == 0 && state.findings.isEmpty)
    }
  }
}

/// Replicas of the model, of which one loses all documents in a compaction.
private final class LosingReplica: SimulatedStore {
  let implementation: any ImplementationUnderTest

  init(loses: Bool, isDeterministic: Bool = true) {
    implementation = LosingStore(loses: loses, isDeterministic: isDeterministic)
  }

  /// Not compared with the model, so that the checkers of the final state find the loss.
  var isModel: Bool { true }

  static func participants(at place: Int) -> World.Participants {
    World.Participants(makeStore: { LosingReplica(loses: $0 == place) })
  }
}

private final class LosingStore: ImplementationUnderTest {
  private let model = ReferenceDatastore()
  private let loses: Bool
  let description: ImplementationDescription

  init(loses: Bool, isDeterministic: Bool) {
    self.loses = loses
    var description = model.description
    description.isDeterministic = isDeterministic
    self.description = description
  }

  func reset() { model.reset() }

  func crash(_ kind: CrashKind) {}

  func shutdown() {}

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    if loses, case .compact = operation.action,
      case .ok(.changes(let page)) = model.perform(
        StoreOperation(operation.store, .changes()), environment)
    {
      for row in page.rows {
        _ = model.perform(
          StoreOperation(operation.store, .purge(id: row.id, revs: row.leaves.map(\.rev))),
          environment)
      }
    }
    return model.perform(operation, environment)
  }
}

/// A replicator whose runs all fail.
private struct FailingMachine: ReplicationMachine {
  private(set) var state = ReplicatorState.pending
  let report = ReplicationReport()

  mutating func handle(_ event: ReplicatorEvent) -> [ReplicatorEffect] {
    state = .error
    return []
  }
}
