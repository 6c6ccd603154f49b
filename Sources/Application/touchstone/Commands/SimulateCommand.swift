internal import Conformance
internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios
internal import Simulation

/// `touchstone simulate`: runs several replicas of an implementation under fault injection, seed by
/// seed.
struct SimulateCommand: ExperimentCommand {
  let options: SimulationOptions
  let experiment: ExperimentOptions
  let isSafetyOnly: Bool
  let savedName: String?
  /// The number of classes of findings that are shrunk.
  let classesMax: Int
  let checksLaws: Bool
  /// Whether the states that the runs visit are counted.
  let countsStates: Bool

  static let cases = CaseNoun(plural: "runs", singular: "run")
  private static let seeds = (noun: "runs", seeds: "1..1000")

  static let manual = Manual(
    words: ["simulate"],
    summary: "Run several replicas of an implementation under fault injection, seed by seed.",
    options: ExperimentOptions.manual(seeds, jobs: "one for each processor")
      + SimulationOptions.manual + [
        ExperimentOptions.failFast,
        .init(
          name: "--safety-only",
          help: "Check only safety, not whether the replicas converge in the end."),
        .init(
          name: "--save", value: "NAME",
          help:
            "Write the first failure, shrunk: NAME.json, a page and a text for an issue tracker; "
            + "those of further classes as NAME-2 and so on."),
        .init(
          name: "--classes", value: "N",
          help:
            "Shrink the first failure of up to N classes (checker and kind of finding); the "
            + "default is 3."),
        .init(
          name: "--coverage",
          help:
            "Count the different states that the runs visit, and print how the number grows with "
            + "the seeds; in one process, and not part of --report."),
        .init(
          name: "--laws",
          help:
            "Check laws that need no model, such as independence of order, in place of runs."),
      ],
    notes: """
      Each run is a function of its seed: clients write, replicas replicate, messages are lost, \
      duplicated and delayed, replicas crash, disks fill up. Then all faults are repaired. All \
      replicas must converge, and every acknowledged write must end as current, in conflict, \
      superseded, deleted or purged; otherwise it is lost. A failing run is shrunk and printed as \
      a scenario for touchstone replay. Findings of other classes are shrunk, too; their scenarios \
      are written with --save. A shrunk finding is followed by its cause if a known deviation or \
      a known mutant has exactly the same outcomes, and by 'unknown cause' otherwise. Exits with 1 if \
      a run failed.

      If --implementation is repeated, replica a has the first one, replica b the second one, and so \
      on; after the last one the first one follows. Each is checked with its own --product. Scenarios \
      use only what all of them offer. The replicas must have the same leaves, winners, bodies and \
      attachments at the end; nothing else is compared between implementations.
      """,
    examples: [
      ("touchstone simulate --seeds 1..10000", "run 10,000 seeds"),
      ("touchstone simulate --minutes 30 --seeds 1000000", "run new seeds for half an hour"),
      ("touchstone simulate --shard 3/16 --report 3.json", "run one of 16 parts of a campaign"),
      (
        "touchstone simulate --implementation exec:./my-adapter --implementation sqlite",
        "replicate between an adapter and the bundled store"
      ),
      ("touchstone simulate --mutant checkpoint-ahead", "see what a finding looks like"),
      (
        "touchstone simulate --seeds 1..50 --prove",
        "check that other processes get the same results"
      ),
      ("touchstone simulate --laws", "check the laws with 1000 seeds"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    options = try SimulationOptions(arguments, Self.manual, context: context)
    countsStates = arguments.has("--coverage")
    experiment = try ExperimentOptions(
      arguments, Self.manual, implementation: options.implementations.mostDemanding,
      cases: Self.seeds, jobs: countsStates ? 1 : Files.processorCount)
    isSafetyOnly = arguments.has("--safety-only")
    savedName = arguments.value("--save")
    classesMax = try arguments.number("--classes", 1...1000, for: Self.manual) ?? 3
    checksLaws = arguments.has("--laws")
    if checksLaws,
      experiment.proves || experiment.seconds != nil || experiment.reportPath != nil
    {
      throw UsageError("--laws takes only --seeds; leave out --report and --prove", Self.manual)
    }
    if countsStates, checksLaws || experiment.proves || experiment.jobs > 1 {
      throw UsageError(
        "--coverage counts the states of one process: use --jobs 1 without --laws and --prove",
        Self.manual)
    }
    if checksLaws, options.implementations.areMixed {
      throw UsageError("--laws takes one --implementation", Self.manual)
    }
  }

  var implementations: [ImplementationEntry] { options.implementations.entries }

  var words: [String] { options.words + (isSafetyOnly ? ["--safety-only"] : []) }

  /// Reports of simulations name no command, because their format is older than the other reports.
  var identityWords: [String] { words }

  /// A campaign with a known mutant ends at its first finding.
  func isComplete(_ report: CampaignReport) -> Bool {
    (options.mutant != nil || experiment.failsFast) && !report.failures.isEmpty
  }

  func makeSubject() throws(HarnessError) -> Campaign {
    var campaign = try options.campaign()
    campaign.isSafetyOnly = isSafetyOnly
    if countsStates { campaign.coverage = CoverageGrowth() }
    return campaign
  }

  func description() throws(HarnessError) -> ImplementationDescription {
    try options.implementations.description()
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    try checksLaws ? checkLaws(context) : perform(context)
  }

  func conclude(
    _ report: CampaignReport, _ subject: Campaign?, nanoseconds: UInt64, context: Context
  ) throws(CommandFailure) -> ExitCode {
    context.output(CampaignText(report, options).text(nanoseconds: nanoseconds, context.style))
    if let coverage = subject?.coverage { context.output(CoverageText(coverage).text) }
    let classes = classes(of: report)
    for (place, failures) in classes.prefix(classesMax).enumerated() {
      var context = context
      // One scenario goes to standard output, so that a program can read it.
      if place > 0 { context.output = { _ in } }
      try show(failures, number: place + 1, of: classes.count, context)
    }
    if classes.count > classesMax {
      context.error(
        "\n\(classes.count) classes of findings; --classes \(classes.count) shrinks all\n")
    }
    return classes.isEmpty ? .success : .failure
  }

  /// The failures by checker and kind of finding, in the order of their first seeds.
  private func classes(of report: CampaignReport) -> [[CampaignReport.Failure]] {
    var classes: [[CampaignReport.Failure]] = []
    for failure in report.failures {
      let place = classes.firstIndex { other in
        other[0].finding.oracle == failure.finding.oracle
          && other[0].finding.shape == failure.finding.shape
      }
      if let place { classes[place].append(failure) } else { classes.append([failure]) }
    }
    return classes
  }

  /// Shrinks and prints the first failure of a class.
  private func show(
    _ failures: [CampaignReport.Failure], number: Int, of classCount: Int, _ context: Context
  ) throws(CommandFailure) {
    let failure = failures[0]
    let (scenarios, shrunk) = try implementations.attempt { () throws(HarnessError) in
      let generator = try options.campaign().generator
      let scenarios = failures.prefix(5).map { generator.scenario(seed: $0.seed) }
      var shrinker = ScenarioShrinker(failure.finding, options.participants)
      return (scenarios, try shrinker.shrunk(scenarios[0]))
    }
    if classCount > 1 {
      context.error(
        "\nclass \(number) of \(classCount), \(failure.finding.oracle) \(failure.finding.shape): "
          + "\(TextLayout.counted(failures.count, "run"))")
    }
    let again = ["touchstone", "replay", "\(failure.seed)"] + options.words + ["--timeline"]
    context.error("\nagain: \(again.map(shellQuoted).joined(separator: " "))\n")
    if let shrunk {
      try showCause(of: shrunk, from: scenarios, context)
      try ShrunkFailure(result: shrunk, options: options).show(
        savingAs: savedName.map { number == 1 ? $0 : "\($0)-\(number)" }, context)
    } else {
      context.error("a second run of seed \(failure.seed) does not reproduce it\n")
    }
  }

  /// Prints the known causes of a shrunk finding.
  private func showCause(
    of result: ScenarioShrinker.Result, from scenarios: [Scenario], _ context: Context
  ) throws(CommandFailure) {
    let causes = try implementations.attempt { () throws(HarnessError) in
      try FindingCauseSearch(options: options, result: result, originals: scenarios).causes()
    }
    guard !causes.isEmpty else {
      context.error("unknown cause\n")
      return
    }
    context.error(causes.count == 1 ? "cause:\n" : "cause, one of \(causes.count):\n")
    for line in causes.flatMap(\.lines) {
      let words = TextLayout.wrapped(line, width: context.errorWidth, indent: "  ")
      context.error(words.joined(separator: "\n") + "\n")
    }
  }

  /// Checks all laws with every seed; ends at the first violation.
  private func checkLaws(_ context: Context) throws(CommandFailure) -> ExitCode {
    let (report, _) = try implementations.attempt { () throws(HarnessError) in
      var laws = Laws(options.participants)
      return try experiment.run(
        &laws, CaseNoun(plural: "seeds", singular: "seed"), context: context
      ) { !$0.failures.isEmpty }
    }
    if let failure = report.failures.first {
      let law = Law(rawValue: failure.finding.shape.string)
      let sentence = TextLayout.printable(failure.finding.sentence.string)
      context.output(
        context.style.bad("a law is violated") + ": \(law?.sentence ?? "")\n"
          + "  seed \(failure.seed): \(sentence)\n")
      return .failure
    }
    context.output(
      "\(implementations.name): \(TextLayout.counted(Law.allCases.count, "law")) under "
        + "\(TextLayout.counted(report.runs, "seed")): \(context.style.good("all hold"))\n")
    return .success
  }

  /// Prints the first event that differs between this process and another program.
  func firstDifference(
    _ seed: UInt64, _ program: String, variables: [String]
  ) throws(CommandFailure) -> String {
    do {
      let scenario = try options.campaign().generator.scenario(seed: seed)
      var world = try World(scenario, options.participants, records: true, chains: true)
      let run = try world.run()
      let words = ["replay", "\(seed)", "--digests"] + options.words
      let process = try Subprocess(program, words, variables: variables)
      while !process.advance(milliseconds: 50) {}
      let here = run.chain.map { "\($0.nanoseconds) \($0.digest)" }
      let there = String(decoding: process.output, as: UTF8.self).split(separator: "\n")
      guard
        let place = (0..<max(here.count, there.count)).first(where: { place in
          place >= here.count || place >= there.count || here[place] != there[place]
        })
      else { return "a second comparison agrees: the difference does not depend on the seed\n" }
      guard place < run.chain.count, let trace = run.trace else {
        return "event \(place + 1) exists only in the other process\n"
      }
      let time = run.chain[place].nanoseconds
      var moment = trace
      moment.entries.removeAll { $0.time != time }
      var timeline = TextTimeline()
      timeline.isDetailed = true
      return "the first difference is event \(place + 1); in this process it is\n"
        + timeline.lines(of: moment).joined(separator: "\n") + "\n"
    } catch {
      throw (error as? CommandFailure) ?? CommandFailure("\(program): \(error)")
    }
  }
}
