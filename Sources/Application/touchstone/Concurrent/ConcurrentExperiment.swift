internal import ConcurrentClients
internal import Datastore
internal import JSON
internal import Scenarios
internal import Simulation
internal import Synchronization

/// Histories of several clients, one for each seed.
struct ConcurrentExperiment: Experiment {
  let connect: ImplementationEntry.ConnectionMaker
  let settings: ConcurrentSettings
  /// The histories with findings, by seed.
  private(set) var found: [UInt64: (history: ClientHistory, verdict: HistoryChecker.Verdict)] = [:]

  init(_ connect: @escaping ImplementationEntry.ConnectionMaker, _ settings: ConcurrentSettings) {
    self.connect = connect
    self.settings = settings
  }

  mutating func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    let history: ClientHistory
    let faults: Int
    do throws(HarnessError) { (history, faults) = try record(seed: seed) } catch {
      guard let breakdown = error.breakdown else { throw error }
      return CampaignReport(
        seed: seed, counts: [:],
        Trace.Finding(
          oracle: "concurrent", shape: breakdown.shape, sentence: JSONString(error.message), time: 0
        ))
    }
    let verdict = HistoryChecker(promises: settings.promises).check(history)
    if !verdict.findings.isEmpty { found[seed] = (history, verdict) }
    return CampaignReport(
      seed: seed, events: verdict.operations, digest: settings.isControlled ? history.digest : 0,
      counts: [
        "busy": verdict.busy, "faults": faults, "ordered": verdict.ordered,
        "unanswered": verdict.unanswered, "unknown": verdict.unknown,
      ],
      verdict.findings.first.map { finding in
        Trace.Finding(
          oracle: "concurrent", shape: JSONString(finding.check.rawValue),
          sentence: JSONString(finding.sentence), time: 0)
      })
  }

  /// Records the history of a seed, and the number of faults.
  func record(seed: UInt64) throws(HarnessError) -> (history: ClientHistory, faults: Int) {
    let scheduler =
      settings.isControlled
      ? TurnScheduler(.random(seed: seed), threads: Array(1...settings.connections)) : nil
    let set = try connect(
      ConnectionWish(
        count: settings.connections, areProcesses: settings.areProcesses,
        cuts: settings.faults.contains(.cut), seed: seed, scheduler: scheduler))
    let processFaults = settings.faults.filter { $0 == .kill || $0 == .pause }
    var disturber: ProcessDisturber?
    if !processFaults.isEmpty {
      guard let board = set.processes else {
        throw HarnessError(
          "the faults kill and pause need an adapter whose connections are processes")
      }
      disturber = ProcessDisturber(board, processFaults, seed: seed)
    }
    let run = ConcurrentRun(
      seed: seed, set.description, connections: settings.connections,
      operationCount: settings.operations, scheduler: scheduler, disturbance: disturber,
      limitSpace: settings.faults.contains(.full) ? set.limitSpace : nil,
      hasWrongClocks: settings.faults.contains(.clock),
      losesConnections: settings.faults.contains(.cut))
    let history = try run.record(set.connect)
    return (history, disturber?.count.load(ordering: .relaxed) ?? 0)
  }

  /// Repeats a seed; the number of histories with a finding of the same check.
  func repetitions(
    _ seed: UInt64, _ check: HistoryFinding.Check, of count: Int, isStopped: () -> Bool
  ) throws(HarnessError) -> (found: Int, of: Int) {
    var hits = 0
    var done = 0
    while done < count, !isStopped() {
      let verdict = HistoryChecker(promises: settings.promises).check(
        try record(seed: seed).history)
      if verdict.findings.contains(where: { $0.check == check }) { hits += 1 }
      done += 1
    }
    return (hits, done)
  }
}

/// What defines the meaning of a seed.
struct ConcurrentSettings: Sendable {
  var connections: Int
  var operations: Int
  var areProcesses: Bool
  var isControlled: Bool
  var faults: [ClientFault]
  var promises: Set<ConsistencyPromise>
}

extension ClientHistory {
  /// A hash of all operations with their outcomes and the order of requests and responses.
  fileprivate var digest: UInt64 {
    var digest = RunDigest()
    for operation in operations { digest.fold(JSONString(operation.json.serialized())) }
    return digest.value
  }
}
