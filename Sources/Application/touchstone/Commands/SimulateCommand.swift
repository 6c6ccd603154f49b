internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios
internal import Simulation

/// `touchstone simulate`: several replicas of an implementation in a hostile world, seed by seed.
struct SimulateCommand: Command {
  let options: SimulationOptions
  let seeds: SeedRange
  /// How long to go on with new seeds; nil when the seeds say it all.
  let seconds: Int?
  let jobs: Int
  let isSafetyOnly: Bool
  let reportPath: String?
  let savedName: String?
  let proves: Bool
  let checksLaws: Bool
  /// Another build of this program, which has to come to the same.
  let otherProgram: String?

  static let manual = Manual(
    words: ["simulate"],
    summary: "Run several replicas of an implementation in a hostile world, seed by seed.",
    options: [
      .init(name: "--seeds", value: "A..B", help: "Which runs, both ends included; 1..1000."),
      .init(name: "--minutes", value: "COUNT", help: "Seeds from A on, for so long."),
      .init(name: "--seconds", value: "COUNT", help: "The same, for a short time."),
      .init(name: "--shard", value: "K/N", help: "Only each Nth seed, from the Kth on."),
      .init(name: "--jobs", value: "N", help: "How many processes; one for each processor."),
    ] + SimulationOptions.manual + [
      .init(
        name: "--safety-only",
        help: "Do not ask whether everything comes right in the end, only what must never be."),
      .init(
        name: "--report", value: "FILE",
        help: "Write what it came to as JSON, for touchstone merge; - is the standard output."),
      .init(
        name: "--save", value: "NAME",
        help: "Write the first failure, made small: NAME.json, a page, a text for a tracker."),
      .init(
        name: "--laws",
        help: "Instead of runs: check laws that need no model, such as that order does not count."),
      .init(
        name: "--prove",
        help: "Run each seed in several processes and compare all that happened."),
      .init(
        name: "--against", value: "PROGRAM",
        help: "With --prove: another build of touchstone that must come to the same."),
    ],
    notes: """
      A run follows from its seed: clients write, sessions replicate, messages are lost, doubled \
      and late, replicas crash, disks fill up. Then everything is repaired, and all replicas must \
      come to hold the same, and every acknowledged write must have a fate that somebody wanted. A \
      failing run is made as small as can be found, and printed as a scenario for touchstone \
      replay. Exits with 1 when a run failed.
      """,
    examples: [
      ("touchstone simulate --seeds 1..10000", "ten thousand runs"),
      ("touchstone simulate --minutes 30 --seeds 1000000", "half an hour of new ones"),
      ("touchstone simulate --shard 3/16 --report 3.json", "one of sixteen parts of a campaign"),
      ("touchstone simulate --mistake checkpoint-ahead", "what a find looks like"),
      ("touchstone simulate --seeds 1..50 --prove", "the same in other processes"),
      ("touchstone simulate --laws", "laws that need no model, under a thousand seeds"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    options = try SimulationOptions(arguments, Self.manual, context)
    var seeds = try SeedRange(arguments.value("--seeds") ?? "1..1000", Self.manual)
    let minutes = try SimulationOptions.number(arguments, "--minutes", 1...100_000, Self.manual)
    let seconds = try SimulationOptions.number(arguments, "--seconds", 1...100_000, Self.manual)
    if minutes != nil, seconds != nil {
      throw UsageError("--minutes and --seconds exclude each other", Self.manual)
    }
    self.seconds = seconds ?? minutes.map { $0 * 60 }
    if self.seconds != nil { seeds.last = .max / 2 }
    try seeds.shard(arguments.value("--shard"), Self.manual)
    self.seeds = seeds
    let jobs = try SimulationOptions.number(arguments, "--jobs", 1...1024, Self.manual)
    let isCalled = options.implementation.isCalled
    if isCalled, jobs ?? 1 > 1 || arguments.has("--prove") {
      throw UsageError(
        "\(options.implementation.name) takes adapters in one process only: "
          + "--jobs is 1, and --prove is not possible", Self.manual)
    }
    self.jobs = jobs ?? (isCalled ? 1 : Files.processorCount)
    isSafetyOnly = arguments.has("--safety-only")
    reportPath = arguments.value("--report")
    savedName = arguments.value("--save")
    proves = arguments.has("--prove")
    checksLaws = arguments.has("--laws")
    otherProgram = arguments.value("--against")
    if otherProgram != nil, !proves {
      throw UsageError("--against means something with --prove only", Self.manual)
    }
    if checksLaws, proves || self.seconds != nil || reportPath != nil {
      throw UsageError("--laws takes --seeds, and makes no report and no proof", Self.manual)
    }
    if proves, self.seconds != nil {
      throw UsageError("--prove takes --seeds, not a time", Self.manual)
    }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    if proves { return try prove(context) }
    if checksLaws { return try checkLaws(context) }
    let start = context.nanoseconds()
    var part = SeedPart(seeds, isTimed: seconds != nil)
    let report = try jobs == 1 ? runHere(&part, context) : runInWorkers(&part, context)
    let spent = max(1, context.nanoseconds() &- start)
    if let reportPath {
      let file = CampaignFile(report, [part], try identity())
      let text = file.json.serialized() + "\n"
      guard reportPath != "-" else {
        // For another program; it asks no more than this.
        context.output(text)
        return report.failures.isEmpty ? .success : .failure
      }
      do throws(Files.Failure) {
        try Files.write(text, to: reportPath)
      } catch {
        throw CommandFailure("\(error)")
      }
    }
    context.output(CampaignText(report, options).text(nanoseconds: spent, context.style))
    if let failure = report.failures.first { try show(failure, context) }
    return report.failures.isEmpty ? .success : .failure
  }

  /// What the report says about this campaign; a worker leaves it to the process that started it.
  private func identity() throws(CommandFailure) -> CampaignIdentity? {
    guard Files.environment(Self.workerVariable) == nil else { return nil }
    do throws(HarnessError) {
      return try CampaignIdentity(
        options, words: options.words + (isSafetyOnly ? ["--safety-only"] : []))
    } catch {
      throw CommandFailure("\(options.implementation.name): \(error)")
    }
  }

  /// All seeds in this process.
  private func runHere(
    _ part: inout SeedPart, _ context: Context
  ) throws(CommandFailure) -> CampaignReport {
    var report = CampaignReport()
    var progress = CampaignProgress(context)
    let deadline = seconds.map { context.nanoseconds() + UInt64($0) * 1_000_000_000 }
    do throws(HarnessError) {
      var campaign = try options.campaign()
      campaign.isSafetyOnly = isSafetyOnly
      var seed = seeds.first
      while seed <= seeds.last, context.nanoseconds() < deadline ?? .max {
        report.add(try campaign.run(seed: seed), seed: seed)
        part.add(SeedPart.Span(first: seed, last: seed))
        progress.show(report, of: seconds == nil ? seeds.count : nil)
        guard options.mistake == nil || report.failures.isEmpty else { break }
        seed += seeds.stride
      }
    } catch {
      throw CommandFailure("\(options.implementation.name): \(error)")
    }
    progress.finish()
    return report
  }

  /// Makes the first failure small and prints it, for people and as a file.
  private func show(
    _ failure: CampaignReport.Failure, _ context: Context
  ) throws(CommandFailure) {
    let scenario: Scenario
    let shrunk: ScenarioShrinker.Result?
    do throws(HarnessError) {
      scenario = try options.campaign().generator.scenario(seed: failure.seed)
      var shrinker = ScenarioShrinker(failure.finding, options.participants)
      shrunk = try shrinker.shrunk(scenario)
    } catch {
      throw CommandFailure("\(options.implementation.name): \(error)")
    }
    let again = ["touchstone", "replay", "\(failure.seed)"] + options.words + ["--timeline"]
    context.error("\nagain: \(again.map(shellQuoted).joined(separator: " "))\n")
    guard let shrunk else {
      context.error("a second run of seed \(failure.seed) does not show it\n")
      return
    }
    try ShrunkFailure(result: shrunk, options: options).show(savingAs: savedName, context)
  }
}
