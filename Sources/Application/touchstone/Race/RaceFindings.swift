internal import Conformance
internal import JSON
internal import ObjectContexts
internal import ObjectSimulation
internal import Rendering
internal import Scenarios
internal import Simulation

/// The results of `touchstone race`, as tables and diagrams.
struct RaceFindings {
  let races: [(scenario: RaceScenario, report: RaceReport)]
  let preventions: [(scenario: RaceScenario, report: RaceReport)]
  let waits: [(scenario: WaitingScenario, report: RaceReport)]
  private let postsOnEmptySave: Bool

  private static let cases = CaseNoun(plural: "scenarios", singular: "scenario")

  /// - Parameters:
  ///   - postsOnEmptySave: whether contexts post a notification after a save without changes.
  ///   - jobs: the number of threads.
  init(postsOnEmptySave: Bool, jobs: Int, _ context: Context) throws(ContextError) {
    self.postsOnEmptySave = postsOnEmptySave
    func explore(
      _ scenarios: [RaceScenario]
    ) throws(ContextError) -> [(RaceScenario, RaceReport)] {
      let scenarios = scenarios.map { scenario in
        var scenario = scenario
        scenario.postsOnEmptySave = postsOnEmptySave
        return scenario
      }
      return try context.explore(scenarios, jobs: jobs, Self.cases) {
        scenario throws(ContextError) in (scenario, try ScheduleExplorer.explore(scenario))
      }
    }
    races = try explore(RaceScenario.races)
    preventions = try explore(RaceScenario.preventions)
    waits = try context.explore(WaitingScenario.allCases, jobs: jobs, Self.cases) {
      scenario throws(ContextError) in (scenario, try ScheduleExplorer.explore(scenario))
    }
  }

  /// All scenarios in order, each with its forbidden outcomes.
  var outcomes: [(report: RaceReport, surprises: [Trace.Finding])] {
    func finding(_ shape: JSONString, _ sentence: String) -> Trace.Finding {
      Trace.Finding(oracle: "race", shape: shape, sentence: JSONString(sentence), time: 0)
    }
    return (races + preventions).map { scenario, report in
      let name = scenario.name + scenario.callWords
      var surprises = report.violations.map { finding("violation", "\(name): \($0)") }
      let isSingle = scenario.variant != .none
      let allowed = report.schedules(withRows: 1) + (isSingle ? 0 : report.schedules(withRows: 2))
      if allowed != report.schedules {
        surprises.append(
          finding("rows", "\(name): not only \(isSingle ? "one row" : "one or two rows")"))
      }
      return (report, surprises)
    }
      + waits.map { scenario, report in
        let isExpected = (report.deadlocked > 0) == scenario.canDeadlock
        let sentence = "\(scenario.name): \(grouped(report.deadlocked)) deadlocks"
        return (report, isExpected ? [] : [finding("deadlock", sentence)])
      }
  }

  /// A report for each scenario.
  var reports: [CampaignReport] {
    outcomes.enumerated().map { place, outcome in
      CampaignReport(
        seed: UInt64(place) + 1, events: outcome.report.states,
        counts: ["schedules": Int(clamping: outcome.report.schedules)], outcome.surprises.first)
    }
  }

  // MARK: Tables

  var tables: [SchedulePage.Table] {
    let ways = { (scenario: RaceScenario, report: RaceReport) in
      [
        scenario.name, scenario.calls, scenario.caller, "\(report.states)",
        grouped(report.schedules), grouped(report.schedules(withRows: 1)),
        grouped(report.schedules(withRows: 2)),
        report.singleRows.map { $0.string }.joined(separator: " or "),
        // The guide's description has no operation that could be warned of.
        scenario.isOfArrangement ? grouped(report.warned) : "-",
      ]
    }
    let head = [
      "as", "calls", "from", "states", "schedules", "one row", "two rows", "the single row",
      "warned",
    ]
    return [
      SchedulePage.Table(
        "The race",
        "Number of schedules by outcome: the number of persons, and the contexts that inserted them.",
        head: head, rows: races.map(ways)),
      SchedulePage.Table(
        "Prevention of duplicates", "One row in every schedule.", head: head,
        rows: preventions.map(ways)),
      SchedulePage.Table(
        "Deadlocks", "Number of schedules that end in a deadlock.",
        head: ["waiting", "states", "schedules", "deadlocks"],
        rows: waits.map { scenario, report in
          [
            scenario.name, "\(report.states)", grouped(report.schedules),
            grouped(report.deadlocked),
          ]
        }),
    ]
  }

  var text: String {
    var text = ""
    for table in tables { text += Self.text(of: table) + "\n" }
    let chapters = chapters.filter { $0.isOpen }
    text += SchedulePicture.legend(of: chapters.flatMap { $0.pictures.map { $0.picture } }) + "\n"
    for chapter in chapters {
      for (caption, picture) in chapter.pictures {
        text += "\n\(chapter.title): \(caption)\n"
        text += picture.lines.joined(separator: "\n") + "\n"
      }
    }
    return text
  }

  private static func text(of table: SchedulePage.Table) -> String {
    let lines = TextTable.lines([table.head] + table.rows) { column in
      table.rows.allSatisfy { $0[column].utf8.allSatisfy { $0 < 58 } }
    }
    return "\(table.title). \(table.note)\n" + lines.map { "  \($0)\n" }.joined()
  }

  // MARK: Pictures

  /// Returns an example schedule for each outcome.
  var chapters: [SchedulePage.Chapter] {
    var chapters: [SchedulePage.Chapter] = []
    for (scenario, report) in races {
      let isSample = scenario.reading == .arrangement(first: .main, callerIsMain: true)
      chapters.append(
        chapter(
          scenario.name + scenario.callWords, report, isOpen: isSample))
    }
    for (scenario, report) in waits {
      chapters.append(chapter(scenario.name, report, isOpen: scenario.canDeadlock))
    }
    return chapters
  }

  private func chapter(
    _ title: String, _ report: RaceReport, isOpen: Bool
  ) -> SchedulePage.Chapter {
    SchedulePage.Chapter(
      title, isOpen: isOpen,
      report.outcomes.map { outcome in
        (
          "\(outcome.end.words) (\(grouped(outcome.schedules)) \(outcome.schedules == 1 ? "schedule" : "schedules"))",
          Self.picture(outcome)
        )
      })
  }

  private static func picture(_ outcome: RaceOutcome) -> SchedulePicture {
    var waits: [QueueWait] = []
    if case .deadlock(let found) = outcome.end { waits = found }
    let used = Set(outcome.witness.map { $0.queue } + waits.flatMap { [$0.queue, $0.waitsFor] })
    let lanes = StackQueue.allCases.filter { used.contains($0) }
    func lane(_ queue: StackQueue) -> Int { lanes.firstIndex(of: queue) ?? 0 }
    return SchedulePicture(
      lanes: lanes.map { $0.rawValue },
      steps: outcome.witness.map { step in
        SchedulePicture.Step(
          lane: lane(step.queue), step.kind.mark, step.words, cause: step.cause)
      },
      waits: waits.map { wait in
        SchedulePicture.Wait(
          lane: lane(wait.queue), other: lane(wait.waitsFor), wait.description)
      })
  }

  var page: SchedulePage {
    SchedulePage(
      "Find or insert on two contexts at the same time",
      purpose: "This page shows a race: two contexts look for the same person and insert one if "
        + "there is none. It counts all schedules, the orders in which their queues can run, by "
        + "outcome.",
      sentence: sentence,
      command: "touchstone race" + (postsOnEmptySave ? "" : " --silent-empty-saves"),
      program: programName, tables: tables, chapters: chapters)
  }

  /// The outcome of the race in one sentence.
  private var sentence: String {
    let reports = races.filter { $0.scenario.isOfArrangement }.map(\.report)
    let all = reports.reduce(0) { $0 + $1.schedules }
    let double = reports.reduce(0) { $0 + $1.schedules(withRows: 2) }
    guard double > 0 else { return "The two contexts never inserted the same person twice." }
    return "The two contexts inserted the same person twice in \(grouped(double)) of "
      + "\(grouped(all)) schedules of the product."
  }
}

/// Formats a number with thousands separators.
private func grouped(_ number: UInt64) -> String {
  let digits = Array("\(number)".utf8)
  var text = ""
  for (place, digit) in digits.enumerated() {
    if place > 0, (digits.count - place) % 3 == 0 { text += "," }
    text.unicodeScalars.append(UnicodeScalar(digit))
  }
  return text
}

extension RaceStep.Kind {
  fileprivate var mark: SchedulePicture.Mark {
    switch self {
    case .call: .call
    case .look: .look
    case .insertion: .insertion
    case .save: .save
    case .merge: .merge
    case .completion: .completion
    case .other: .other
    }
  }
}

extension RaceScenario {
  fileprivate var name: String {
    switch (variant, reading) {
    case (.none, .guide): "as in the guide"
    case (.none, .guideAtOnce): "the same, with atomic look-up and insertion"
    case (.none, .arrangement): "as in the product"
    case (.turns, _): "operations take turns"
    case (.constraint, _): "unique names, object trump"
    case (.sameContext, _): "both on the main context"
    case (.oneAfterTheOther, _): "one after the other"
    }
  }

  fileprivate var isOfArrangement: Bool {
    if case .arrangement = reading { return true }
    return false
  }

  /// The order of the calls.
  fileprivate var calls: String {
    guard case .arrangement(let first, _) = reading else { return "-" }
    return first == .main ? "M, B" : "B, M"
  }

  /// Where the calls come from.
  fileprivate var caller: String {
    guard case .arrangement(_, let callerIsMain) = reading else { return "-" }
    return callerIsMain ? "main" : "elsewhere"
  }

  fileprivate var callWords: String {
    calls == "-" ? "" : ", \(calls) called from \(caller == "main" ? "the main queue" : caller)"
  }
}

extension WaitingScenario {
  fileprivate var name: String {
    switch self {
    case .bothSaveAndWait: "closures on both queues save and wait"
    case .eachWaitsForTheOther: "closures on both queues wait for one on the other"
    case .writerSavesAndWaits: "the writer's queue saves and waits, before the stores change"
    case .oneSavesAndWaits: "one closure saves and waits, the other saves without"
    case .callerSavesAndWaits: "another thread and a background closure save and wait"
    }
  }
}
