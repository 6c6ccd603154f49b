internal import CrashTesting
internal import Datastore

/// The parts of the test that run for each scenario.
struct CrashParts: Equatable, Sendable {
  var powerLoss: Bool
  var faults: Bool
  /// The number of kills.
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

  /// Whether nothing ran.
  var isEmpty: Bool { powerLoss?.points ?? 0 == 0 && faults?.faults ?? 0 == 0 }

  /// The losses, each with the option that reproduces it.
  var losses: [(option: String, loss: CrashLoss)] {
    (powerLoss?.losses ?? []).map { ("--point", $0) }
      + (faults?.losses ?? []).map { ("--fault", $0) }
      + (kills?.losses ?? []).map { ("--kill", $0) }
  }
}
