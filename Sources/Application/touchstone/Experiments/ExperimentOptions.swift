internal import Conformance
internal import Datastore
internal import Simulation

/// The cases of an experiment, the processes that run them, and the report.
struct ExperimentOptions {
  let seeds: SeedRange
  /// The time limit for new seeds; nil if the seeds are given.
  let seconds: Int?
  /// The number of processes.
  let jobs: Int
  let reportPath: String?
  let proves: Bool
  /// Whether the first finding ends the experiment.
  let failsFast: Bool
  /// Another build of this program that must report the same results.
  let otherProgram: String?

  /// - Parameter cases: the cases in the plural, and the default seeds.
  static func manual(
    _ cases: (noun: String, seeds: String), jobs: String = "1"
  ) -> [Manual.Option] {
    [
      .init(
        name: "--seeds", value: "A..B",
        help: "Range of \(cases.noun), both ends included; the default is \(cases.seeds)."),
      .init(name: "--minutes", value: "COUNT", help: "Run seeds from A on for this many minutes."),
      .init(name: "--seconds", value: "COUNT", help: "Run seeds from A on for this many seconds."),
      .init(name: "--shard", value: "K/N", help: "Run only each Nth seed, from the Kth on."),
      .init(name: "--jobs", value: "N", help: "Number of processes; the default is \(jobs)."),
      .init(
        name: "--report", value: "FILE",
        help: "Write the result as JSON, for touchstone merge; - is standard output."),
      .init(
        name: "--prove",
        help: "Run each seed in several processes and compare the reports and digests."),
      .init(
        name: "--against", value: "PROGRAM",
        help: "With --prove: another build of touchstone that must report the same results."),
    ]
  }

  /// For experiments that continue after a finding otherwise.
  static let failFast = Manual.Option(name: "--fail-fast", help: "End at the first finding.")

  /// - Parameters:
  ///   - cases: as the manual states them.
  ///   - jobs: the default number of processes.
  init(
    _ arguments: Arguments, _ manual: Manual, implementation: ImplementationEntry,
    cases: (noun: String, seeds: String), seedMax: UInt64 = SeedRange.seedMax, jobs: Int = 1
  ) throws(UsageError) {
    func number(_ name: String, _ max: Int) throws(UsageError) -> Int? {
      try arguments.number(name, 1...max, for: manual)
    }
    var seeds = try SeedRange(arguments.value("--seeds") ?? cases.seeds, manual, seedMax: seedMax)
    let minutes = try number("--minutes", 100_000)
    let seconds = try number("--seconds", 100_000)
    if minutes != nil, seconds != nil {
      throw UsageError("--minutes and --seconds exclude each other", manual)
    }
    self.seconds = seconds ?? minutes.map { $0 * 60 }
    if self.seconds != nil { seeds.last = .max / 2 }
    try seeds.shard(arguments.value("--shard"), manual)
    self.seeds = seeds
    let given = try number("--jobs", 1024)
    proves = arguments.has("--prove")
    failsFast = arguments.has(Self.failFast.name)
    if let reason = implementation.reasonForOneJob, given ?? 1 > 1 || proves {
      throw UsageError("\(reason): use --jobs 1 without --prove", manual)
    }
    self.jobs = given ?? (implementation.reasonForOneJob == nil ? jobs : 1)
    reportPath = arguments.value("--report")
    otherProgram = arguments.value("--against")
    if otherProgram != nil, !proves {
      throw UsageError("--against needs --prove", manual)
    }
    if proves, reportPath != nil {
      throw UsageError("--prove compares reports and writes none: leave out --report", manual)
    }
    if proves, self.seconds != nil {
      throw UsageError("--prove takes --seeds, not a time", manual)
    }
    guard seeds.first <= SeedRange.seedMax || (self.jobs == 1 && reportPath == nil && !proves)
    else {
      throw UsageError("--report and --jobs need seeds up to \(SeedRange.seedMax)", manual)
    }
  }

  /// The number of cases; nil with a time limit.
  var caseCount: Int? { seconds == nil ? seeds.count : nil }

  /// The time after which no further case begins.
  func deadline(_ context: Context) -> UInt64 {
    seconds.map { context.nanoseconds() + UInt64($0) * 1_000_000_000 } ?? .max
  }

  /// Runs the cases in this process.
  ///
  /// - Parameter isComplete: whether the findings of a report end the experiment.
  /// - Returns: the joined reports, and the seeds that ran.
  func run(
    _ subject: inout some Experiment, _ cases: CaseNoun, context: Context,
    isComplete: (CampaignReport) -> Bool
  ) throws(HarnessError) -> (report: CampaignReport, part: SeedPart) {
    var part = SeedPart(seeds, isTimed: seconds != nil)
    var progress = ExperimentProgress(context, cases, of: caseCount)
    let report = try subject.run(seeds.all, until: deadline(context), context: context) {
      seed, report in
      part.add(SeedPart.Span(first: seed, last: seed))
      progress.show(report)
      return isComplete(report)
    }
    progress.finish()
    return (report, part)
  }
}

extension Experiment {
  /// Runs the cases of seeds in this process until the user interrupts them.
  ///
  /// - Parameters:
  ///   - deadline: the time after which no further case begins.
  ///   - isComplete: called after each case with its seed and the joined reports; whether they end
  ///     the experiment.
  /// - Returns: the joined reports.
  mutating func run(
    _ seeds: some Sequence<UInt64>, until deadline: UInt64, context: Context,
    isComplete: (_ seed: UInt64, _ report: CampaignReport) -> Bool
  ) throws(HarnessError) -> CampaignReport {
    var report = CampaignReport()
    for seed in seeds {
      guard context.nanoseconds() < deadline, !context.isInterrupted() else { break }
      let one = try self.report(ofSeed: seed)
      do throws(CampaignReport.Overflow) { try report.join(one) } catch {
        throw HarnessError("\(error)")
      }
      context.watchInterruption()
      guard !isComplete(seed, report) else { break }
    }
    return report
  }
}

/// The noun for the cases of an experiment.
struct CaseNoun {
  let plural: String
  let singular: String
}

/// One line on a terminal: cases, events, simulated time, rate, failures.
struct ExperimentProgress {
  private var line: ProgressLine
  private let context: Context
  private let cases: CaseNoun
  private let count: Int?
  private let start: UInt64

  init(_ context: Context, _ cases: CaseNoun, of count: Int?) {
    line = ProgressLine(context)
    (self.context, self.cases, self.count) = (context, cases, count)
    start = context.nanoseconds()
  }

  mutating func show(_ report: CampaignReport) {
    line.show {
      let rate = Int(Double(report.events) / (Double(max(1, context.nanoseconds() &- start)) / 1e9))
      let simulated =
        report.milliseconds == 0 ? "" : ", \(duration(report.milliseconds)) simulated"
      let failed = report.failures.isEmpty ? "" : ", \(report.failures.count) failed"
      return "\(report.runs)\(count.map { " of \($0)" } ?? "") "
        + "\(count ?? report.runs == 1 ? cases.singular : cases.plural), "
        + "\(report.events) events\(simulated), \(rate) events/s\(failed)"
    }
  }

  func finish() { line.finish() }
}
