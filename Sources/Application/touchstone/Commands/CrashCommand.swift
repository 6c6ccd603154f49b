internal import Conformance
internal import CrashTesting
internal import Datastore
internal import Defects
internal import JSON
internal import SQLiteDatastore
internal import Storage

/// `touchstone crash`: tests the bundled store under power loss and disk faults.
struct CrashCommand: Command {
  /// The scenarios that the filters select, and the numbers of those in the shard.
  let selected: [CrashScenario]
  let numbers: CaseNumbers
  let options: CrashOptions
  let parts: CrashParts
  let jobs: Int
  let reportFile: String?
  let reportPath: String?
  let folder: String?
  let mutant: CrashDefect?
  /// The scenario that this process runs until it is killed.
  let performed: CrashScenario?

  var outputPaths: [String] { reportPath.map { [$0] } ?? [] }

  static let manual = Manual(
    words: ["crash"],
    summary: "Crash the bundled SQLite store at every file operation, and check what is lost.",
    options: [
      .init(
        name: "--filter", value: "GLOB", isRepeatable: true,
        help: "Run only scenarios with a matching name; the default is all."),
      .init(
        name: "--subsets", value: "COUNT",
        help: "Outcomes of a power loss to try at each point, 2 to 100000; the default is 32."),
      .init(
        name: "--faults",
        help: "Also fail each read, write, sync and lock once, and fill the disk."
      ),
      .init(
        name: "--kill", value: "COUNT",
        help: "Kill a process per scenario this often, on the real file system; the default is 0."),
      .init(
        name: "--folder", value: "DIR",
        help: "Keep the files of killed processes in DIR; the default is a temporary folder."),
      .init(
        name: "--seed", value: "NUMBER",
        help: "Seed of the random choice among outcomes; the default is 1."),
      .init(name: "--point", value: "NUMBER", help: "Run only this point of each scenario."),
      .init(
        name: "--subset", value: "NUMBER",
        help: "Run only this outcome at each point; 0 is a process crash without power loss."),
      .init(
        name: "--fault", value: "NUMBER",
        help: "Run only this fault of each scenario, without crashes."),
      .init(
        name: "--mutant", earlierName: "--mistake", value: "NAME",
        help: "Run a known mutant of the store or of its files, to see what a finding looks like."),
      .init(
        name: "--perform", value: "NAME",
        help: "Run the steps of a scenario in --folder and print each (used by --kill)."),
      CaseNumbers.option, .explorationJobs, EnumerationReport.option,
      .init(
        name: "--json", value: "FILE",
        help: "Write all counts and losses as JSON; - is standard output."),
    ],
    notes: """
      Each scenario runs on files in memory. Before each file operation the process crashes: once \
      without power loss, and many times with it, when unsynced data is lost, kept or torn at \
      sectors. A few unsynced changes are tried in all subsets; of many changes, the likeliest \
      subsets and a random sample. Equal files are recovered once. After recovery the store must \
      open, pass SQLite's own check, hold every acknowledged write and nothing else, accept a \
      write, and replicate with another store until both agree. A killed process reports which \
      operations began and ended, and is checked against that. Exits with 1 if something was lost.
      """,
    examples: [
      ("touchstone crash", "run all scenarios"),
      ("touchstone crash --faults", "also inject disk faults"),
      ("touchstone crash --kill 20", "also kill processes on the real file system"),
      ("touchstone crash --filter 'pull*' --subsets 1000", "try more outcomes of some scenarios"),
      ("touchstone crash --filter create --point 53", "run one point of one scenario again"),
      ("touchstone crash --filter push --mutant log-not-synced", "see what a finding looks like"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let globs = arguments.values("--filter").map { Glob(JSONString($0)) }
    selected = CrashScenario.all.filter { scenario in
      globs.isEmpty || globs.contains { $0.matches(JSONString(scenario.name)) }
    }
    guard !selected.isEmpty else {
      let names = CrashScenario.all.map { $0.name }
      throw UsageError(
        "--filter matches no scenario; expected one of \(names.joined(separator: ", "))",
        Self.manual,
        suggestion: arguments.value("--filter").flatMap { nearest(to: $0, among: names) })
    }
    numbers = try CaseNumbers(of: selected.count, arguments, manual: Self.manual)
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
        throw UsageError("unknown scenario '\(name)'", Self.manual)
      }
      return scenario
    }
    if performed != nil, folder == nil {
      throw UsageError("--perform needs --folder", Self.manual)
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
      throw UsageError("only one report can go to standard output", Self.manual)
    }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    if let performed, let folder { return try perform(performed, in: folder, context) }
    let start = context.nanoseconds()
    let scenarios = numbers.select(selected)
    // An interrupted run must remove its temporary folder.
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
      throw CommandFailure(
        UsageError("none of the selected scenarios has a \(kind) \(point)", Self.manual))
    }
    if let subset = options.subset, results.allSatisfy({ $0.powerLoss?.images ?? 0 == 0 }) {
      throw CommandFailure(
        UsageError("none of the selected scenarios has a subset \(subset)", Self.manual))
    }
    for (place, (number, scenario)) in numbers.numbered(scenarios).enumerated()
    where parts.kills > 0 {
      if context.isInterrupted() { break }
      let kills = CrashKills(
        scenario, count: parts.kills, seed: options.seed &+ (number - 1) << 32, folder)
      results[place].kills = try kills.run(context)
    }
    let milliseconds = (context.nanoseconds() &- start) / 1_000_000
    let table = CrashTable(results, parts, options: options, mutant: mutant?.name)
    let text = table.text(milliseconds: milliseconds, context.style)
    let json = table.json.pretty() + "\n"
    let report = EnumerationReport(
      subject: ("sqlite", SQLiteDatastore(storage: MemoryStorage()).description), words: words,
      numbers: numbers, cases: table.reports(numbers))
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
    let isWhole = selected.count == CrashScenario.all.count
    let point = options.point.map { [parts.powerLoss ? "--point" : "--fault", "\($0)"] } ?? []
    return Self.manual.words + (isWhole ? [] : selected.flatMap { ["--filter", $0.name] })
      + ["--subsets", "\(options.outcomesMax)", "--seed", "\(options.seed)"] + point
      + (options.subset.map { ["--subset", "\($0)"] } ?? [])
      + (parts.powerLoss && parts.faults ? ["--faults"] : [])
      + (mutant.map { ["--mutant", $0.name] } ?? [])
  }

  /// Runs the steps of a scenario until another process kills this one.
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
