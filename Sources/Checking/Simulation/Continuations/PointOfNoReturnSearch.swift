public import Datastore
internal import JSON
public import Scenarios

/// Searches the point of no return of a failing run: the first event after which no continuation
/// avoids the finding.
///
/// A prefix of the run is savable if at least one of its continuations ends without the finding.
/// A continuation of a longer prefix is also one of each shorter prefix, so a savable prefix proves
/// that all shorter ones are savable. The search bisects with all choices of each course. A bounded
/// search can miss a continuation. So it then tries one choice of each course after every later
/// event, the last event first, and bisects again behind a savable prefix.
///
/// Every continuation is a new run of the scenario with the recorded choices up to an event.
public struct PointOfNoReturnSearch {
  private let scenario: Scenario
  private let participants: World.Participants
  private let isInterrupted: () -> Bool
  private let goal: ContinuationGoal
  private var prefixes: [Prefix] = []
  /// The continuations with all choices, by the place of the prefix.
  private var tallies: [Int: Trace.PointOfNoReturn.Tally] = [:]

  /// The maximum number of events of a run that is searched.
  public static let eventsMax = 300
  /// The number of choices of each course.
  public static let choices: UInt64 = 8

  /// Why a run has no result.
  public enum Obstacle: Error, Hashable, Sendable {
    /// The run has no finding that other events could avoid, or one without a loss or a divergence.
    case noSuchFinding
    /// The run has more than `eventsMax` events.
    case tooLong(events: Int)
    /// A repeated run of a store may differ.
    case notDeterministic
    /// The user ended the search.
    case interrupted
  }

  private typealias Point = Trace.PointOfNoReturn

  /// The first events of the run.
  private struct Prefix {
    /// The number of events.
    var count: Int
    /// The entries of the last event in the trace.
    var entries: Range<Int>
    /// The courses that differ after it.
    var courses: [Continuation.Course]
  }

  /// Searches the point of no return of the first finding of a scenario.
  ///
  /// - Parameter isInterrupted: whether the search must end; called before each run.
  public static func point(
    of scenario: Scenario, _ participants: World.Participants,
    isInterrupted: @escaping () -> Bool = { false }
  ) throws(HarnessError) -> Result<Trace.PointOfNoReturn, Obstacle> {
    var world = try World(scenario, participants, records: true)
    let isDeterministic = world.isDeterministic
    let run = try world.run()
    guard let finding = run.findings.first, let goal = ContinuationGoal(avoiding: finding) else {
      return .failure(.noSuchFinding)
    }
    guard isDeterministic else { return .failure(.notDeterministic) }
    var search = Self(scenario, participants, goal: goal, isInterrupted: isInterrupted)
    search.addPrefixes(run.progress)
    guard search.prefixes.count <= eventsMax else {
      return .failure(.tooLong(events: search.prefixes.count - 1))
    }
    return try search.point()
  }

  private init(
    _ scenario: Scenario, _ participants: World.Participants, goal: ContinuationGoal,
    isInterrupted: @escaping () -> Bool
  ) {
    self.scenario = scenario
    self.participants = participants
    self.isInterrupted = isInterrupted
    self.goal = goal
  }

  /// Adds the prefixes that end with an event of the trace, from the empty one to the whole run.
  private mutating func addPrefixes(_ progress: [SimulationRun.Progress]) {
    prefixes = [Prefix(count: 0, entries: 0..<0, courses: courses(afterSteps: 0))]
    for (place, event) in progress.enumerated() where !event.entries.isEmpty {
      prefixes.append(
        Prefix(
          count: place + 1, entries: event.entries, courses: courses(afterSteps: event.steps)))
    }
    // The last events may have no entry.
    prefixes[prefixes.count - 1].count = progress.count
  }

  /// The courses that differ after some steps of the scenario.
  private func courses(afterSteps count: Int) -> [Continuation.Course] {
    guard !goal.endsSessions else { return [.save] }
    let remaining = Set(scenario.steps.dropFirst(count).map(\.directive.course))
    return Continuation.Course.allCases.filter { course in
      course <= .wait || remaining.contains(course)
        || course == .fail && !scenario.conditions.isCalm
    }
  }

  // MARK: The search

  private mutating func point() throws(HarnessError) -> Result<Point, Obstacle> {
    guard let end = try tally(of: prefixes.count - 1) else { return .failure(.interrupted) }
    guard end.saving == 0 || goal.isCertain else { return .failure(.noSuchFinding) }
    let found =
      end.saving > 0
      ? Point(.afterTheRun, document: goal.document, before: end, after: end)
      : try boundary()
    guard let found, let point = try completed(found) else { return .failure(.interrupted) }
    return .success(point)
  }

  /// Returns the point of a run that is lost in the end; nil if the user ended the search.
  private mutating func boundary() throws(HarnessError) -> Point? {
    let last = prefixes.count - 1
    guard let start = try tally(of: 0) else { return nil }
    // The last savable prefix, and the first one after it that is lost.
    var (savable, lost) = start.saving > 0 ? (0, last) : (-1, 0)
    while true {
      while lost - savable > 1 {
        let middle = (savable + lost) / 2
        guard let tally = try tally(of: middle) else { return nil }
        if tally.saving > 0 { savable = middle } else { lost = middle }
      }
      guard let later = try laterSavable(than: lost) else { return nil }
      guard let place = later else { break }
      (savable, lost) = (place, last)
    }
    guard let after = try tally(of: lost), let before = try tally(of: max(0, savable)) else {
      return nil
    }
    return Point(
      savable < 0 ? .beginning : .event(entries: prefixes[lost].entries),
      document: goal.document, before: before, after: after)
  }

  /// Returns the last savable prefix after a lost one, by one choice of each course; `.some(nil)` if
  /// all later ones are lost, and nil if the user ended the search.
  private mutating func laterSavable(than lost: Int) throws(HarnessError) -> Int?? {
    for place in (lost + 1..<prefixes.count).reversed() where tallies[place] == nil {
      // Neighbours have different choices.
      let choice = UInt64(place) % Self.choices
      let continuations = prefixes[place].courses.map { Continuation(course: $0, choice: choice) }
      guard let tally = try tally(continuations, of: prefixes[place]) else { return nil }
      if tally.saving > 0 { return place }
    }
    return .some(nil)
  }

  /// Adds the continuations and the mildest remedy after the last event.
  private mutating func completed(_ point: Point) throws(HarnessError) -> Point? {
    var point = point
    let last = prefixes[prefixes.count - 1]
    if goal.endsSessions {
      let running = all(of: .wait)
      guard let tally = try tally(running, of: last) else { return nil }
      point.whileRunning = tally
    }
    guard point.place != .afterTheRun else { return point }
    for remedy in Point.Remedy.allCases {
      guard let tally = try tally(all(of: .end, remedy), of: last) else { return nil }
      guard tally.saving == 0 else {
        point.remedy = remedy
        break
      }
    }
    return point
  }

  // MARK: Runs

  private func all(
    of course: Continuation.Course, _ remedy: Point.Remedy? = nil
  ) -> [Continuation] {
    (0..<Self.choices).map { Continuation(course: course, choice: $0, remedy: remedy) }
  }

  /// The continuations of a prefix with all choices of all courses; nil if the user ended the
  /// search.
  private mutating func tally(of place: Int) throws(HarnessError) -> Point.Tally? {
    if let known = tallies[place] { return known }
    let continuations = prefixes[place].courses.flatMap { all(of: $0) }
    let tally = try tally(continuations, of: prefixes[place])
    tallies[place] = tally
    return tally
  }

  /// Runs continuations of a prefix and counts those that avoid the finding; nil if the user ended
  /// the search.
  private mutating func tally(
    _ continuations: [Continuation], of prefix: Prefix
  ) throws(HarnessError) -> Point.Tally? {
    var tally = Point.Tally()
    for continuation in continuations {
      guard !isInterrupted() else { return nil }
      var world = try World(scenario, participants)
      let state = try world.finalState(of: continuation, after: prefix.count)
      tally.tried += 1
      if goal.isReached(by: state) { tally.saving += 1 }
    }
    return tally
  }
}
