internal import CrashTesting
internal import Datastore
internal import Synchronization

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

  /// The results in the order of the scenarios, whoever came by them.
  func run(jobs: Int, _ context: Context) throws(HarnessError) -> [CrashResult] {
    let queue = Queue(scenarios)
    let workers = (1..<max(1, min(jobs, scenarios.count))).map { [options, parts] _ in
      WorkerThread { Self.work(on: queue, options, parts) { _ in } }
    }
    var line = ProgressLine(context)
    Self.work(on: queue, options, parts) { done in
      line.show(done, of: scenarios.count, "scenarios", single: "scenario")
    }
    for worker in workers { worker.join() }
    line.finish()
    return try queue.results()
  }

  private static func work(
    on queue: Queue, _ options: CrashOptions, _ parts: CrashParts, progress: (Int) -> Void
  ) {
    while let (place, scenario) = queue.take() {
      let result = Result { () throws(HarnessError) in
        CrashResult(
          scenario: scenario.name,
          powerLoss: parts.powerLoss ? try CrashExplorer(options).run(scenario) : nil,
          faults: parts.faults ? try FaultExplorer(options).run(scenario) : nil)
      }
      progress(queue.put(result, at: place))
    }
  }

  private final class Queue: Sendable {
    private let scenarios: [CrashScenario]
    private let state: Mutex<(next: Int, done: Int, results: [Result<CrashResult, HarnessError>?])>

    init(_ scenarios: [CrashScenario]) {
      self.scenarios = scenarios
      state = Mutex((0, 0, Array(repeating: nil, count: scenarios.count)))
    }

    func take() -> (Int, CrashScenario)? {
      state.withLock { state in
        guard state.next < scenarios.count else { return nil }
        defer { state.next += 1 }
        return (state.next, scenarios[state.next])
      }
    }

    /// Says how many are there now.
    func put(_ result: Result<CrashResult, HarnessError>, at place: Int) -> Int {
      state.withLock { state in
        state.results[place] = result
        state.done += 1
        return state.done
      }
    }

    func results() throws(HarnessError) -> [CrashResult] {
      var all: [CrashResult] = []
      for result in state.withLock({ $0.results }) {
        if let result { all.append(try result.get()) }
      }
      return all
    }
  }
}
