public import Datastore
internal import Simulation

/// Everything that can come between a migration and its end: for small stores all of it, for large ones
/// as much as is wanted, by chance.
///
/// An application dies between any two steps, or within a save, after which the backend has done any of
/// its requests; or a save fails, any of its requests being done or not, with an answer or without, and
/// is tried again.
public struct MigrationExplorer {
  public let scope: MigrationScope
  public private(set) var report = MigrationReport()

  public init(_ scope: MigrationScope) { self.scope = scope }

  /// Goes through all ways; answers the first after which something is wrong, the shortest first.
  public mutating func explore() throws(HarnessError) -> MigrationFinding? {
    var ways: [[MigrationInterruption]] = [[]]
    while !ways.isEmpty {
      var longer: [[MigrationInterruption]] = []
      for way in ways {
        let (finding, steps) = try take(way)
        if let finding { return finding }
        guard way.count < scope.interruptions else { continue }
        longer += interruptions(of: steps).map { way + [$0] }
      }
      ways = longer
    }
    return nil
  }

  /// Takes so many ways by chance.
  public mutating func sample(_ count: Int, seed: UInt64) throws(HarnessError) -> MigrationFinding?
  {
    var random = KeyedRandom(seed: seed, key: 0x6d69_6772)
    let length = try take([]).steps.count
    for _ in 0..<count {
      let way = (0..<scope.interruptions).map { _ in
        let fates = (0..<7).map { _ in random.pick(MigrationInterruption.Fate.allCases) ?? .failed }
        let isWithin = random.chance(2, in: 3)
        let dies = !isWithin || random.chance(1, in: 2)
        return MigrationInterruption(
          steps: random.below(length), fates: isWithin ? fates : nil, dies: dies)
      }
      if let finding = try take(way).finding { return finding }
    }
    return nil
  }

  /// Takes a way to its end; answers what is wrong, and the steps after the last interruption.
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

  /// All that can come next, when nothing did these steps would follow.
  private func interruptions(of steps: [MigrationTrial.Step]) -> [MigrationInterruption] {
    var found = steps.isEmpty ? [] : [MigrationInterruption(steps: steps.count)]
    for (index, step) in steps.enumerated() {
      if index > 0 { found.append(MigrationInterruption(steps: index)) }
      guard step.requests > 0 else { continue }
      for fates in Self.choices(of: [.answered, .failed], step.requests)
      where Set(fates).count == 2 {
        found.append(MigrationInterruption(steps: index, fates: fates))
      }
      for fates in Self.choices(of: MigrationInterruption.Fate.allCases, step.requests)
      where Set(fates) != [.answered] {
        found.append(MigrationInterruption(steps: index, fates: fates, dies: false))
      }
    }
    return found
  }

  private static func choices(
    of fates: [MigrationInterruption.Fate], _ count: Int
  ) -> [[MigrationInterruption.Fate]] {
    (0..<count).reduce([[]]) { choices, _ in
      choices.flatMap { choice in fates.map { choice + [$0] } }
    }
  }
}
