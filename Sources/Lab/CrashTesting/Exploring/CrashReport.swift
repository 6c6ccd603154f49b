/// The result of all crashes in one scenario.
public struct CrashReport: Sendable {
  public let scenario: String
  /// Steps on the files, from the opening on, in a run without a crash.
  public internal(set) var steps = 0
  /// Points that differ from the one before; a step that only reads adds none.
  public internal(set) var points = 0
  /// Power losses that were tried.
  public internal(set) var outcomes = 0
  /// Different files among them, each recovered once; files after a kill count again.
  public internal(set) var images = 0
  public internal(set) var survivors = 0
  /// The losses, the first few with details.
  public internal(set) var losses: [CrashLoss] = []

  init(scenario: String) { self.scenario = scenario }
}

/// Files from which a store did not recover correctly.
public struct CrashLoss: Hashable, Sendable {
  public let scenario: String
  /// Counted from 1.
  public let point: Int
  /// The next step on the files; nil for the end.
  public let step: String?
  /// The operation in flight, as JSON; nil between two.
  public let operation: String?
  /// The number of the outcome at the point, 0 for a kill; nil if there is only one.
  public let subset: Int?
  /// The state after the crash.
  public let outcome: String
  /// The changes that were not synced, in their order.
  public let unsynced: [String]
  public let finding: CrashFinding

  public init(
    scenario: String, point: Int, step: String?, operation: String?, subset: Int? = nil,
    outcome: String, unsynced: [String] = [], finding: CrashFinding
  ) {
    self.scenario = scenario
    self.point = point
    self.step = step
    self.operation = operation
    self.subset = subset
    self.outcome = outcome
    self.unsynced = unsynced
    self.finding = finding
  }
}
