internal import JSON
public import ObjectContexts

/// Enumerates all schedules of the queues of the arrangement exhaustively, on the arrangement
/// itself.
///
/// States with equal fingerprints are merged, so the number of schedules is counted without running
/// each of them. It depends on the granularity of a step: a call, a search, an insertion, the save
/// of one context, a merge, or a completion.
public struct ScheduleExplorer {
  private let world: RaceWorld
  private var nodes: [Node] = []
  private var known: [RaceWorld.Fingerprint: Int] = [:]
  private var violations: [String] = []

  private struct Node {
    var moves: [(queue: StackQueue, to: Int)] = []
    /// The number of schedules from here to each end, with and without a warning.
    var ends: [Ending: UInt64] = [:]
  }

  private struct Ending: Hashable {
    var end: RaceOutcome.End
    var isWarned: Bool
  }

  /// Enumerates all schedules of a race.
  ///
  /// - Complexity: O(*n*) in the number of distinct states.
  public static func explore(_ scenario: RaceScenario) throws(ContextError) -> RaceReport {
    try explore(RaceWorld(scenario))
  }

  /// Enumerates all schedules of callers that wait for each other.
  ///
  /// - Complexity: O(*n*) in the number of distinct states.
  public static func explore(_ scenario: WaitingScenario) throws(ContextError) -> RaceReport {
    try explore(RaceWorld(scenario))
  }

  private static func explore(_ world: RaceWorld) throws(ContextError) -> RaceReport {
    var explorer = ScheduleExplorer(world: world)
    let beginning = world.snapshot
    let root = try explorer.visit()
    var report = RaceReport()
    report.states = explorer.nodes.count
    report.violations = explorer.violations
    var ends: [RaceOutcome.End: UInt64] = [:]
    for (ending, count) in explorer.nodes[root].ends {
      ends[ending.end, default: 0] += count
      report.schedules += count
      if ending.isWarned { report.warned += count }
    }
    for end in ends.keys.sorted(by: { $0.words.utf8.lexicographicallyPrecedes($1.words.utf8) }) {
      world.snapshot = beginning
      report.outcomes.append(
        RaceOutcome(
          end: end, schedules: ends[end] ?? 0, witness: try explorer.witness(of: end, from: root)))
    }
    return report
  }

  private init(world: RaceWorld) { self.world = world }

  /// Explores all schedules from the current state of the world, and returns its node.
  private mutating func visit() throws(ContextError) -> Int {
    let fingerprint = world.fingerprint
    if let node = known[fingerprint] { return node }
    let node = nodes.count
    nodes.append(Node())
    known[fingerprint] = node
    let here = world.snapshot
    let moves = world.moves
    for queue in moves {
      world.snapshot = here
      world.stack.step(queue)
      let next = try visit()
      nodes[node].moves.append((queue, next))
      nodes[node].ends.merge(nodes[next].ends) { $0 + $1 }
    }
    guard moves.isEmpty else { return node }
    try world.finish()
    let (end, violations) = try world.conclude()
    for violation in violations where !self.violations.contains(violation) {
      self.violations.append(violation)
    }
    nodes[node].ends = [Ending(end: end, isWarned: !world.stack.warnings.isEmpty): 1]
    return node
  }

  /// An example schedule to an end that stays on one queue as long as possible.
  private func witness(
    of end: RaceOutcome.End, from root: Int
  ) throws(ContextError) -> [RaceStep] {
    var recorder = ScheduleRecorder(world)
    var node = root
    var queue: StackQueue?
    while true {
      let moves = nodes[node].moves.filter { nodes[$0.to].ends.keys.contains { $0.end == end } }
      guard let move = moves.first(where: { $0.queue == queue }) ?? moves.first else { break }
      recorder.step(move.queue)
      (node, queue) = (move.to, move.queue)
    }
    return recorder.steps
  }
}

extension RaceOutcome.End {
  /// The outcome in words.
  public var words: String {
    switch self {
    case .rows(let rows) where rows.isEmpty: "no row"
    case .rows(let rows) where rows.count == 1: "one row, \(rows[0])"
    case .rows(let rows):
      (rows.count == 2 ? "two" : "\(rows.count)") + " rows, "
        + rows.map { $0.string }.joined(separator: " and ")
    case .completed: "all callers return"
    case .deadlock(let waits):
      "deadlock: " + waits.map { $0.description }.joined(separator: ", ")
    }
  }
}
