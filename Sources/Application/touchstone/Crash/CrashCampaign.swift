internal import CrashTesting
internal import Datastore

/// What is done to each scenario.
struct CrashParts: Equatable {
  var powerLoss: Bool
  var faults: Bool
  /// How often a process is killed.
  var kills: Int
}

/// What came of one scenario.
struct CrashResult: Sendable {
  let scenario: String
  var powerLoss: CrashReport?
  var faults: FaultReport?
  var kills: KillReport?

  /// Whether nothing was tried.
  var isEmpty: Bool { powerLoss?.points ?? 0 == 0 && faults?.faults ?? 0 == 0 }

  /// Each with the option that leads there again.
  var losses: [(option: String, loss: CrashLoss)] {
    (powerLoss?.losses ?? []).map { ("--point", $0) }
      + (faults?.losses ?? []).map { ("--fault", $0) }
      + (kills?.losses ?? []).map { ("--kill", $0) }
  }
}

/// Scenarios on several threads, each of which takes the next one that is left.
struct CrashCampaign {
  private let scenarios: [CrashScenario]
  private let options: CrashOptions
  private let parts: CrashParts

  init(_ scenarios: [CrashScenario], _ options: CrashOptions, _ parts: CrashParts) {
    self.scenarios = scenarios
    self.options = options
    self.parts = parts
  }

  /// The results in the order of the scenarios.
  func run(jobs: Int, _ context: Context) throws(HarnessError) -> [CrashResult] {
    let map = ParallelMap(scenarios) { [options, parts] scenario throws(HarnessError) in
      CrashResult(
        scenario: scenario.name,
        powerLoss: parts.powerLoss ? try CrashExplorer(options).run(scenario) : nil,
        faults: parts.faults ? try FaultExplorer(options).run(scenario) : nil)
    }
    var line = ProgressLine(context)
    defer { line.finish() }
    return try map.values(jobs: jobs) { done in
      line.show(done, of: scenarios.count, "scenarios", single: "scenario")
    }
  }
}
