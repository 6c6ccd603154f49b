internal import Datastore
package import JSON
internal import ReferenceDatastore
internal import Replication
package import Scenarios

/// Converts a scenario to a vector: the operations of its clients and its sessions, one after the
/// other, and the contents of every store after complete replication.
///
/// A vector has no network, no clock and no crashes. Steps that need one of these are reported as
/// obstacles.
public struct ScenarioPromotion {
  /// The reasons why a scenario cannot be converted.
  public struct Obstacles: Error, Hashable, Sendable {
    /// One sentence per reason; at least one.
    public var sentences: [String]
  }

  private let scenario: Scenario
  /// The model with the layer that applications use.
  private let model: any ImplementationUnderTest
  private let environment = RunEnvironment(seed: 1)
  private var writer = VectorWriter(revisionIDs: .own, sequences: [])
  private var steps: [Scenarios.Step] = []
  private var documents: [DocumentID] = []

  private init(_ scenario: Scenario, _ applications: (any ApplicationSimulation)?) {
    self.scenario = scenario
    let store = ReferenceDatastore()
    model = applications?.makeLayer(over: store) ?? store
  }

  /// The vector of a scenario; the expectations are the results of the model.
  package static func vector(
    of scenario: Scenario, id: VectorID, clauses: [ClauseID], note: JSONString,
    applications: (any ApplicationSimulation)?
  ) throws(Obstacles) -> Vector {
    var promotion = ScenarioPromotion(scenario, applications)
    let obstacles = promotion.obstacles
    guard obstacles.isEmpty else { throw Obstacles(sentences: obstacles) }
    do {
      try promotion.perform()
    } catch {
      throw Obstacles(sentences: ["\(error)"])
    }
    let hasOperations = promotion.steps.contains { step in
      if case .operation = step.content { true } else { false }
    }
    guard hasOperations else {
      throw Obstacles(sentences: [
        "no step of it performs an operation, so a vector would check nothing"
      ])
    }
    let capabilities = scenario.steps.reduce(into: Set<Capability>()) { needed, step in
      if case .perform(_, let operation) = step.directive {
        needed.formUnion(operation.action.capabilities)
      }
    }
    return Vector(
      id: id, clauses: clauses,
      capabilities: Capability.allCases.filter { capabilities.contains($0) }, note: note,
      steps: promotion.steps)
  }

  // MARK: Obstacles

  private var obstacles: [String] {
    var sentences = scenario.overrides.map { "message \($0.key) has a fault" }
    if !scenario.conditions.isCalm { sentences.append("the scenario has random message faults") }
    for step in scenario.steps {
      let what: String? =
        switch step.directive {
        case .perform, .settle, .heal, .loseCheckpoint: nil
        case .replicate(let session):
          session.isContinuous ? "a continuous session" : nil
        case .stop: "a stopped session"
        case .partition, .block: "a network"
        case .crash, .restart: "a crash"
        case .clock: "a clock"
        case .storage: "a disk"
        case .copyStore, .restoreStore: "a copy of a store"
        }
      if let what { sentences.append("step \(step.id) needs \(what)") }
    }
    for name in scenario.replicas where !StoreName(name.text).isPlain {
      sentences.append("the name of replica \(name) is not a valid store name")
    }
    return sentences
  }

  // MARK: Steps

  private mutating func perform() throws {
    for name in scenario.replicas { _ = try ask(StoreName(name.text), .open()) }
    for step in scenario.steps {
      switch step.directive {
      case .perform(let name, let operation): try client(StoreName(name.text), operation)
      case .replicate(let session):
        try replicate(
          StoreReplication(
            source: StoreName(session.source.text), target: StoreName(session.target.text),
            filter: session.filter, batch: session.batch))
      case .loseCheckpoint(let name):
        steps.append(Scenarios.Step(.loseCheckpoint(StoreName(name.text))))
      default: break
      }
    }
    try settle()
    for id in documents {
      for name in scenario.replicas {
        for action in [.leaves(id: id), .read(id: id)] as [StoreAction] {
          try write(StoreName(name.text), action, isLast: true)
        }
      }
    }
  }

  private mutating func client(_ store: StoreName, _ operation: ClientOperation) throws {
    var leaves: [Leaf] = []
    if operation.leaf != nil, let id = operation.action.documents.first,
      case .ok(.leaves(let found)) = try ask(store, .leaves(id: id))
    {
      leaves = found
    }
    // A document without leaves: the client of the scenario does nothing either.
    guard var action = operation.action(with: leaves) else { return }
    if let parent = action.keptFrom {
      let read = try ask(store, .read(id: parent.id, rev: parent.rev))
      action = action.keeping(only: read.attachmentNames)
    }
    try write(store, action, isLast: false)
    for id in action.documents where !documents.contains(id) { documents.append(id) }
  }

  private mutating func write(_ store: StoreName, _ action: StoreAction, isLast: Bool) throws {
    let operation = StoreOperation(store, action)
    let template = try OperationTemplate(writer.template(of: operation))
    let outcome = try ask(store, action)
    let expectation = writer.expectation(of: action, outcome, isLast: isLast)
    steps.append(
      Scenarios.Step(template, try ExpectedOutcome(expectation, of: action, path: "expect")))
  }

  private mutating func ask(_ store: StoreName, _ action: StoreAction) throws -> Outcome {
    try model.perform(StoreOperation(store, action), environment)
  }

  private mutating func replicate(_ session: StoreReplication) throws {
    var configuration = ReplicatorConfiguration()
    configuration.filter = session.filter
    let local = LocalReplication(
      from: Peer(model, store: session.source), to: Peer(model, store: session.target))
    _ = try local.run(configuration, environment)
    steps.append(Scenarios.Step(.replicate(session)))
  }

  /// Replicates from all stores to the first one, and from there to all others.
  private mutating func settle() throws {
    let names = scenario.replicas.map { StoreName($0.text) }
    guard let first = names.first else { return }
    for other in names.dropFirst() {
      try replicate(StoreReplication(source: other, target: first))
    }
    for other in names.dropFirst() {
      try replicate(StoreReplication(source: first, target: other))
    }
  }
}

extension StoreName {
  /// Whether every store supports it.
  fileprivate var isPlain: Bool {
    let bytes = text.utf8
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return bytes.first.map { letters.contains($0) } == true
      && bytes.allSatisfy { letters.contains($0) || digits.contains($0) }
  }
}
