public import Datastore

/// The outcome of a migration after every single interruption, for each way to end it.
///
/// It repeats the migrations of an exploration with at most one interruption, and changes nothing of
/// the exploration itself.
public struct MigrationAtlas: Sendable {
  /// What the migration left at the backend.
  public enum Outcome: Hashable, Sendable {
    /// Every object exists once.
    case complete
    /// Objects exist more than once, as often as the rules permit; with the number of additional
    /// entities.
    case duplicates(Int)
    /// An object was lost, or another rule was broken.
    case fault(String)
  }

  /// The kind of an interruption.
  public enum Kind: Hashable, Sendable {
    case none, crash, crashInSave, retry
    /// The interruptions that an exploration found to break a rule.
    case found
  }

  /// A point of interruption.
  public struct Point: Hashable, Sendable {
    /// The point in words, equal for each way to end.
    public var words: String
    /// The kind of the interruption.
    public var kind: Kind
  }

  /// A way to end the migration, with the results of its exploration.
  public struct Ending: Sendable {
    /// The scope of the exploration.
    public var scope: MigrationScope
    /// The counts of the exploration.
    public var report: MigrationReport
    /// What the exploration found; nil for nothing.
    public var finding: MigrationFinding?
    /// The outcome of each point, in order.
    public var cells: [(point: Point, outcome: Outcome)] = []
  }

  /// An example of an outcome.
  public struct Example: Sendable {
    /// The scope of the migration.
    public var scope: MigrationScope
    /// Where it was interrupted.
    public var point: Point
    /// Its outcome.
    public var outcome: Outcome
    /// Its events.
    public var path: MigrationPath
  }

  /// The ways to end the migration.
  public private(set) var endings: [Ending]
  /// An example for each different outcome of each kind of interruption.
  public private(set) var examples: [Example] = []

  /// Runs the migrations of the given results of explorations.
  public init(
    _ results: [(scope: MigrationScope, report: MigrationReport, finding: MigrationFinding?)]
  ) throws(HarnessError) {
    endings = results.map { Ending(scope: $0.scope, report: $0.report, finding: $0.finding) }
    for place in endings.indices { try explore(place) }
  }

  private mutating func explore(_ place: Int) throws(HarnessError) {
    let scope = endings[place].scope
    let base = try run(place, [], at: Point(words: "no interruption", kind: .none))
    if scope.interruptions > 0 {
      for (point, interruption) in Self.points(of: base.steps) {
        _ = try run(place, [interruption], at: point)
      }
    }
    if let finding = endings[place].finding {
      let words = finding.way.map { "\($0)" }.joined(separator: ", then ")
      _ = try run(place, finding.way, at: Point(words: words, kind: .found))
    }
  }

  private mutating func run(
    _ place: Int, _ way: [MigrationInterruption], at point: Point
  ) throws(HarnessError) -> MigrationPath {
    let scope = endings[place].scope
    let recorder = MigrationRecorder()
    let trial = try MigrationTrial(scope, recorder: recorder)
    let fault = try trial.run(way)
    let outcome: Outcome =
      fault.map { .fault($0) } ?? (trial.extra > 0 ? .duplicates(trial.extra) : .complete)
    endings[place].cells.append((point, outcome))
    let isKnown = examples.contains { example in
      example.point.kind == point.kind && example.outcome.isLike(outcome)
    }
    if !isKnown {
      examples.append(
        Example(scope: scope, point: point, outcome: outcome, path: recorder.path))
    }
    return recorder.path
  }

  /// The largest number of requests of which all combinations of outcomes are points.
  private static let requestsMax = 3

  /// All single interruptions of a path; of a save with many requests, the most different ones.
  private static func points(
    of steps: [MigrationPath.Step]
  ) -> [(point: Point, interruption: MigrationInterruption)] {
    var found: [(point: Point, interruption: MigrationInterruption)] = []
    var counts: [String: Int] = [:]
    for (index, step) in steps.enumerated() {
      counts[step.words, default: 0] += 1
      let round = counts[step.words, default: 1]
      let words = step.words + (round > 1 ? ", occurrence \(round)" : "")
      if index > 0 {
        found.append(
          (
            Point(words: "crash before: \(words)", kind: .crash),
            MigrationInterruption(steps: index)
          ))
      }
      guard step.requests > 0 else { continue }
      for outcomes in combinations(step.requests) {
        let names = outcomes.map(\.rawValue).joined(separator: ", ")
        if Set(outcomes) == [.answered, .failed] {
          found.append(
            (
              Point(words: "crash during: \(words) (\(names))", kind: .crashInSave),
              MigrationInterruption(steps: index, outcomes: outcomes)
            ))
        }
        guard Set(outcomes) != [.answered] else { continue }
        found.append(
          (
            Point(words: "retry after: \(words) (\(names))", kind: .retry),
            MigrationInterruption(steps: index, outcomes: outcomes, dies: false)
          ))
      }
    }
    if !steps.isEmpty {
      found.append(
        (
          Point(words: "crash after the last step", kind: .crash),
          MigrationInterruption(steps: steps.count)
        ))
    }
    return found
  }

  private static func combinations(
    _ count: Int
  ) -> [[MigrationInterruption.RequestOutcome]] {
    guard count > requestsMax else {
      return MigrationExplorer.choices(of: MigrationInterruption.RequestOutcome.allCases, count)
    }
    // Repeated for further requests.
    return [[.lost], [.failed], [.answered, .failed], [.answered, .lost]]
  }
}

extension MigrationAtlas.Outcome {
  /// Whether another outcome has the same kind.
  func isLike(_ other: Self) -> Bool {
    switch (self, other) {
    case (.complete, .complete), (.duplicates, .duplicates): true
    case (.fault(let left), .fault(let right)): left == right
    default: false
    }
  }
}
