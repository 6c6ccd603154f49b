/// What came of all failures of the disk in one scenario.
public struct FaultReport: Sendable {
  public let scenario: String
  /// Failures that were tried, each in a run of its own.
  public internal(set) var faults = 0
  /// The same by what failed, in the order in which people list them.
  public internal(set) var counts: [(kind: String, count: Int)] = []
  /// Operations that answered an error because of them.
  public internal(set) var refusals = 0
  /// Operations of which nobody knows what came of them.
  public internal(set) var unknowns = 0
  /// Files that were recovered: right after a refusal, and in the end.
  public internal(set) var images = 0
  /// Runs in which nothing was lost and the store worked again afterwards.
  public internal(set) var survivors = 0
  /// What went wrong, the first of it in detail.
  public internal(set) var losses: [CrashLoss] = []

  init(scenario: String) { self.scenario = scenario }
}
