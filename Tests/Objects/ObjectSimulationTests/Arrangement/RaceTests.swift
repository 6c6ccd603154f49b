import JSON
import ObjectContexts
import ObjectSimulation
import Simulation
import Testing

/// The find-or-insert race of the three contexts, in every schedule.
struct RaceTests {
  /// The expected results of a scenario.
  struct Expected: Sendable, CustomStringConvertible {
    var reading: RaceScenario.Reading
    var postsOnEmptySave = true
    var one: UInt64
    var two: UInt64
    var single: [JSONString]

    var description: String { "\(reading), \(postsOnEmptySave)" }
  }

  static let expected: [Expected] = [
    // In the guide's scenario M and B take three steps each: 20 orders, and in 2 of them one is
    // complete before the other searches.
    Expected(reading: .guide, one: 2, two: 18, single: ["B", "M"]),
    Expected(reading: .guideAtOnce, one: 2, two: 4, single: ["B", "M"]),
    // In the arrangement, B's insertion leaves the background context with a save that follows one
    // of the main context; if B is called second, that is after the closure of M.
    race(.main, true, 199, 1791, ["M"]),
    race(.main, false, 838, 3184, ["M"]),
    race(.background, true, 232, 3128, ["B", "M"]),
    race(.background, false, 362, 3840, ["B", "M"]),
    race(.main, true, 18, 486, ["M"], posts: false),
    race(.main, false, 87, 864, ["M"], posts: false),
    race(.background, true, 30, 800, ["B", "M"], posts: false),
    race(.background, false, 66, 898, ["B", "M"], posts: false),
  ]

  private static func race(
    _ first: StackQueue, _ callerIsMain: Bool, _ one: UInt64, _ two: UInt64, _ single: [JSONString],
    posts: Bool = true
  ) -> Expected {
    Expected(
      reading: .arrangement(first: first, callerIsMain: callerIsMain), postsOnEmptySave: posts,
      one: one, two: two, single: single)
  }

  @Test(arguments: expected)
  func whatComesOut(expected: Expected) throws {
    let report = try ScheduleExplorer.explore(
      RaceScenario(expected.reading, postsOnEmptySave: expected.postsOnEmptySave))
    #expect(report.schedules(withRows: 1) == expected.one)
    #expect(report.schedules(withRows: 2) == expected.two)
    #expect(report.schedules == expected.one + expected.two)
    #expect(report.singleRows == expected.single)
    #expect(report.violations.isEmpty && report.deadlocked == 0)
  }

  @Test(arguments: RaceScenario.preventions, [true, false])
  func whatPreventsTheDuplicate(scenario: RaceScenario, posts: Bool) throws {
    var scenario = scenario
    scenario.postsOnEmptySave = posts
    let report = try ScheduleExplorer.explore(scenario)
    #expect(report.schedules > 0 && report.schedules(withRows: 1) == report.schedules)
    #expect(report.violations.isEmpty)
    // Only schedules that would fail without a constraint cause a warning.
    #expect((report.warned > 0) == (scenario.variant == .constraint))
  }

  /// Called from the main queue, the two overlap in every schedule, and each has a warning. Called
  /// from elsewhere, the first can be complete before the second is called.
  @Test(arguments: RaceScenario.races.dropFirst(2))
  func itWarns(scenario: RaceScenario) throws {
    let report = try ScheduleExplorer.explore(scenario)
    guard case .arrangement(_, let callerIsMain) = scenario.reading else { return }
    #expect((report.warned == report.schedules) == callerIsMain)
    #expect(report.warned >= report.schedules(withRows: 2))
  }

  @Test func theWitnesses() throws {
    let report = try ScheduleExplorer.explore(
      RaceScenario(.arrangement(first: .main, callerIsMain: true)))
    #expect(report.outcomes.map { $0.end } == [.rows(["M"]), .rows(["B", "M"])])
    let one = try #require(report.outcomes.first { $0.end == .rows(["M"]) }).witness
    #expect(
      one.prefix(6).map { $0.words }
        == [
          "call M", "call B", "M looks for Jad: not found", "M inserts Jad", "main saves: M",
          "B looks for Jad: found",
        ])
    // The second call enqueued B's step.
    #expect(one[5].cause == 1 && one[5].queue == .background && one[5].kind == .look)
    #expect(one.last?.words == "the group is notified")
    let two = try #require(report.outcomes.first { $0.end.rows?.count == 2 }).witness
    #expect(two.filter { $0.kind == .insertion }.count == 2)
    #expect(two.prefix { $0.kind != .save }.count == 6)
  }

  /// Called first from elsewhere, B can be complete before M searches; both saves of the main
  /// context that precede M are B's.
  @Test func whenBIsTheSingleRow() throws {
    let report = try ScheduleExplorer.explore(
      RaceScenario(.arrangement(first: .background, callerIsMain: false)))
    let outcome = try #require(report.outcomes.first { $0.end == .rows(["B"]) })
    let words = outcome.witness.map { $0.words }
    let look = try #require(words.firstIndex(of: "M looks for Jad: found"))
    let save = try #require(words.firstIndex(of: "background saves: B"))
    let first = try #require(words.firstIndex(of: "main saves: nothing new"))
    #expect(first < save && save < look)
    #expect(words.firstIndex(of: "B inserts Jad").map { $0 < first } == true)
  }

  @Test func itIsTheSameEveryTime() throws {
    let scenario = RaceScenario(.arrangement(first: .background, callerIsMain: false))
    let (first, second) = (
      try ScheduleExplorer.explore(scenario), try ScheduleExplorer.explore(scenario)
    )
    #expect(first.states == second.states && first.schedules == second.schedules)
    #expect(first.outcomes.map { $0.witness } == second.outcomes.map { $0.witness })
  }

  @Test(arguments: WaitingScenario.allCases)
  func whoWaitsForWhom(scenario: WaitingScenario) throws {
    let report = try ScheduleExplorer.explore(scenario)
    #expect((report.deadlocked > 0) == scenario.canDeadlock)
    // Some schedules of each scenario complete.
    #expect(report.deadlocked < report.schedules)
    for outcome in report.outcomes where outcome.end.isDeadlock {
      guard case .deadlock(let waits) = outcome.end else { continue }
      #expect(Set(waits.map { $0.queue }) == Set(waits.map { $0.waitsFor }))
    }
  }

  @Test func bothSaveAndWait() throws {
    let report = try ScheduleExplorer.explore(.bothSaveAndWait)
    let stuck = report.outcomes.filter { $0.end.isDeadlock }
    #expect(
      stuck.map { $0.end }
        == [
          .deadlock([
            QueueWait(.main, doing: "saveAndWait", waitsFor: .background),
            QueueWait(.background, doing: "saveAndWait", waitsFor: .main),
          ])
        ])
    #expect(stuck.first?.witness.last?.words == "B: request the save of main")
  }
}
