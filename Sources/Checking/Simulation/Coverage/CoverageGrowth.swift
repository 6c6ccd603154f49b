/// The number of distinct states that the runs of a campaign have visited, seed by seed: few new
/// states show that further seeds repeat what earlier ones did.
public struct CoverageGrowth: Sendable {
  private var states: Set<Fingerprint> = []
  /// The number of states that each run was the first to visit.
  private var found: [Int] = []

  /// Creates the growth of a campaign without runs.
  public init() {}

  /// The number of states of all runs.
  public var stateCount: Int { states.count }

  /// The number of runs.
  public var runCount: Int { found.count }

  /// Adds the states of a run.
  mutating func add(_ visited: Set<Fingerprint>) {
    let before = states.count
    states.formUnion(visited)
    found.append(states.count - before)
  }

  /// The state of a campaign after some of its runs.
  public struct Step: Hashable, Sendable {
    /// The number of runs so far.
    public var runs: Int
    /// The number of states so far.
    public var states: Int
    /// The new states of the runs since the step before.
    public var found: Int
    /// The number of these runs.
    public var since: Int

    /// The new states per 1,000 runs since the step before, rounded down.
    public var foundPerThousand: Int { found * 1000 / max(1, since) }
  }

  /// The steps at each doubling of the number of runs, and after the last run.
  public var steps: [Step] {
    var steps: [Step] = []
    var next = 1
    var before = Step(runs: 0, states: 0, found: 0, since: 0)
    var states = 0
    for (place, count) in found.enumerated() {
      states += count
      let runs = place + 1
      guard runs == next || runs == found.count else { continue }
      let step = Step(
        runs: runs, states: states, found: states - before.states, since: runs - before.runs)
      steps.append(step)
      (before, next) = (step, 2 * runs)
    }
    return steps
  }

  /// The last tenth of the runs, at least one: their number, and the number of states that they were
  /// the first to visit.
  public var lastTenth: (runs: Int, found: Int) {
    let runs = min(found.count, max(1, found.count / 10))
    return (runs, found.suffix(runs).reduce(0, +))
  }
}
