internal import Conformance
internal import Datastore
internal import Defects
internal import Diagnosis
internal import JSON
internal import ObjectDefects
internal import ReferenceDatastore
internal import Replication
internal import Scenarios
internal import Simulation

/// A known cause of a finding of a simulation.
///
/// The cause is exact. With a deviation in addition to the rules, the model accepts every outcome of
/// the run and no checker reports anything. With a mutant, replicas of the model have the same
/// requests and outcomes in the same order, and the same finding.
enum FindingCause {
  case deviations([Deviation])
  case mutant(name: String, sentence: String)

  /// The cause for readers: its name, its kind and its sentence.
  var lines: [String] {
    switch self {
    case .deviations(let deviations):
      deviations.map { deviation in
        let products = deviation.products.map(\.product).joined(separator: ", ")
        return "\(deviation.id) (deviation of \(products)): \(deviation.sentence)"
      }
    case .mutant(let name, let sentence): ["\(name) (mutant): \(sentence)"]
    }
  }
}

/// The search for the causes of a shrunk finding.
///
/// The requests of a store's own replicator to its own store are not observed. So such a finding
/// needs a mutant with the same requests to the other replica.
struct FindingCauseSearch {
  let options: SimulationOptions
  let result: ScenarioShrinker.Result
  /// Scenarios with the same kind of finding, before shrinking.
  let originals: [Scenario]

  /// Several causes with equal runs are named up to this number; more would be a guess.
  static let namedMax = 3

  /// The causes, of which each alone explains the finding; empty if none is known.
  func causes() throws(HarnessError) -> [FindingCause] {
    let found = try deviations()
    if !found.isEmpty { return found.count <= Self.namedMax ? found : [] }
    let mutants = try mutants()
    return mutants.count <= Self.namedMax ? mutants : []
  }

  // MARK: Deviations

  private func deviations() throws(HarnessError) -> [FindingCause] {
    // A deviation can only permit an outcome that the rules do not permit, or none at all.
    guard result.finding.isOfOneOperation, let number = try numberOfImplementation() else {
      return []
    }
    let implementation = options.implementations.all[number]
    guard !implementation.entry.followsModel else { return [] }
    func isExplained(by deviations: [Deviation]) throws(HarnessError) -> Bool {
      try self.isExplained(by: deviations, of: number)
    }
    let known = Deviation.all.filter { new in
      !implementation.deviations.contains { $0.id == new.id }
    }
    var single: [FindingCause] = []
    for deviation in known where try isExplained(by: [deviation]) {
      single.append(.deviations([deviation]))
    }
    if !single.isEmpty { return single }
    var products: [String] = []
    for name in known.flatMap({ $0.products.map(\.product) }) where !products.contains(name) {
      products.append(name)
    }
    for product in products {
      let all = known.filter { $0.products.contains { $0.product == product } }
      guard try isExplained(by: all) else { continue }
      var kept = all
      for deviation in all {
        let rest = kept.filter { $0.id != deviation.id }
        if try isExplained(by: rest) { kept = rest }
      }
      return [.deviations(kept)]
    }
    return []
  }

  /// The number of the implementation with the finding; nil if the finding does not occur again.
  private func numberOfImplementation() throws(HarnessError) -> Int? {
    guard options.implementations.areMixed else { return 0 }
    var world = try World(result.scenario, options.participants)
    return try world.run().failedReplica.map {
      result.scenario.implementation(of: $0) % options.implementations.all.count
    }
  }

  /// Whether no checker reports anything if an implementation has these deviations beside the
  /// declared ones.
  private func isExplained(
    by deviations: [Deviation], of number: Int
  ) throws(HarnessError) -> Bool {
    var world = try World(
      result.scenario, options.participants(with: (deviations: deviations, number: number)))
    return try world.run().findings.isEmpty
  }

  // MARK: Mutants

  private func mutants() throws(HarnessError) -> [FindingCause] {
    // No mutant states what the other products of such a run do.
    guard !options.implementations.areMixed else { return [] }
    var found = try matching(try suspects(), in: result.scenario)
    // In a few steps two mutants may be equal; in whole runs they mostly differ.
    for original in originals where found.count > 1 {
      let narrowed = try matching(found, in: original)
      if !narrowed.isEmpty { found = narrowed }
    }
    return found.map { .mutant(name: $0.name, sentence: $0.sentence) }
  }

  /// The mutants with the behavior of the participants in a scenario.
  private func matching(
    _ suspects: [Suspect], in scenario: Scenario
  ) throws(HarnessError) -> [Suspect] {
    guard let seen = try shape(options.participants, in: scenario) else { return [] }
    var found: [Suspect] = []
    for suspect in suspects {
      guard !found.contains(where: { $0.name == suspect.name }),
        try shape(suspect.participants, in: scenario)?.matches(seen) == true
      else { continue }
      found.append(suspect)
    }
    return found
  }

  private typealias Suspect = (name: String, sentence: String, participants: World.Participants)

  /// The mutants that the participants can have.
  private func suspects() throws(HarnessError) -> [Suspect] {
    let honest = try options.honestParticipants()
    // Without --mutant, the replicator and the applications of a run are those of the harness.
    let all = options.mutant == nil ? [] : ReplicationDefect.all + ReplicationDefect.ofContexts
    let simulated = all.map { ($0.name, $0.sentence, $0.applied(to: honest)) }
    guard !options.implementations.all[0].entry.followsModel, options.mutant == nil else {
      return simulated
    }
    let description = try options.implementations.description()
    return Defect.ofDocuments.map { defect in
      let participants = World.Participants(makeStore: { _ in
        PlainStore(Self.store(defect, description))
      })
      return (defect.name, defect.sentence, participants)
    }
  }

  /// The model with a mutant, and with a replicator of its own if the store has one.
  private static func store(
    _ defect: Defect, _ description: ImplementationDescription
  ) -> any ImplementationUnderTest {
    let store = defect.applied(to: DeviatingDatastore(declaring: description, []))
    let isComplete =
      !description.capabilities.contains(.replicate)
      || store.description.capabilities.contains(.replicate)
    return isComplete ? store : ReplicatingDatastore(store)
  }

  /// The observable behavior of a run up to its finding.
  private struct Shape {
    var oracle: JSONString
    var finding: JSONString
    var replicas: [ReplicaName?]
    var transcript: NormalizedTranscript

    func matches(_ other: Shape) -> Bool {
      (oracle, finding) == (other.oracle, other.finding) && replicas == other.replicas
        && transcript.matches(other.transcript)
    }
  }

  /// The behavior of some participants in a scenario; nil without the finding.
  private func shape(
    _ participants: World.Participants, in scenario: Scenario
  ) throws(HarnessError) -> Shape? {
    var world = try World(scenario, participants, records: true)
    let run = try world.run()
    guard let finding = run.findings.first, let trace = run.trace,
      finding.oracle == result.finding.oracle, finding.shape == result.finding.shape
    else { return nil }
    var replicas: [ReplicaName?] = []
    var exchanges: [Transcript.Exchange] = []
    for entry in trace.entries {
      switch entry.event {
      case .performed(let operation, let outcome), .served(_, let operation, let outcome),
        .arrived(_, let operation, let outcome):
        replicas.append(entry.replica)
        exchanges.append(Transcript.Exchange(operation, outcome))
      default: continue
      }
    }
    let store = ImplementationDescription(name: "", version: "")
    return Shape(
      oracle: finding.oracle, finding: finding.shape, replicas: replicas,
      transcript: NormalizedTranscript(Transcript(exchanges, of: store)))
  }
}
