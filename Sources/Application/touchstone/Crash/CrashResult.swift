internal import CrashTesting
internal import Datastore

/// What is done to each scenario.
struct CrashParts: Equatable, Sendable {
  var powerLoss: Bool
  var faults: Bool
  /// How often a process is killed.
  var kills: Int
}

/// The result of one scenario.
struct CrashResult: Sendable {
  let scenario: String
  var powerLoss: CrashReport?
  var faults: FaultReport?
  var kills: KillReport?

  init(
    _ scenario: CrashScenario, _ options: CrashOptions, parts: CrashParts
  ) throws(HarnessError) {
    self.scenario = scenario.name
    if parts.powerLoss { powerLoss = try CrashExplorer(options).run(scenario) }
    if parts.faults { faults = try FaultExplorer(options).run(scenario) }
  }

  /// Whether nothing was tried.
  var isEmpty: Bool { powerLoss?.points ?? 0 == 0 && faults?.faults ?? 0 == 0 }

  /// Each with the option that leads there again.
  var losses: [(option: String, loss: CrashLoss)] {
    (powerLoss?.losses ?? []).map { ("--point", $0) }
      + (faults?.losses ?? []).map { ("--fault", $0) }
      + (kills?.losses ?? []).map { ("--kill", $0) }
  }
}
