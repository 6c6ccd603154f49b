import Datastore
import JSON
import Oracles
import ReferenceDatastore
import Scenarios
import Simulation
import Testing

/// Clients that import revisions with their history, and replicas with a history limit.
@Suite struct HistoryScenarioTests {
  private static func step(
    _ id: StepID, _ when: Int64, _ replica: ReplicaName, _ operation: ClientOperation
  ) -> ScenarioStep { ScenarioStep(id, when: when, .perform(at: replica, operation)) }

  private static func pull(_ id: StepID, _ when: Int64, _ from: ReplicaName, _ to: ReplicaName)
    -> ScenarioStep
  {
    ScenarioStep(id, when: when, .replicate(Replicate(source: from, target: to, by: to)))
  }

  /// A client of `a` imports a document from elsewhere.
  private static let imported = Scenario(
    seed: 1, replicas: ["a", "b"],
    steps: [
      step(
        "s1", 0, "a",
        ClientOperation(
          .insertRevisions([
            RevisionRecord(id: "d", path: ["3-c", "2-b", "1-a"], body: ["n": 1]),
            RevisionRecord(id: "d", path: ["2-q", "1-a"], deleted: true, body: [:]),
          ]))),
      pull("r1", 1000, "a", "b"),
      step("s2", 5000, "b", ClientOperation(.update(id: "d", rev: "1-0", body: ["n": 2]), leaf: 0)),
      step(
        "s3", 6000, "b",
        ClientOperation(
          .insertRevisions([RevisionRecord(id: "d", path: ["3-y", "2-x", "1-0"], body: ["n": 3])]),
          leaf: 0)),
    ])

  /// `a` stores one revision of each path, the other replicas store all.
  private static let limited = Scenario(
    seed: 1, replicas: ["a", "b", "c"],
    steps: [
      step("s1", 0, "a", ClientOperation(.historyLimit(1))),
      step("s2", 1000, "a", ClientOperation(.create(id: "d", body: ["n": 1]))),
      pull("r1", 2000, "a", "c"),
      step(
        "s3", 10_000, "a", ClientOperation(.update(id: "d", rev: "1-0", body: ["n": 2]), leaf: 0)),
      step(
        "s4", 11_000, "a", ClientOperation(.update(id: "d", rev: "1-0", body: ["n": 3]), leaf: 0)),
      pull("r2", 12_000, "a", "b"),
    ])

  /// A revision that the lower limit of `b` removes comes back from `a` and from `c`, one after the
  /// other, so the replicas need more rounds than there are replicas.
  @Test func removedRevisionsComeBackOnce() throws {
    func update(_ id: StepID, _ when: Int64, _ body: JSONValue) -> ScenarioStep {
      Self.step(
        id, when, "b", ClientOperation(.update(id: "d17", rev: "1-0", body: body), leaf: 0))
    }
    func create(_ id: StepID, _ when: Int64, _ document: DocumentID, _ body: JSONValue)
      -> ScenarioStep
    { Self.step(id, when, "a", ClientOperation(.create(id: document, body: body))) }
    let scenario = Scenario(
      seed: 3_860_017, replicas: ["a", "b", "c"],
      conditions: Conditions(latencyMin: 1, latencyMax: 360),
      steps: [
        Self.step("s336", 1000, "b", ClientOperation(.historyLimit(3))),
        create("s3", 2000, "d2", ["w": 2, "k": 2]), create("s4", 3000, "d20", ["w": 3, "k": 0]),
        create("s26", 4000, "d11", ["w": 25, "k": 1]),
        ScenarioStep(
          "s315", when: 5000, .replicate(Replicate(source: "a", target: "b", by: "b", batch: 1))),
        create("s71", 6000, "d17", ["w": 70, "k": 0]), Self.pull("s330", 7000, "c", "b"),
        Self.pull("s329", 8000, "b", "c"), update("s135", 9000, ["w": 134, "k": 1]),
        update("s139", 10_000, ["w": 138, "k": 1]), update("s145", 11_000, ["w": 144, "k": 2]),
        Self.step("s337", 12_000, "b", ClientOperation(.historyLimit(1))),
      ])
    #expect(try run(scenario).findings == [])
  }

  private func run(
    _ scenario: Scenario, _ participants: World.Participants = .model
  ) throws -> SimulationRun {
    var world = try World(scenario, participants, records: true)
    return try world.run()
  }

  @Test func theModelIsNotAccused() throws {
    for scenario in [Self.imported, Self.limited] {
      let run = try run(scenario)
      #expect(run.findings.map(\.sentence) == [])
      #expect(!run.ledger.isEmpty && !run.ledger.contains { $0.fate == .lost })
      #expect(try Scenario(try JSONValue.parse(scenario.json.pretty())) == scenario)
    }
    #expect(try run(Self.imported).probes[.imported] == 2)
    #expect(try run(Self.limited).probes[.limited] == 1)
  }

  /// An import on top of a leaf has the generations that follow the leaf.
  @Test func aPathOnTopOfALeaf() throws {
    let run = try run(Self.imported)
    #expect(run.ledger.map(\.rev).contains("6-y"))
    let operation = ClientOperation(
      .insertRevisions([RevisionRecord(id: "d", path: ["3-y", "2-x", "1-0"], body: [:])]), leaf: 0)
    #expect(operation.json.serialized().contains(#""path":["3-y","2-x",{"$leaf":0}]"#))
    for (leaf, expected) in [
      ("7-q", ["9-y", "8-x", "7-q"]), ("18446744073709551615-q", nil), ("q", nil),
    ] as [(RevisionID, [RevisionID]?)] {
      guard case .insertRevisions(let records)? = operation.action(with: [Leaf(rev: leaf)]) else {
        #expect(expected == nil)
        continue
      }
      #expect(records[0].path == expected)
    }
  }

  // MARK: Stores with faults

  /// The model with a fault; only the oracles check it.
  final class Faulty: SimulatedStore {
    enum Fault: CaseIterable {
      /// Once a limit is set, every fourth write is acknowledged but not stored.
      case forgetsWrites
      /// Once a limit is set, every third imported document is acknowledged but not stored.
      case forgetsRecords
      /// Each import adds one more revision.
      case invents
      /// The ancestors of an imported record become leaves with bodies.
      case revivesAncestors
    }

    private let store: Store
    init(_ fault: Fault) { store = Store(fault) }

    var implementation: any ImplementationUnderTest { store }
    var isModel: Bool { true }

    final class Store: ImplementationUnderTest {
      private let model = ReferenceDatastore(inlineBytesMax: ModelReplica.inlineBytesMax)
      private let fault: Fault
      private var isLimited = false
      private var count = 0

      init(_ fault: Fault) { self.fault = fault }

      var description: ImplementationDescription { model.description }
      func reset() { model.reset() }
      func crash(_ kind: CrashKind) { model.crash(kind) }
      func shutdown() { model.shutdown() }

      func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
        switch (fault, operation.action) {
        case (_, .historyLimit): isLimited = true
        case (.forgetsWrites, .update) where isLimited,
          (.forgetsRecords, .insertRevisions) where isLimited:
          count += 1
          guard count % (fault == .forgetsWrites ? 4 : 3) == 0 else { break }
          let before = model.snapshot
          let outcome = model.perform(operation, environment)
          model.restore(before)
          _ = model.perform(StoreOperation(operation.store, .open()), environment)
          return outcome
        case (.invents, .insertRevisions(var records)) where !records.isEmpty:
          count += 1
          var extra = records[0]
          extra.path = [RevisionID(JSONString("1-invented\(count)"))]
          extra.attachments = []
          extra.deleted = false
          extra.body = ["invented": true]
          records.append(extra)
          let all = StoreOperation(operation.store, .insertRevisions(records))
          guard case .ok(.inserted(let errors)) = model.perform(all, environment) else { break }
          return .ok(.inserted(Array(errors.dropLast())))
        case (.revivesAncestors, .insertRevisions(let records)):
          for record in records where record.path.count > 1 {
            var ancestor = record
            ancestor.path.removeFirst()
            ancestor.attachments = []
            ancestor.deleted = false
            ancestor.body = ["revived": true]
            ancestor.path[0] = RevisionID(JSONString("\(ancestor.path[0])x"))
            _ = model.perform(
              StoreOperation(operation.store, .insertRevisions([ancestor])), environment)
          }
        default: break
        }
        return model.perform(operation, environment)
      }
    }
  }

  /// Limits do not excuse lost writes, and imports do not excuse extra revisions.
  @Test(
    arguments: [
      (.forgetsWrites, "lost"), (.forgetsRecords, "lost"), (.invents, "stranger"),
      (.revivesAncestors, "stranger"),
    ] as [(Faulty.Fault, String)])
  func faultsAreFound(fault: Faulty.Fault, shape: String) throws {
    let store = ModelReplica()
    var generator = ScenarioGenerator(
      capabilities: store.implementation.description.capabilities, crashes: [])
    generator.operationsPerReplica = 30
    generator.faults = []
    let participants = World.Participants(makeStore: { _ in Faulty(fault) })
    let campaign = Campaign(generator, participants)
    var shapes: Set<String> = []
    // Each fault must be found, which it is under these seeds.
    for seed in 1...80 as ClosedRange<UInt64> {
      let run = try campaign.run(seed: seed)
      for finding in run.findings { shapes.insert(finding.shape.string) }
      if shapes.contains(where: { $0.hasPrefix(shape) }), !shapes.isEmpty { break }
    }
    #expect(!shapes.isEmpty && shapes.contains { $0.hasPrefix(shape) }, "\(shapes)")
  }

  /// Campaigns contain imports and history limits, and no limits without the capability.
  @Test func campaignsHaveBoth() throws {
    let all = ScenarioGenerator(
      capabilities: ModelReplica().implementation.description.capabilities, crashes: [])
    var without = all
    without.capabilities.remove(.historyLimit)
    var (imports, limits, both) = (0, 0, 0)
    // The numbers at the end hold for these seeds.
    for seed in 1...200 as ClosedRange<UInt64> {
      let scenario = all.scenario(seed: seed)
      let kinds = scenario.steps.reduce(into: Set<String>()) { kinds, step in
        if case .perform(_, let operation) = step.directive { kinds.insert(operation.action.name) }
      }
      let (brings, cuts) = (kinds.contains("insertRevisions"), kinds.contains("historyLimit"))
      if brings { imports += 1 }
      if cuts { limits += 1 }
      if brings, cuts { both += 1 }
      #expect(
        without.scenario(seed: seed).steps.allSatisfy { step in
          guard case .perform(_, let operation) = step.directive else { return true }
          return operation.action.name != "historyLimit"
        })
    }
    #expect(imports > 25 && limits > 25 && both > 4)
  }
}
