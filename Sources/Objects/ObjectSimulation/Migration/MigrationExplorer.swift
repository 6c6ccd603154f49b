public import Datastore
internal import Simulation

/// Enumerates the interruptions of a migration: exhaustively for small stores, and by random
/// sampling for large ones.
///
/// An application crashes between any two steps, or within a save, after the backend has performed
/// any subset of its requests. Or a save fails, with any of its requests performed or not, with or
/// without a response, and is retried.
public struct MigrationExplorer {
  /// The store and the migration.
  public let scope: MigrationScope
  /// The counts so far.
  public private(set) var report = MigrationReport()
  /// False if the caller stopped the exploration.
  public private(set) var isComplete = true

  /// Creates an explorer.
  public init(_ scope: MigrationScope) { self.scope = scope }

  /// Enumerates all sequences of interruptions; returns the first that causes an error, shortest
  /// first.
  ///
  /// - Parameter isStopped: called before each sequence; true ends the exploration.
  public mutating func explore(
    isStopped: () -> Bool = { false }
  ) throws(HarnessError) -> MigrationFinding? {
    var ways: [[MigrationInterruption]] = [[]]
    while !ways.isEmpty {
      var longer: [[MigrationInterruption]] = []
      for way in ways {
        guard !isStopped() else {
          isComplete = false
          return nil
        }
        let (finding, steps) = try take(way)
        if let finding { return finding }
        guard way.count < scope.interruptions else { continue }
        longer += interruptions(of: steps).map { way + [$0] }
      }
      ways = longer
    }
    return nil
  }

  /// Samples this number of random sequences.
  ///
  /// - Parameter isStopped: called before each sequence; true ends the exploration.
  public mutating func sample(
    _ count: Int, seed: UInt64, isStopped: () -> Bool = { false }
  ) throws(HarnessError) -> MigrationFinding? {
    var random = KeyedRandom(seed: seed, key: 0x6d69_6772)
    let length = try take([]).steps.count
    for _ in 0..<count {
      guard !isStopped() else {
        isComplete = false
        return nil
      }
      let way = (0..<scope.interruptions).map { _ in
        let outcomes = (0..<7).map { _ in
          random.pick(MigrationInterruption.RequestOutcome.allCases) ?? .failed
        }
        let isWithin = random.chance(2, in: 3)
        let dies = !isWithin || random.chance(1, in: 2)
        return MigrationInterruption(
          steps: random.below(length), outcomes: isWithin ? outcomes : nil, dies: dies)
      }
      if let finding = try take(way).finding { return finding }
    }
    return nil
  }

  /// Runs a sequence to its end; returns the error, and the steps after the last interruption.
  private mutating func take(
    _ way: [MigrationInterruption]
  ) throws(HarnessError) -> (finding: MigrationFinding?, steps: [MigrationTrial.Step]) {
    let trial = try MigrationTrial(scope)
    let fault = try trial.run(way)
    report.ways += 1
    report.steps += trial.stepCount
    report.deaths += trial.deaths
    report.repeating += trial.repeats ? 1 : 0
    return (fault.map { MigrationFinding(way: way, sentence: $0) }, trial.steps)
  }

  /// All possible next interruptions, given the steps of an uninterrupted run.
  private func interruptions(of steps: [MigrationTrial.Step]) -> [MigrationInterruption] {
    var found = steps.isEmpty ? [] : [MigrationInterruption(steps: steps.count)]
    for (index, step) in steps.enumerated() {
      if index > 0 { found.append(MigrationInterruption(steps: index)) }
      guard step.requests > 0 else { continue }
      for outcomes in Self.choices(of: [.answered, .failed], step.requests)
      where Set(outcomes).count == 2 {
        found.append(MigrationInterruption(steps: index, outcomes: outcomes))
      }
      for outcomes in Self.choices(of: MigrationInterruption.RequestOutcome.allCases, step.requests)
      where Set(outcomes) != [.answered] {
        found.append(MigrationInterruption(steps: index, outcomes: outcomes, dies: false))
      }
    }
    return found
  }

  static func choices(
    of outcomes: [MigrationInterruption.RequestOutcome], _ count: Int
  ) -> [[MigrationInterruption.RequestOutcome]] {
    (0..<count).reduce([[]]) { choices, _ in
      choices.flatMap { choice in outcomes.map { choice + [$0] } }
    }
  }
}
