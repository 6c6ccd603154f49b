internal import Conformance
internal import Datastore
internal import Defects
internal import Diagnosis
internal import ObjectDefects
internal import ObjectSimulation
internal import ReferenceDatastore
internal import SQLiteSimulation
internal import Simulation

/// The options of all simulation commands: the scenarios of a seed, and their participants.
struct SimulationOptions {
  /// The implementations of the replicas, with their products.
  let implementations: SimulatedImplementations
  let replicas: Int
  let operations: Int
  let faults: Set<ScenarioGenerator.FaultClass>
  /// Whether applications edit objects in contexts, in place of clients that edit documents.
  let hasApplications: Bool
  let mutant: ReplicationDefect?

  static let manual: [Manual.Option] =
    SimulatedImplementations.manual + [
      .init(
        name: "--replicas", value: "COUNT", help: "Number of replicas, 2 to 16; the default is 3."),
      .init(
        name: "--operations", value: "COUNT",
        help: "Operations of the clients of each replica; the default is 100."),
      .init(
        name: "--faults", value: "LIST",
        choices: ["all", "none"] + ScenarioGenerator.FaultClass.allCases.map(\.rawValue),
        help: "all (the default), none, or a list of "
          + ScenarioGenerator.FaultClass.allCases.map(\.rawValue).joined(separator: ",") + "."),
      .init(
        name: "--contexts",
        help:
          "Simulate applications that edit objects in contexts and resolve conflicts after pulls, in place of "
          + "clients that edit documents."),
      .init(
        name: "--mutant", earlierName: "--mistake", value: "NAME",
        help:
          "Run a known mutant of the replicas or of the replicator, to see what a finding looks "
          + "like; touchstone simulate --mutant ? lists them."),
    ]

  init(
    _ arguments: Arguments, _ manual: Manual, context: Context
  ) throws(UsageError) {
    implementations = try SimulatedImplementations(arguments, manual, context: context)
    replicas = try arguments.number("--replicas", 2...16, for: manual) ?? 3
    guard implementations.all.count <= replicas else {
      throw UsageError(
        "\(implementations.all.count) implementations need as many replicas; add --replicas "
          + "\(implementations.all.count) or more", manual)
    }
    operations = try arguments.number("--operations", 1...100_000, for: manual) ?? 100
    faults = try Self.faults(arguments.value("--faults") ?? "all", manual)
    hasApplications = arguments.has("--contexts")
    mutant = try arguments.choice(
      "--mutant", ("mutant", ""), among: ReplicationDefect.all + ReplicationDefect.ofContexts,
      named: \.name, for: manual)
    if let mutant, mutant.isOfApplications, !hasApplications {
      throw UsageError(
        "--mutant \(mutant.name) is a mutant of contexts: add --contexts", manual)
    }
  }

  private static func faults(
    _ text: String, _ manual: Manual
  ) throws(UsageError) -> Set<ScenarioGenerator.FaultClass> {
    typealias FaultClass = ScenarioGenerator.FaultClass
    switch text {
    case "all": return Set(FaultClass.allCases)
    case "none": return []
    default:
      var faults: Set<FaultClass> = []
      for name in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let fault = FaultClass.allCases.first(where: { $0.rawValue == name }) else {
          let known = FaultClass.allCases.map(\.rawValue)
          throw UsageError(
            "unknown fault class '\(name)'; expected all, none, or a list of \(known.joined(separator: ", "))",
            manual,
            suggestion: nearest(to: String(name), among: known))
        }
        faults.insert(fault)
      }
      return faults
    }
  }

  /// The equivalent command line.
  var words: [String] {
    implementations.words
      + (replicas == 3 ? [] : ["--replicas", "\(replicas)"])
      + (operations == 100 ? [] : ["--operations", "\(operations)"])
      + (faults.count == ScenarioGenerator.FaultClass.allCases.count
        ? [] : ["--faults", faultWords])
      + (hasApplications ? ["--contexts"] : [])
      + (mutant.map { ["--mutant", $0.name] } ?? [])
  }

  /// The faults in the syntax of `--faults`.
  var faultWords: String {
    let names = ScenarioGenerator.FaultClass.allCases.filter { faults.contains($0) }
    return names.isEmpty ? "none" : names.map(\.rawValue).joined(separator: ",")
  }

  /// The participants of the scenarios.
  var participants: World.Participants { participants(with: nil) }

  /// The participants, of which one implementation has further declared deviations.
  func participants(
    with further: (deviations: [Deviation], number: Int)?
  ) -> World.Participants {
    let honest = implementations.participants(with: further).running(ContextApplications())
    return mutant?.applied(to: honest) ?? honest
  }

  /// Replicas without a known error: the bundled store, or the model with the declarations of the
  /// implementation. The replicas have one implementation.
  func honestParticipants() throws(HarnessError) -> World.Participants {
    let applications = ContextApplications()
    guard !implementations.all[0].entry.followsModel else {
      return implementations.participants().running(applications)
    }
    let description = try implementations.description()
    let model = World.Participants(makeStore: { _ in
      PlainStore(DeviatingDatastore(declaring: description, []))
    })
    return model.running(applications)
  }

  func campaign() throws(HarnessError) -> Campaign {
    var generator = try ScenarioGenerator(for: participants)
    for implementation in implementations.all {
      generator.restrictions.formUnion(implementation.product?.store.restrictions ?? [])
      if implementation.deviations.contains(where: { $0.id == "largest-generation-editable" }) {
        generator.hasLargestGeneration = false
      }
    }
    generator.replicaCount = replicas
    generator.operationsPerReplica = operations
    generator.faults = faults
    if hasApplications { generator.applications = ContextApplications() }
    return Campaign(generator, participants)
  }
}
