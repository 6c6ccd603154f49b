public import Datastore
public import JSON
public import Oracles
internal import Scenarios
public import Simulation

/// The results of a run of clients of a backend.
public struct CollectionRun: Hashable, Sendable {
  /// Violated guarantees; empty if all hold.
  public var findings: [OracleFinding] = []
  /// Losses outside the guarantees.
  public var losses = CollectionLedger.Losses()
  /// The number of acknowledged saves.
  public var acknowledged = 0
  /// The number of acknowledged revisions of the same edits on replicated stores.
  public var replicated = 0
  /// The number of these that were lost at the end.
  public var replicatedLost = 0
  /// The number of objects with several versions at the end, on replicated stores.
  public var conflicts = 0
  /// The number of calls of the applications.
  public var calls = 0
  /// The number of requests.
  public var requests = 0
  /// The number of requests that never arrived.
  public var lostRequests = 0
  /// The number of responses that never arrived.
  public var lostAnswers = 0
  /// The number of requests that the backend rejected.
  public var refusals = 0
  /// The number of crashes of applications.
  public var crashes = 0
  /// The number of simulated events.
  public var events = 0
  /// The simulated time in milliseconds.
  public var milliseconds: UInt64 = 0
  /// The events; nil if they were not recorded.
  public var trace: CollectionTrace?
  /// A digest of the run; equal runs have equal digests.
  public var digest: UInt64 = 0

  /// Creates results without a run.
  public init() {}

  /// The figures of a report, by name.
  static var figures: [(name: JSONString, path: WritableKeyPath<CollectionRun, Int>)] {
    [
      ("acknowledged", \.acknowledged), ("overwritten", \.losses.overwritten),
      ("removed", \.losses.removed), ("madeTwice", \.losses.madeTwice),
      ("replicated", \.replicated), ("replicatedLost", \.replicatedLost),
      ("conflicts", \.conflicts), ("calls", \.calls), ("requests", \.requests),
      ("lostRequests", \.lostRequests), ("lostAnswers", \.lostAnswers), ("refusals", \.refusals),
      ("crashes", \.crashes),
    ]
  }

  /// The figures of a report as a run.
  public init(_ report: CampaignReport) {
    for (name, path) in Self.figures { self[keyPath: path] = report.counts[name] ?? 0 }
    (events, milliseconds, digest) = (report.events, report.milliseconds, report.digest)
  }

  /// Adds another run; the order of additions does not matter.
  public static func += (left: inout CollectionRun, right: CollectionRun) {
    for (_, path) in figures { left[keyPath: path] += right[keyPath: path] }
    left.findings += right.findings
    left.events += right.events
    left.milliseconds += right.milliseconds
    left.digest &+= right.digest
  }
}

/// Devices on one backend, as an experiment.
public struct CollectionExperiment: Experiment {
  private let implementation: any ImplementationUnderTest
  private let clients: Int
  private let steps: Int
  private let hasFaults: Bool

  /// Creates an experiment.
  ///
  /// - Parameters:
  ///   - implementation: the datastore of the backend, with the capability `find`.
  ///   - clients: the number of devices, 1 or more.
  ///   - steps: the number of steps of each device.
  public init(
    _ implementation: any ImplementationUnderTest, clients: Int, steps: Int, hasFaults: Bool
  ) {
    self.implementation = implementation
    (self.clients, self.steps, self.hasFaults) = (clients, steps, hasFaults)
  }

  private func workload(_ seed: UInt64) -> CollectionWorkload {
    CollectionWorkload(seed: seed, clients: clients, steps: steps, hasFaults: hasFaults)
  }

  public func report(ofSeed seed: UInt64) throws(HarnessError) -> CampaignReport {
    let run = try workload(seed).run(over: implementation)
    let figures = CollectionRun.figures.map { ($0.name, run[keyPath: $0.path]) }
    return CampaignReport(
      seed: seed, events: run.events, milliseconds: run.milliseconds, digest: run.digest,
      counts: Dictionary(uniqueKeysWithValues: figures),
      run.findings.first.map {
        Trace.Finding(
          oracle: $0.oracle, shape: $0.shape, sentence: $0.sentence, time: 0, document: $0.document)
      })
  }

  /// The recorded run of a seed.
  public func recording(ofSeed seed: UInt64) throws(HarnessError) -> CollectionPage.Recording {
    let workload = workload(seed)
    return CollectionPage.Recording(
      workload, try workload.run(over: implementation, records: true))
  }

  /// The kinds of losses of a seed.
  public func lossKinds(ofSeed seed: UInt64) throws(HarnessError) -> [CollectionLoss.Kind] {
    let losses = try workload(seed).run(over: implementation).losses
    return CollectionLoss.Kind.allCases.filter { $0.count(in: losses) > 0 }
  }

  /// A recorded run of a seed with a minimized workload that has a loss of this kind.
  public func example(
    of kind: CollectionLoss.Kind, seed: UInt64
  ) throws(HarnessError) -> CollectionPage.Example {
    let whole = workload(seed)
    let smallest = try Simulation.shrunk(whole, leavingOut: { $0.steps }) {
      rest throws(HarnessError) in
      var candidate = whole
      candidate.steps = rest
      let run = try candidate.run(over: implementation)
      return run.findings.isEmpty && kind.count(in: run.losses) > 0 ? candidate : nil
    }
    return CollectionPage.Example(
      kind,
      CollectionPage.Recording(
        smallest, try smallest.run(over: implementation, records: true)))
  }

  /// A recorded run of a seed with a minimized workload that shows a finding of this shape.
  public func shrunk(
    seed: UInt64, showing shape: JSONString
  ) throws(HarnessError) -> (workload: CollectionWorkload, run: CollectionRun) {
    let smallest = try workload(seed).shrunk(over: implementation, showing: shape)
    return (smallest, try smallest.run(over: implementation, records: true))
  }
}

extension CollectionWorkload {
  /// Runs the workload over a backend on an implementation.
  ///
  /// - Parameter records: whether the run records a trace.
  public func run(
    over implementation: any ImplementationUnderTest, records: Bool = false
  ) throws(HarnessError) -> CollectionRun {
    var world = try CollectionWorld(self, over: implementation, records: records)
    return try world.run()
  }

  /// The workload minimized by leaving out ever smaller parts, so that it still shows a finding of
  /// this shape.
  public func shrunk(
    over implementation: any ImplementationUnderTest, showing shape: JSONString
  ) throws(HarnessError) -> CollectionWorkload {
    try Simulation.shrunk(self, leavingOut: { $0.steps }) { rest throws(HarnessError) in
      var candidate = self
      candidate.steps = rest
      let findings = try candidate.run(over: implementation).findings
      return findings.contains { $0.shape == shape } ? candidate : nil
    }
  }
}
