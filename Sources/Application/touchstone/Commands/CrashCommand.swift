internal import Conformance
internal import CrashTesting
internal import Datastore
internal import Defects
internal import JSON
internal import SQLiteDatastore
internal import Storage

/// `touchstone crash`: the bundled store, the power, and the disk.
struct CrashCommand: Command {
  let scenarios: [CrashScenario]
  let options: CrashOptions
  let parts: CrashParts
  let jobs: Int
  let reportFile: String?
  let reportPath: String?
  let folder: String?
  let mutant: CrashDefect?
  /// The scenario whose steps this process takes, in order to be killed.
  let performed: CrashScenario?

  static let manual = Manual(
    words: ["crash"],
    summary: "Crash the bundled SQLite store at every step on its files, and see what is lost.",
    options: [
      .init(
        name: "--filter", value: "GLOB", isRepeatable: true,
        help: "Only scenarios with such a name; without one all of them."),
      .init(
        name: "--subsets", value: "COUNT",
        help: "Outcomes of a power loss that are tried at a point, 2 to 100000; 32."),
      .init(
        name: "--faults",
        help: "Let reads, writes, syncs and locks fail, too, each at every call, and fill the disk."
      ),
      .init(
        name: "--kill", value: "COUNT",
        help: "Kill a process of each scenario on the real file system so often; 0."),
      .init(
        name: "--folder", value: "DIR",
        help: "Where the files of processes that are killed are; a temporary folder."),
      .init(
        name: "--seed", value: "NUMBER", help: "What is picked where there is more than fits; 1."),
      .init(name: "--point", value: "NUMBER", help: "Only this point of each scenario."),
      .init(
        name: "--subset", value: "NUMBER",
        help: "Only this outcome at each point, 0 for a kill with the power on."),
      .init(
        name: "--fault", value: "NUMBER", help: "Only this fault of each scenario, and no crash."),
      .init(
        name: "--mutant", earlierName: "--mistake", value: "NAME",
        help: "Run a known mutant of the store or of its files, to see what a finding looks like."),
      .init(
        name: "--perform", value: "NAME",
        help: "Take the steps of a scenario in the --folder and say each: what --kill starts."),
      .explorationJobs, EnumerationReport.option,
      .init(
        name: "--json", value: "FILE",
        help: "Write all counts and losses; - is the standard output."),
    ],
    notes: """
      Each scenario runs on files in memory. Before each of its steps on them the process dies, \
      once with the power on and many times without: what was not synced is lost, kept or torn at \
      sectors. Few unsynced changes are tried in all subsets, of many the likeliest and then some \
      by chance. Equal files are recovered once. Whatever is left has to open, to pass SQLite's own \
      check, to hold every acknowledged write and nothing that nobody wrote, to take a write, and \
      to replicate with another store until both agree. A process that is killed says which \
      operations began and ended, and is judged by that. Exits with 1 when something was lost.
      """,
    examples: [
      ("touchstone crash", "all scenarios"),
      ("touchstone crash --faults", "and all failures of the disk"),
      ("touchstone crash --kill 20", "and processes that die on the real file system"),
      ("touchstone crash --filter 'pull*' --subsets 1000", "some scenarios, more thoroughly"),
      ("touchstone crash --filter create --point 53", "one point of one scenario again"),
      ("touchstone crash --filter push --mutant log-not-synced", "what a find looks like"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let globs = arguments.values("--filter").map { Glob(JSONString($0)) }
    scenarios = CrashScenario.all.filter { scenario in
      globs.isEmpty || globs.contains { $0.matches(JSONString(scenario.name)) }
    }
    guard !scenarios.isEmpty else {
      let names = CrashScenario.all.map { $0.name }
      throw UsageError(
        "no scenario has such a name; there is \(names.joined(separator: ", "))", Self.manual,
        suggestion: arguments.value("--filter").flatMap { nearest(to: $0, among: names) })
    }
    func number(_ name: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
      try arguments.number(name, range, for: Self.manual)
    }
    var options = CrashOptions()
    options.outcomesMax = try number("--subsets", 2...100_000) ?? options.outcomesMax
    options.seed = UInt64(try number("--seed", 0...Int.max) ?? 1)
    mutant = try arguments.choice(
      "--mutant", ("mutant", ""), among: CrashDefect.all, named: \.name, for: Self.manual)
    if let mutant {
      options.faults = mutant.faults
      options.makeStore = { mutant.applied(to: $1.makeStore(on: $0)) }
    }
    let (point, fault) = (try number("--point", 1...Int.max), try number("--fault", 1...Int.max))
    guard point == nil || fault == nil else {
      throw UsageError("--point and --fault exclude each other", Self.manual)
    }
    options.point = point ?? fault
    options.subset = try number("--subset", 0...100_000)
    self.options = options
    let isWhole = point == nil && fault == nil
    parts = CrashParts(
      powerLoss: fault == nil, faults: fault != nil || arguments.has("--faults") && isWhole,
      kills: isWhole ? try number("--kill", 0...100_000) ?? 0 : 0)
    folder = arguments.value("--folder")
    performed = try arguments.value("--perform").map { name throws(UsageError) in
      guard let scenario = CrashScenario.all.first(where: { $0.name == name }) else {
        throw UsageError("no scenario '\(name)'", Self.manual)
      }
      return scenario
    }
    if performed != nil, folder == nil {
      throw UsageError("--perform needs a --folder", Self.manual)
    }
    jobs = try number("--jobs", 1...1024) ?? Files.processorCount
    reportFile = arguments.value("--json")
    reportPath = arguments.value("--report")
    guard reportPath == nil || parts.kills == 0 else {
      throw UsageError(
        "--report excludes --kill: the moment at which a process dies is not reproducible",
        Self.manual)
    }
    guard reportPath != "-" || reportFile != "-" else {
      throw UsageError("only one report fits on the standard output", Self.manual)
    }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    if let performed, let folder { return try perform(performed, in: folder, context) }
    let start = context.nanoseconds()
    // The temporary folder has to go first.
    if parts.kills > 0 { context.watchInterruption() }
    var results: [CrashResult]
    do throws(HarnessError) {
      let cases = CaseNoun(plural: "scenarios", singular: "scenario")
      results = try context.explore(scenarios, jobs: jobs, cases) {
        [options, parts] scenario throws(HarnessError) in
        try CrashResult(scenario, options, parts: parts)
      }
    } catch {
      throw CommandFailure("\(error)")
    }
    if let point = options.point, results.allSatisfy({ $0.isEmpty }) {
      let kind = parts.powerLoss ? "point" : "fault"
      throw CommandFailure(UsageError("no scenario here has a \(kind) \(point)", Self.manual))
    }
    for (place, scenario) in scenarios.enumerated() where parts.kills > 0 {
      if context.isInterrupted() { break }
      let kills = CrashKills(
        scenario, count: parts.kills, seed: options.seed &+ UInt64(place) << 32, folder)
      results[place].kills = try kills.run(context)
    }
    let milliseconds = (context.nanoseconds() &- start) / 1_000_000
    let table = CrashTable(results, parts, options: options, mutant: mutant?.name)
    let text = table.text(milliseconds: milliseconds, context.style)
    let json = table.json.pretty() + "\n"
    let report = EnumerationReport(
      subject: ("sqlite", SQLiteDatastore(storage: MemoryStorage()).description), words: words,
      cases: table.reports)
    let hasText = try !report.write(to: reportPath, context)
    switch reportFile {
    case nil: if hasText { context.output(text) }
    case "-"?:
      context.error(text)
      context.output(json)
    case let file?:
      if hasText { context.output(text) }
      try onFiles { () throws(Files.Failure) in try Files.write(json, to: file) }
    }
    return results.allSatisfy { $0.losses.isEmpty } ? .success : .failure
  }

  private var words: [String] {
    let isWhole = scenarios.count == CrashScenario.all.count
    let point = options.point.map { [parts.powerLoss ? "--point" : "--fault", "\($0)"] } ?? []
    return Self.manual.words + (isWhole ? [] : scenarios.flatMap { ["--filter", $0.name] })
      + ["--subsets", "\(options.outcomesMax)", "--seed", "\(options.seed)"] + point
      + (options.subset.map { ["--subset", "\($0)"] } ?? [])
      + (parts.powerLoss && parts.faults ? ["--faults"] : [])
      + (mutant.map { ["--mutant", $0.name] } ?? [])
  }

  /// Takes the steps of a scenario until somebody kills this process.
  private func perform(
    _ scenario: CrashScenario, in folder: String, _ context: Context
  ) throws(CommandFailure) -> ExitCode {
    do throws(HarnessError) {
      try KilledProcess(scenario, folder: folder).perform { context.output($0 + "\n") }
    } catch {
      throw CommandFailure("\(scenario.name): \(error)")
    }
    return .success
  }
}
