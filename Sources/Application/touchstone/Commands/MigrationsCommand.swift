internal import Collections
internal import Conformance
internal import Datastore
internal import JSON
internal import ObjectSimulation
internal import Scenarios
internal import Simulation

/// `touchstone migrations`: interrupts a migration to a backend at every possible point.
struct MigrationsCommand: Command {
  let scope: MigrationScope
  let samples: Int?
  let seed: UInt64
  let jobs: Int
  let numbers: CaseNumbers
  let reportPath: String?

  var outputPaths: [String] { reportPath.map { [$0] } ?? [] }

  static let manual = Manual(
    words: ["migrations"],
    summary: "Interrupt the migration of a local store to a backend at every possible point.",
    options: [
      .init(
        name: "--recipes", value: "COUNT", help: "Number of recipes, 1 to 1000; the default is 1."),
      .init(
        name: "--ingredients", value: "COUNT",
        help: "Ingredients of each recipe, 1 to 20; the default is 2."),
      .init(
        name: "--batch", value: "COUNT",
        help: "Objects per batch, 1 to 1000; the default is all objects of an entity."),
      .init(
        name: "--interruptions", value: "COUNT",
        help: "Interruptions per migration, 0 to 8; the default is 2."),
      .init(
        name: "--sample", value: "COUNT",
        help: "Run this many random paths; the default is all paths."),
      .init(name: "--seed", value: "SEED", help: "Seed of --sample; the default is 1."),
      CaseNumbers.option, .explorationJobs, EnumerationReport.option,
    ],
    notes: """
      The application crashes between two steps, or during a save of which the backend performed \
      any subset of the requests, and restarts. Or a save fails, with any subset of its requests \
      performed, and is retried. This runs for each way to end a migration (a flag in the settings \
      or in the store, a deletion, both, or neither), with ids of the backend and of the store. No \
      object may ever be lost. Duplicates are allowed only if the backend assigned the ids and the \
      application lost them. Exits with 1 otherwise.
      """,
    examples: [
      ("touchstone migrations --batch 1", "move one object at a time"),
      ("touchstone migrations --interruptions 3", "interrupt up to 3 times"),
      (
        "touchstone migrations --recipes 200 --batch 50 --interruptions 6 --sample 20",
        "sample paths of a large store"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    func number(_ name: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
      try arguments.number(name, range, for: Self.manual)
    }
    scope = MigrationScope(
      recipes: try number("--recipes", 1...1000) ?? 1,
      ingredients: try number("--ingredients", 1...20) ?? 2,
      batch: try number("--batch", 1...1000).map { Int64($0) },
      interruptions: try number("--interruptions", 0...8) ?? 2)
    samples = try number("--sample", 1...1_000_000)
    seed = UInt64(try number("--seed", 0...Int.max) ?? 1)
    numbers = try CaseNumbers(of: scope.endings.count, arguments, manual: Self.manual)
    jobs = try number("--jobs", 1...1024) ?? Files.processorCount
    reportPath = arguments.value("--report")
  }

  private typealias Result = (
    scope: MigrationScope, report: MigrationReport, finding: MigrationFinding?
  )

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let cases = CaseNoun(plural: "ways to end", singular: "way to end")
    let results: [Result]
    do throws(HarnessError) {
      results = try context.explore(numbers.select(scope.endings), jobs: jobs, cases) {
        [samples, seed] scope throws(HarnessError) in
        var explorer = MigrationExplorer(scope)
        let finding: MigrationFinding?
        if let samples {
          finding = try explorer.sample(samples, seed: seed)
        } else {
          finding = try explorer.explore()
        }
        return (scope, explorer.report, finding)
      }
    } catch {
      throw CommandFailure("\(error)")
    }
    let report = EnumerationReport(
      subject: EnumerationReport.bundled, words: words, numbers: numbers,
      cases: reports(results))
    if try report.write(to: reportPath, context) {
      return results.allSatisfy { $0.finding == nil } ? .success : .failure
    }
    for (scope, report, finding) in results {
      context.output(scope.words + ": ")
      guard let finding else {
        context.output(
          "\(TextLayout.counted(report.ways, "way")), \(TextLayout.counted(report.deaths, "death")), "
            + "0 lost objects, \(report.repeating) with duplicates\n")
        continue
      }
      context.output(context.style.bad(finding.sentence) + "\n")
      for (number, interruption) in finding.way.enumerated() {
        context.output("  \(number + 1)  \(interruption)\n")
      }
      return .failure
    }
    return .success
  }

  /// Returns a report for each way to end the migration.
  private func reports(_ results: [Result]) -> [CampaignReport] {
    numbers.numbered(results).map { number, result in
      let report = result.report
      return CampaignReport(
        seed: number, events: report.steps,
        counts: ["ways": report.ways, "deaths": report.deaths, "repeating": report.repeating],
        result.finding.map {
          Trace.Finding(
            oracle: "migrations", shape: JSONString(result.scope.words),
            sentence: JSONString($0.sentence), time: 0)
        })
    }
  }

  private var words: [String] {
    Self.manual.words + ["--recipes", "\(scope.recipes)", "--ingredients", "\(scope.ingredients)"]
      + (scope.batch.map { ["--batch", "\($0)"] } ?? [])
      + ["--interruptions", "\(scope.interruptions)"]
      + (samples.map { ["--sample", "\($0)", "--seed", "\(seed)"] } ?? [])
  }
}

extension MigrationScope {
  /// The scope with each way to end the migration.
  fileprivate var endings: [MigrationScope] {
    [false, true].flatMap { keepsIDs in
      ([nil, .settings, .store] as [MigrationPlan.Flag?]).flatMap { flag in
        [false, true].map { deletes in
          var scope = self
          (scope.flag, scope.deletesLocally, scope.keepsIDs) = (flag, deletes, keepsIDs)
          return scope
        }
      }
    }
  }

  /// The way to end the migration.
  fileprivate var words: String {
    let ids = keepsIDs ? "ids of the store" : "ids of the backend"
    let flag = flag.map { "a flag in the \($0.rawValue)" } ?? "no flag"
    return "\(ids), \(flag), \(deletesLocally ? "deletion" : "no deletion")"
  }
}
