public import Datastore
internal import JSON
internal import Replication
public import Scenarios

extension Explorer {
  /// A small scenario that reproduces a discovery in a `World`; nil if none is found.
  ///
  /// Each session is driven by its own replica, so that a crash of its program affects nothing
  /// else. Delays put the messages into the order of the path. A world has clocks and pauses that
  /// the explorer lacks, so not every path can be reproduced.
  public func scenario(
    of discovery: Discovery
  ) throws(HarnessError) -> Scenario? {
    for seed in UInt64(1)...8 {
      var draft = ScenarioDraft(self, seed: seed)
      for move in discovery.moves { draft.add(move) }
      let scenario = draft.scenario()
      var world = try World(scenario, participants)
      guard
        let finding = try world.run().findings.first(where: {
          $0.oracle == discovery.oracle && $0.shape == discovery.shape
        })
      else { continue }
      var shrinker = ScenarioShrinker(finding, participants)
      return try shrinker.shrunk(scenario)?.scenario ?? scenario
    }
    return nil
  }
}

/// A scenario under construction from a path.
private struct ScenarioDraft {
  private let rules: ExplorerRules
  private let names: [ReplicaName]
  private let seed: UInt64
  private var state: ExplorerState
  private var steps: [ScenarioStep] = []
  private var overrides: [Scenario.Override] = []
  /// The departures of requests, in milliseconds.
  private var departures: [Address: Int64] = [:]
  /// The requests that are strays, with their keys in `overrides`.
  private var strays: [(key: JSONString, departure: Int64)] = []
  private var time: Int64 = 0

  private struct Address: Hashable {
    var session: Int
    var number: RequestNumber
  }

  /// The time between two moves, in milliseconds; longer than any pause before a retry.
  private static let pause: Int64 = 500
  private static let timeout: Int64 = 30_000

  init(_ explorer: Explorer, seed: UInt64) {
    self.seed = seed
    rules = explorer.rules
    names = explorer.names.map { ReplicaName($0) }
    state = ExplorerState(explorer.scope, names: explorer.names, seed: seed)
  }

  private func driver(_ session: Int) -> ReplicaName { ReplicaName(JSONString("p\(session + 1)")) }

  func scenario() -> Scenario {
    // The run goes on until the last message has arrived.
    let end = ScenarioStep("end", when: time + Self.pause, .heal)
    return Scenario(
      seed: seed, replicas: names + (0..<state.begun).map { driver($0) },
      conditions: Conditions(latencyMin: 1, latencyMax: 1), steps: steps + [end],
      overrides: overrides)
  }

  mutating func add(_ move: ExplorerMove) {
    time += Self.pause
    let step = StepID(JSONString("m\(steps.count + 1)"))
    switch move {
    case .write(let replica, let action):
      steps.append(
        ScenarioStep(step, when: time, .perform(at: names[replica], operation(action, replica))))
    case .begin(let source, let target):
      steps.append(
        ScenarioStep(
          StepID(JSONString("s\(state.begun + 1)")), when: time,
          .replicate(
            Replicate(
              source: names[source], target: names[target], by: driver(state.begun), batch: 1))))
    case .crash(let replica):
      for session in state.sessions where session.source == replica || session.target == replica {
        steps.append(
          ScenarioStep(
            StepID(JSONString("c\(session.number + 1)")), when: time,
            .crash(driver(session.number), .kill)))
      }
    case .deliver(let session, let number): direct(session, number, spoiling: nil)
    case .spoil(let session, let number, let spoiling): direct(session, number, spoiling: spoiling)
    case .arrive(let stray):
      let lost = strays.remove(at: stray)
      overrides.append(
        Scenario.Override(key: lost.key, fate: .late(max(1, time - lost.departure - 1))))
    case .save: break
    }
    _ = state.make(move, rules)
    for session in state.sessions {
      for request in session.pending {
        let address = Address(session: session.number, number: request.number)
        if departures[address] == nil { departures[address] = time + 2 }
      }
    }
  }

  /// Adds the override of a request: its delay or its fault.
  private mutating func direct(
    _ place: Int, _ number: RequestNumber, spoiling: ExplorerMove.Spoiling?
  ) {
    let session = state.sessions[place]
    guard let request = session.pending.first(where: { $0.number == number }) else { return }
    let departure = departures[Address(session: session.number, number: number)] ?? time
    let prefix =
      "s\(session.number + 1)/1/\(request.side.rawValue)/\(request.content.action.name)/"
      + "\(request.content.subject)/\(request.attempt)/"
    let key = JSONString(prefix + "request")
    switch spoiling {
    case .refused: overrides.append(Scenario.Override(key: key, fate: .status(503)))
    case .lost:
      if case .insertRevisions = request.content {
        strays.append((key, departure))
      } else if case .writeLocal = request.content {
        strays.append((key, departure))
      }
      overrides.append(Scenario.Override(key: key, fate: .lost))
      time = max(time, departure + Self.timeout + Self.pause)
    case .partial, nil:
      if time - departure > 1 {
        overrides.append(Scenario.Override(key: key, fate: .late(time - departure - 1)))
      }
      if spoiling == .partial {
        overrides.append(Scenario.Override(key: JSONString(prefix + "response"), fate: .partial))
      }
    }
  }

  /// A write as a client operation, which selects a leaf by its index.
  private func operation(_ action: StoreAction, _ replica: Int) -> ClientOperation {
    var copy = state
    guard let id = action.documents.first,
      case .ok(.leaves(let leaves)) = copy.perform(.leaves(id: id), at: replica)
    else { return ClientOperation(action) }
    let chosen: RevisionID
    switch action {
    case .update(_, let rev, _), .delete(_, let rev, _): chosen = rev
    case .resolve(_, _, let keep, _): chosen = keep
    default: return ClientOperation(action)
    }
    return ClientOperation(
      action, leaf: leaves.firstIndex { $0.rev == chosen }.map { Int64($0) })
  }
}
