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
  let pagePath: String?

  var outputPaths: [String] { [reportPath, pagePath].compactMap { $0 } }

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
      .init(
        name: "--page", value: "FILE",
        help: "Write a page with the outcome of each single interruption, and drawn paths."),
      CaseNumbers.option, .explorationJobs, EnumerationReport.option,
    ],
    notes: """
      The application crashes between two steps, or during a save of which the backend performed \
      any subset of the requests, and restarts. Or a save fails, with any subset of its requests \
      performed, and is retried. This runs for each way to end a migration (a flag in the settings \
      or in the store, a deletion, both, or neither), with ids of the backend and of the store. No \
      object may ever be lost. Duplicates are allowed only if the backend assigned the ids and the \
      application lost them. Exits with 1 otherwise. After Control-C the command prints what it \
      has explored.
      """,
    examples: [
      ("touchstone migrations --batch 1", "move one object at a time"),
      ("touchstone migrations --interruptions 3", "interrupt up to 3 times"),
      ("touchstone migrations --page migrations.html", "draw a path to each outcome"),
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
    pagePath = arguments.value("--page")
  }

  private struct Result: Sendable {
    var scope: MigrationScope
    var report: MigrationReport
    var finding: MigrationFinding?
    /// False if the user stopped the exploration.
    var isComplete: Bool
  }

  private static let cases = CaseNoun(plural: "ways to end", singular: "way to end")

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    context.watchInterruption()
    let results = try explored(context)
    let done = results.filter(\.isComplete)
    if done.count < results.count {
      context.error("interrupted after \(done.count) of \(results.count) \(Self.cases.plural)\n")
    }
    let code: ExitCode =
      results.contains { $0.finding != nil }
      ? .failure : done.count < results.count ? .harness : .success
    var report = EnumerationReport(
      subject: EnumerationReport.bundled, words: words, numbers: numbers, cases: reports(results))
    report.explored = numbers.numbered(results).filter(\.result.isComplete).map(\.number)
    let isReportOutput = try report.write(to: reportPath, context)
    if !isReportOutput { show(results, context) }
    if let pagePath, results.contains(where: { $0.report.ways > 0 }) {
      let html = try page(results)
      try onFiles { () throws(Files.Failure) in try Files.write(html, to: pagePath) }
      if !isReportOutput { context.output("wrote \(pagePath)\n") }
    }
    return code
  }

  /// Explores each way to end, until the user stops.
  private func explored(_ context: Context) throws(CommandFailure) -> [Result] {
    let isStopped = context.isInterrupted
    do throws(HarnessError) {
      return try context.explore(numbers.select(scope.endings), jobs: jobs, Self.cases) {
        [samples, seed] scope throws(HarnessError) in
        var explorer = MigrationExplorer(scope)
        let finding: MigrationFinding?
        if let samples {
          finding = try explorer.sample(samples, seed: seed, isStopped: isStopped)
        } else {
          finding = try explorer.explore(isStopped: isStopped)
        }
        return Result(
          scope: scope, report: explorer.report, finding: finding,
          isComplete: explorer.isComplete)
      }
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// Prints the results, up to the first finding.
  private func show(_ results: [Result], _ context: Context) {
    for result in results where result.report.ways > 0 {
      let report = result.report
      context.output(result.scope.endingWords + ": ")
      guard let finding = result.finding else {
        context.output(
          "\(TextLayout.counted(report.ways, "path")), "
            + "\(report.deaths) \(report.deaths == 1 ? "crash" : "crashes"), 0 lost objects, "
            + "\(report.repeating) with duplicates\(result.isComplete ? "" : ", interrupted")\n")
        continue
      }
      context.output(context.style.bad(finding.sentence) + "\n")
      for (number, interruption) in finding.way.enumerated() {
        context.output("  \(number + 1)  \(interruption)\n")
      }
      return
    }
  }

  private func page(_ results: [Result]) throws(CommandFailure) -> String {
    let atlas: MigrationAtlas
    do throws(HarnessError) {
      atlas = try MigrationAtlas(
        results.filter { $0.report.ways > 0 }.map { ($0.scope, $0.report, $0.finding) })
    } catch {
      throw CommandFailure("\(error)")
    }
    return MigrationPage(
      atlas, isStopped: results.contains { !$0.isComplete },
      command: (["touchstone"] + words).map(shellQuoted).joined(separator: " "),
      program: programName
    ).html
  }

  /// Returns a report for each way to end the migration.
  private func reports(_ results: [Result]) -> [CampaignReport] {
    numbers.numbered(results).filter(\.result.isComplete).map { number, result in
      let report = result.report
      return CampaignReport(
        seed: number, events: report.steps,
        counts: ["ways": report.ways, "deaths": report.deaths, "repeating": report.repeating],
        result.finding.map {
          Trace.Finding(
            oracle: "migrations", shape: JSONString(result.scope.endingWords),
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
}
