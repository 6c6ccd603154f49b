import Datastore
import JSON
import ReferenceDatastore
import Scenarios
import Simulation
import Testing

/// Replicas that take several implementations in turn.
@Suite struct MixedReplicasTests {
  private static func description(
    _ name: String, version: String = "1", capabilities: Set<Capability> = [.resolve, .compact]
  ) -> ImplementationDescription {
    ImplementationDescription(name: name, version: version, capabilities: capabilities)
  }

  /// A model with the name of a product, with deviations, and with declared ones.
  private static func store(
    _ description: ImplementationDescription, has actual: [String] = [],
    declares declared: [String] = []
  ) -> PlainStore {
    PlainStore(
      DeviatingDatastore(declaring: description, Deviation.named(actual)),
      deviations: Deviation.named(declared))
  }

  /// Participants that take a number of implementations in turn.
  private static func participants(
    of count: Int, makeStore: @escaping (_ number: Int) -> any SimulatedStore
  ) -> World.Participants {
    World.Participants(inTurn: (0..<count).map { number in { makeStore(number) } })
  }

  private static func scenario(
    _ steps: [ScenarioStep], replicas: [ReplicaName] = ["a", "b", "c"], implementations: [Int] = []
  ) -> Scenario {
    Scenario(seed: 1, replicas: replicas, implementations: implementations, steps: steps)
  }

  /// The numbers of the implementations whose stores a run makes.
  private static func made(_ scenario: Scenario) throws -> [Int] {
    var made: [Int] = []
    let participants = participants(of: 3) { number in
      made.append(number)
      return store(description("P\(number)"))
    }
    var world = try World(scenario, participants)
    #expect(try world.run().findings.isEmpty)
    return made
  }

  @Test func replicasTakeThemInTurn() throws {
    #expect(
      try Self.made(Self.scenario([], replicas: ["a", "b", "c", "d", "e"])) == [0, 1, 2, 0, 1])
    let chosen = Self.scenario([], replicas: ["a", "c"], implementations: [0, 2])
    #expect(try Self.made(chosen) == [0, 2])
    let outside = Self.scenario([], replicas: ["a", "c"], implementations: [0, 3])
    let error = try #require(throws: HarnessError.self) { try Self.made(outside) }
    #expect(
      error.message == "replica c of the scenario has implementation 4, but the run has 3 "
        + "implementations")
  }

  /// A scenario of several implementations also runs with one.
  @Test func oneImplementationForAll() throws {
    let scenario = Self.scenario([], replicas: ["a", "c"], implementations: [0, 2])
    var world = try World(scenario, .model)
    #expect(try world.run().findings.isEmpty)
  }

  /// The second replica lists known revisions without a body as missing.
  private static let stubs: [ScenarioStep] = [
    ScenarioStep(
      "s1", when: 1,
      .perform(
        at: "b",
        ClientOperation(
          .insertRevisions([RevisionRecord(id: "d", path: ["2-b", "1-a"], body: [:])])))),
    ScenarioStep(
      "s2", when: 2,
      .perform(at: "b", ClientOperation(.revsDiff([RevisionQuery(id: "d", revs: ["1-a"])])))),
  ]

  /// Each replica is checked with the deviations of its own product.
  @Test(arguments: [
    (["P 1", "Q 1"], 1, nil), (["P 1", "Q 1"], 0, "b (Q) returned "),
    (["P 1", "P 2"], 0, "b (P 2) returned "), (["P 1", "P 1"], 0, "b returned "),
  ])
  func deviationsOfEachProduct(names: [String], declaring: Int, finding: String?) throws {
    let participants = Self.participants(of: names.count) { number in
      let words = names[number].split(separator: " ").map(String.init)
      return Self.store(
        Self.description(words[0], version: words[1]),
        has: number == 1 ? ["stubs-are-missing"] : [],
        declares: number == declaring ? ["stubs-are-missing"] : [])
    }
    var world = try World(Self.scenario(Self.stubs), participants, records: true)
    let run = try world.run()
    let sentence = run.findings.first?.sentence.string
    #expect(sentence?.hasPrefix(finding ?? "-") == finding.map { _ in true }, "\(sentence ?? "")")
    #expect(run.failedReplica == finding.map { _ in 1 })
    #expect(run.deviations.map(\.id) == (finding == nil ? ["stubs-are-missing"] : []))
    let labels: [JSONString] =
      switch names[1] {
      case "Q 1": ["a (P)", "b (Q)", "c (P)"]
      case "P 2": ["a (P 1)", "b (P 2)", "c (P 1)"]
      default: []
      }
    #expect(run.trace?.replicaLabels == labels)
  }

  /// Scenarios have the operations that all implementations offer, and the faults of any.
  @Test func theCommonOffer() throws {
    var left = Self.description("P", capabilities: [.compact, .attachment, .validation])
    left.profiles = [.denseChanges, .couchdb]
    left.defaults = .init(revisionIDs: .couchdb, collation: .couchdb)
    left.crashes = [.kill]
    var right = Self.description(
      "Q", capabilities: [.resolve, .attachment, .attachmentPieces, .validation])
    right.profiles = [.denseChanges]
    right.restrictions = [.changesFromStart]
    let both = ScenarioGenerator(
      offeredByAll: [left, right], crashes: left.crashes.union(right.crashes))
    #expect(both.capabilities == [.attachment, .validation])
    #expect(both.profiles == [.denseChanges])
    #expect(both.restrictions == [.changesFromStart])
    #expect(both.defaults == [left.defaults, right.defaults])
    #expect(both.crashes == [.kill])
    right.capabilities.insert(.replicate)
    let observed = ScenarioGenerator(offeredByAll: [left, right], crashes: [])
    #expect(observed.capabilities == [.attachment])
  }

  /// The generator of participants reads the declarations of each implementation once.
  @Test func theOfferOfParticipants() throws {
    var stores: [SeenStore] = []
    let offers: [Set<Capability>] = [[.resolve, .compact], [.compact]]
    let participants = Self.participants(of: offers.count) { number in
      let store = SeenStore(
        Self.description("P\(number)", capabilities: offers[number]),
        crashes: number == 1 ? [.powerLoss] : [])
      stores.append(store)
      return store
    }
    let generator = try ScenarioGenerator(for: participants)
    #expect(generator.capabilities == [.compact])
    #expect(generator.crashes == [.powerLoss])
    #expect(stores.map { $0.seen.isShutDown } == [true, true])
  }

  /// Without the replica of the first implementation, the failure of the third remains that of the
  /// third.
  @Test func shrinkingKeepsTheImplementations() throws {
    let participants = Self.participants(of: 3) { number in
      Self.store(Self.description("P\(number)"), has: number == 2 ? ["stubs-are-missing"] : [])
    }
    let steps = Self.stubs.map { step in
      guard case .perform(_, let operation) = step.directive else { return step }
      return ScenarioStep(step.id, when: step.when, .perform(at: "c", operation))
    }
    let scenario = Self.scenario(steps)
    var world = try World(scenario, participants)
    let finding = try #require(try world.run().findings.first)
    var shrinker = ScenarioShrinker(finding, participants)
    let shrunk = try #require(try shrinker.shrunk(scenario))
    #expect(shrunk.scenario.replicas == ["c"])
    #expect(shrunk.scenario.implementations == [2])
    #expect(shrunk.finding.sentence.string.hasPrefix("c returned "))
    let read = try Scenario(shrunk.scenario.json)
    #expect(read == shrunk.scenario)
    #expect(shrunk.scenario.json.objectValue?["implementations"] == [3])
  }

  /// With one implementation a scenario has no numbers.
  @Test func oneImplementationHasNoNumbers() throws {
    let participants = Self.participants(of: 1) { _ in
      Self.store(Self.description("P"), has: ["stubs-are-missing"])
    }
    var world = try World(Self.scenario(Self.stubs), participants)
    let finding = try #require(try world.run().findings.first)
    var shrinker = ScenarioShrinker(finding, participants)
    let shrunk = try #require(try shrinker.shrunk(Self.scenario(Self.stubs)))
    #expect(shrunk.scenario.implementations == [])
    #expect(shrunk.scenario.json.objectValue?["implementations"] == nil)
  }

  @Test(arguments: [#"[1]"#, #"[1, 0]"#, #"[1, 65]"#, #"[1, "b"]"#, #"[1, 2, 3]"#, "2"])
  func whatIsNoListOfImplementations(list: String) throws {
    let text = #"{"seed": 1, "replicas": ["a", "b"], "implementations": \#(list), "steps": []}"#
    let error = try #require(throws: DecodingFailure.self) {
      try Scenario(try JSONValue.parse(Array(text.utf8)))
    }
    #expect(error.path == "implementations")
  }
}

/// A store that records whether it was shut down.
private final class SeenStore: SimulatedStore {
  let seen: Seen
  let crashes: Set<CrashKind>
  var implementation: any ImplementationUnderTest { seen }

  init(_ description: ImplementationDescription, crashes: Set<CrashKind>) {
    seen = Seen(description)
    self.crashes = crashes
  }

  final class Seen: ImplementationUnderTest {
    let description: ImplementationDescription
    private(set) var isShutDown = false

    init(_ description: ImplementationDescription) { self.description = description }

    func reset() {}

    func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome { .unknown }

    func crash(_ kind: CrashKind) {}

    func shutdown() { isShutDown = true }
  }
}
