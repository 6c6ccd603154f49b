/// The result of all disk failures in one scenario.
public struct FaultReport: Sendable {
  public let scenario: String
  /// Tested failures, each in a separate run.
  public internal(set) var faults = 0
  /// The same by kind, in the order of reports.
  public internal(set) var counts: [(kind: String, count: Int)] = []
  /// Operations that returned an error because of them.
  public internal(set) var refusals = 0
  /// Operations with an unknown outcome.
  public internal(set) var unknowns = 0
  /// Files that were recovered: after the first refusal, and at the end.
  public internal(set) var images = 0
  /// Runs without a loss in which the store worked again afterwards.
  public internal(set) var survivors = 0
  /// The losses, the first with details.
  public internal(set) var losses: [CrashLoss] = []

  init(scenario: String) { self.scenario = scenario }
}
