public import Datastore
public import Oracles

/// What a run of clients of a backend came to.
public struct CollectionRun: Hashable, Sendable {
  /// Promises that were broken; none when all is well.
  public var findings: [OracleFinding] = []
  /// What was lost that nobody promised.
  public var losses = CollectionLedger.Losses()
  /// Saves of which an application was told that they are there.
  public var acknowledged = 0
  /// Revisions of which the same edits on replicated stores were told that they are there.
  public var replicated = 0
  /// Those of them that were gone in the end.
  public var replicatedLost = 0
  /// Objects with several versions in the end, on replicated stores.
  public var conflicts = 0
  public var calls = 0
  public var requests = 0
  public var lostRequests = 0
  public var lostAnswers = 0
  public var refusals = 0
  public var crashes = 0
  public var events = 0
  /// Simulated time.
  public var milliseconds: UInt64 = 0
  /// What happened, line by line, when that was asked for.
  public var trace: [String] = []
  /// Equal runs have equal digests.
  public var digest: UInt64 = 0

  public init() {}

  /// Adds another run, whatever their order.
  public static func += (left: inout CollectionRun, right: CollectionRun) {
    left.findings += right.findings
    left.losses += right.losses
    left.acknowledged += right.acknowledged
    left.replicated += right.replicated
    left.replicatedLost += right.replicatedLost
    left.conflicts += right.conflicts
    left.calls += right.calls
    left.requests += right.requests
    left.lostRequests += right.lostRequests
    left.lostAnswers += right.lostAnswers
    left.refusals += right.refusals
    left.crashes += right.crashes
    left.events += right.events
    left.milliseconds += right.milliseconds
    left.digest &+= right.digest
  }
}

extension CollectionWorkload {
  /// Runs it over a backend that keeps its documents in an implementation.
  ///
  /// - Parameter records: whether the run keeps a trace.
  public func run(
    over implementation: any ImplementationUnderTest, records: Bool = false
  ) throws(HarnessError) -> CollectionRun {
    var world = try CollectionWorld(self, over: implementation, records: records)
    return try world.run()
  }

  /// The same finding with as few steps as can be found, by leaving out ever smaller parts.
  public func shrunk(
    over implementation: any ImplementationUnderTest, showing finding: OracleFinding
  ) throws(HarnessError) -> CollectionWorkload {
    var smallest = self
    var length = max(1, steps.count / 2)
    while true {
      var isSmaller = false
      var start = 0
      while start < smallest.steps.count {
        let part = smallest.steps[start..<min(start + length, smallest.steps.count)]
        let candidate = smallest.without(Set(part.map { $0.number }))
        let found = try candidate.run(over: implementation).findings
        if found.contains(where: { $0.shape == finding.shape }) {
          smallest = candidate
          isSmaller = true
        } else {
          start += length
        }
      }
      if length == 1 && !isSmaller { return smallest }
      length = max(1, length / 2)
    }
  }
}
