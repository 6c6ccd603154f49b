public import Datastore
internal import JSON
public import Scenarios

/// Minimizes a failing scenario with the same failure.
///
/// Two failures are the same if the oracle and the shape of the finding are equal. First, random
/// message faults become overrides of the affected messages. Then steps, overrides and replicas are
/// left out, in halves, quarters and one by one, and numbers are reduced, until nothing more can be
/// left out or the bound is reached.
public struct ScenarioShrinker {
  private let participants: World.Participants
  /// The maximum number of runs.
  private let runsMax: Int
  private var runs = 0
  private let signature: Signature

  struct Signature: Hashable {
    var oracle: String
    var shape: String

    init(_ finding: Trace.Finding) {
      oracle = finding.oracle.string
      shape = finding.shape.string
    }
  }

  /// A shrunk scenario and its finding.
  public struct Result: Sendable {
    /// The smallest scenario that was found.
    public var scenario: Scenario
    /// The violation of its run.
    public var finding: Trace.Finding
    /// The number of runs of the search.
    public var runs: Int
    /// Whether nothing more can be left out; otherwise the bound ended the search.
    public var isMinimal: Bool
  }

  /// - Parameter finding: the finding of a run of the scenario.
  public init(
    _ finding: Trace.Finding, _ participants: World.Participants, runsMax: Int = 4000
  ) {
    self.participants = participants
    self.runsMax = runsMax
    signature = Signature(finding)
  }

  /// Shrinks a scenario; nil if its failure is not reproduced.
  public mutating func shrunk(_ scenario: Scenario) throws(HarnessError) -> Result? {
    var numbered = scenario
    // A replica keeps its implementation when others are left out.
    if participants.implementationCount > 1, scenario.implementations.isEmpty {
      numbered.implementations = scenario.replicas.indices.map {
        $0 % participants.implementationCount
      }
    }
    guard var best = try calmed(numbered) else { return nil }
    // With small pages, few documents are enough for several pages.
    var paged = best
    for place in paged.steps.indices {
      if case .replicate(var replicate) = paged.steps[place].directive {
        replicate.batch = 1
        paged.steps[place].directive = .replicate(replicate)
      }
    }
    if try fails(paged) { best = paged }
    var isMinimal = false
    while !isMinimal, runs < runsMax {
      let before = best
      try leaveOutSteps(&best)
      try leaveOutOverrides(&best)
      try simplifyFates(&best)
      try leaveOutReplicas(&best)
      try simplifySteps(&best)
      isMinimal = best == before && runs < runsMax
    }
    try hurry(&best)
    var world = try World(best, participants)
    guard let finding = try world.run().findings.first else { return nil }
    return Result(scenario: best, finding: finding, runs: runs, isMinimal: isMinimal)
  }

  /// The same scenario with the random message faults as explicit overrides, if it fails in the
  /// same way.
  private mutating func calmed(_ scenario: Scenario) throws(HarnessError) -> Scenario? {
    runs += 1
    var world = try World(scenario, participants, records: true)
    let run = try world.run()
    guard let finding = run.findings.first, Signature(finding) == signature else { return nil }
    var calm = scenario
    calm.steps.removeAll { UInt64(max(0, $0.when)) * 1_000_000 > finding.time }
    calm.conditions = Conditions(
      latencyMin: scenario.conditions.latencyMin, latencyMax: scenario.conditions.latencyMax)
    calm.conditions.reencodesSequences = scenario.conditions.reencodesSequences
    calm.overrides = run.fates
    for candidate in [calm, withoutLateSteps(scenario, finding)] where try fails(candidate) {
      return candidate
    }
    return scenario
  }

  private func withoutLateSteps(_ scenario: Scenario, _ finding: Trace.Finding) -> Scenario {
    var shorter = scenario
    shorter.steps.removeAll { UInt64(max(0, $0.when)) * 1_000_000 > finding.time }
    return shorter
  }

  /// Whether a scenario reproduces the failure.
  private mutating func fails(_ scenario: Scenario) throws(HarnessError) -> Bool {
    guard runs < runsMax else { return false }
    runs += 1
    var world = try World(scenario, participants)
    return try world.run().findings.contains { Signature($0) == signature }
  }

  private mutating func leaveOutSteps(_ best: inout Scenario) throws(HarnessError) {
    try leaveOut(&best, \.steps)
  }

  private mutating func leaveOutOverrides(_ best: inout Scenario) throws(HarnessError) {
    try leaveOut(&best, \.overrides)
  }

  /// Leaves out spans of a list, large ones first.
  private mutating func leaveOut<Element>(
    _ best: inout Scenario, _ path: WritableKeyPath<Scenario, [Element]>
  ) throws(HarnessError) {
    var size = max(1, best[keyPath: path].count / 2)
    while true {
      var place = best[keyPath: path].count - size
      while place > -size {
        let span = max(0, place)..<min(max(0, place) + size, best[keyPath: path].count)
        place -= size
        guard !span.isEmpty else { continue }
        var candidate = best
        candidate[keyPath: path].removeSubrange(span)
        if try fails(candidate) { best = candidate }
      }
      guard size > 1 else { return }
      size /= 2
    }
  }

  /// Replaces late or duplicated messages by lost ones if the failure remains.
  private mutating func simplifyFates(_ best: inout Scenario) throws(HarnessError) {
    for place in best.overrides.indices {
      for simpler in [Fate.lost] where best.overrides[place].fate != simpler {
        var candidate = best
        candidate.overrides[place].fate = simpler
        if try fails(candidate) { best = candidate }
      }
    }
  }

  /// Leaves out replicas with all steps that name them.
  private mutating func leaveOutReplicas(_ best: inout Scenario) throws(HarnessError) {
    for replica in best.replicas.reversed() where best.replicas.count > 1 {
      var candidate = best
      guard let place = candidate.replicas.firstIndex(of: replica) else { continue }
      candidate.replicas.remove(at: place)
      if !candidate.implementations.isEmpty { candidate.implementations.remove(at: place) }
      candidate.steps.removeAll { $0.directive.names(replica) }
      if try fails(candidate) { best = candidate }
    }
  }

  /// Simplifies single steps.
  private mutating func simplifySteps(_ best: inout Scenario) throws(HarnessError) {
    for place in best.steps.indices {
      for simpler in best.steps[place].directive.simplifications
      where simpler != best.steps[place].directive {
        var candidate = best
        candidate.steps[place].directive = simpler
        guard try fails(candidate) else { continue }
        best = candidate
        // The simplest candidates come first.
        break
      }
    }
    var candidate = best
    candidate.conditions = Conditions(latencyMin: 10, latencyMax: 10)
    if candidate != best, try fails(candidate) { best = candidate }
  }

  /// Places the steps 1 s apart, otherwise 100 s apart, if the failure remains.
  private mutating func hurry(_ best: inout Scenario) throws(HarnessError) {
    var candidate = best
    for place in candidate.steps.indices { candidate.steps[place].when = Int64(place + 1) * 1000 }
    if try fails(candidate) {
      best = candidate
      return
    }
    for place in candidate.steps.indices {
      candidate.steps[place].when = Int64(place + 1) * 100_000
    }
    if try fails(candidate) { best = candidate }
  }
}

extension Directive {
  /// Whether it names a replica.
  fileprivate func names(_ replica: ReplicaName) -> Bool {
    switch self {
    case .perform(let at, _), .crash(let at, _), .restart(let at), .clock(let at, _),
      .storage(let at, _), .loseCheckpoint(let at), .copyStore(let at), .restoreStore(let at):
      at == replica
    case .replicate(let replicate):
      replicate.source == replica || replicate.target == replica || replicate.by == replica
    case .block(let from, let to): from == replica || to == replica
    case .partition(let groups): groups.contains { $0.contains(replica) }
    case .stop, .heal, .settle: false
    }
  }

  /// Simpler directives, the simplest first.
  fileprivate var simplifications: [Directive] {
    switch self {
    case .perform(let at, let operation):
      var simpler = operation
      simpler.leaf = operation.leaf.map { _ in 0 }
      return (operation.withFewerAttachments + [simpler]).map { .perform(at: at, $0) }
    case .replicate(let replicate):
      var plain = Replicate(
        source: replicate.source, target: replicate.target, by: replicate.target)
      var kept = replicate
      kept.batch = nil
      var once = replicate
      once.isContinuous = false
      plain.filter = replicate.filter
      return [
        .replicate(
          Replicate(source: plain.source, target: plain.target, by: plain.target)),
        .replicate(plain), .replicate(kept), .replicate(once),
      ]
    default: return []
    }
  }
}

extension ClientOperation {
  /// The operation without any attachments, and without each of them.
  fileprivate var withFewerAttachments: [ClientOperation] {
    guard case .attaching(let attachments, let write) = action else { return [] }
    var fewer = [ClientOperation(write, leaf: leaf)]
    guard attachments.count > 1 else { return fewer }
    for place in attachments.indices {
      var rest = attachments
      rest.remove(at: place)
      fewer.append(ClientOperation(.attaching(rest, to: write), leaf: leaf))
    }
    return fewer
  }
}
