internal import Conformance
internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios
internal import Simulation

/// `touchstone simulate`: several replicas of an implementation in a hostile world, seed by seed.
struct SimulateCommand: ExperimentCommand {
  let options: SimulationOptions
  let experiment: ExperimentOptions
  let isSafetyOnly: Bool
  let savedName: String?
  let checksLaws: Bool

  static let cases = CaseNoun(plural: "runs", singular: "run")
  private static let seeds = (noun: "runs", seeds: "1..1000")

  static let manual = Manual(
    words: ["simulate"],
    summary: "Run several replicas of an implementation in a hostile world, seed by seed.",
    options: ExperimentOptions.manual(seeds, jobs: "one for each processor")
      + SimulationOptions.manual + [
        .init(
          name: "--safety-only",
          help: "Do not ask whether everything comes right in the end, only what must never be."),
        .init(
          name: "--save", value: "NAME",
          help: "Write the first failure, made small: NAME.json, a page, a text for a tracker."),
        .init(
          name: "--laws",
          help:
            "Instead of runs: check laws that need no model, such as that order does not count."),
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
      ("touchstone simulate --mutant checkpoint-ahead", "what a find looks like"),
      ("touchstone simulate --seeds 1..50 --prove", "the same in other processes"),
      ("touchstone simulate --laws", "laws that need no model, under a thousand seeds"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    options = try SimulationOptions(arguments, Self.manual, context: context)
    experiment = try ExperimentOptions(
      arguments, Self.manual, implementation: options.implementation, cases: Self.seeds,
      jobs: Files.processorCount)
    isSafetyOnly = arguments.has("--safety-only")
    savedName = arguments.value("--save")
    checksLaws = arguments.has("--laws")
    if checksLaws,
      experiment.proves || experiment.seconds != nil || experiment.reportPath != nil
    {
      throw UsageError("--laws takes --seeds, and makes no report and no proof", Self.manual)
    }
  }

  var implementation: ImplementationEntry { options.implementation }

  var words: [String] { options.words + (isSafetyOnly ? ["--safety-only"] : []) }

  /// Reports of simulations name no command: they are older than other reports.
  var identityWords: [String] { words }

  /// A campaign with a known mutant ends at its first finding.
  var endsAtFinding: Bool { options.mutant != nil }

  func makeSubject() throws(HarnessError) -> Campaign {
    var campaign = try options.campaign()
    campaign.isSafetyOnly = isSafetyOnly
    return campaign
  }

  func description() throws(HarnessError) -> ImplementationDescription {
    try options.description()
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    try checksLaws ? checkLaws(context) : perform(context)
  }

  func conclude(
    _ report: CampaignReport, _ subject: Campaign?, nanoseconds: UInt64, context: Context
  ) throws(CommandFailure) -> ExitCode {
    context.output(CampaignText(report, options).text(nanoseconds: nanoseconds, context.style))
    guard let failure = report.failures.first else { return .success }
    let shrunk = try implementation.attempt { () throws(HarnessError) in
      let scenario = try options.campaign().generator.scenario(seed: failure.seed)
      var shrinker = ScenarioShrinker(failure.finding, options.participants)
      return try shrinker.shrunk(scenario)
    }
    let again = ["touchstone", "replay", "\(failure.seed)"] + options.words + ["--timeline"]
    context.error("\nagain: \(again.map(shellQuoted).joined(separator: " "))\n")
    if let shrunk {
      try ShrunkFailure(result: shrunk, options: options).show(savingAs: savedName, context)
    } else {
      context.error("a second run of seed \(failure.seed) does not show it\n")
    }
    return .failure
  }

  /// Checks all laws under every seed; ends at the first that does not hold.
  private func checkLaws(_ context: Context) throws(CommandFailure) -> ExitCode {
    let (report, _) = try implementation.attempt { () throws(HarnessError) in
      var laws = Laws(options.participants)
      return try experiment.run(
        &laws, CaseNoun(plural: "seeds", singular: "seed"), endsAtFinding: true, context: context)
    }
    if let failure = report.failures.first {
      let law = Law(rawValue: failure.finding.shape.string)
      let sentence = TextLayout.printable(failure.finding.sentence.string)
      context.output(
        context.style.bad("a law does not hold") + ": \(law?.sentence ?? "")\n"
          + "  seed \(failure.seed): \(sentence)\n")
      return .failure
    }
    context.output(
      "\(implementation.name): \(TextLayout.counted(Law.allCases.count, "law")) under "
        + "\(TextLayout.counted(report.runs, "seed")): \(context.style.good("all hold"))\n")
    return .success
  }

  /// Where the run of a seed here and there part, and what happened here at that moment.
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
      else { return "a second time they agree: what differs is not in the seed\n" }
      guard place < run.chain.count, let trace = run.trace else {
        return "event \(place + 1) is there only\n"
      }
      let time = run.chain[place].nanoseconds
      var moment = trace
      moment.entries.removeAll { $0.time != time }
      var timeline = TextTimeline()
      timeline.isDetailed = true
      return "the first that differs is event \(place + 1); here happened then\n"
        + timeline.lines(of: moment).joined(separator: "\n") + "\n"
    } catch {
      throw (error as? CommandFailure) ?? CommandFailure("\(program): \(error)")
    }
  }
}
