internal import Conformance
internal import CrashTesting
internal import Datastore
internal import JSON

/// `touchstone crash`: the bundled store, the power, and the disk.
struct CrashCommand: Command {
  let scenarios: [CrashScenario]
  let options: CrashOptions
  let parts: CrashParts
  let jobs: Int
  let reportFile: String?

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
        name: "--seed", value: "NUMBER", help: "What is picked where there is more than fits; 1."),
      .init(name: "--point", value: "NUMBER", help: "Only this point of each scenario."),
      .init(
        name: "--fault", value: "NUMBER", help: "Only this fault of each scenario, and no crash."),
      .init(name: "--jobs", value: "COUNT", help: "Threads; as many as there are processors."),
      .init(
        name: "--json", value: "FILE",
        help: "Write all counts and losses; - is the standard output."),
    ],
    notes: """
      Each scenario runs on files in memory. Before each of its steps on them the process dies, once \
      with the power on and many times without: what was not synced is lost, kept or torn at sectors. \
      Few unsynced changes are tried in all subsets, of many the likeliest and then some by chance. \
      Equal files are recovered once. Whatever is left has to open, to pass SQLite's own check, to \
      hold every acknowledged write and nothing that nobody wrote, to take a write, and to replicate \
      with another store until both agree. Exits with 1 when something was lost.
      """,
    examples: [
      ("touchstone crash", "all scenarios"),
      ("touchstone crash --faults", "and all failures of the disk"),
      ("touchstone crash --filter 'pull*' --subsets 1000", "some scenarios, more thoroughly"),
      ("touchstone crash --filter create --point 53", "one point of one scenario again"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let globs = arguments.values("--filter").map { Glob(Text($0)) }
    scenarios = CrashScenario.all.filter { scenario in
      globs.isEmpty || globs.contains { $0.matches(Text(scenario.name)) }
    }
    guard !scenarios.isEmpty else {
      let names = CrashScenario.all.map { $0.name }
      throw UsageError(
        "no scenario has such a name; there is \(names.joined(separator: ", "))", Self.manual,
        suggestion: arguments.value("--filter").flatMap { nearest(to: $0, among: names) })
    }
    func number(_ name: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
      try SimulationOptions.number(arguments, name, range, Self.manual)
    }
    var options = CrashOptions()
    options.outcomesMax = try number("--subsets", 2...100_000) ?? options.outcomesMax
    options.seed = UInt64(try number("--seed", 0...Int.max) ?? 1)
    let (point, fault) = (try number("--point", 1...Int.max), try number("--fault", 1...Int.max))
    guard point == nil || fault == nil else {
      throw UsageError("--point and --fault exclude each other", Self.manual)
    }
    options.point = point ?? fault
    self.options = options
    parts = CrashParts(
      powerLoss: fault == nil, faults: fault != nil || arguments.has("--faults") && point == nil)
    jobs = try number("--jobs", 1...1024) ?? Files.processorCount
    reportFile = arguments.value("--json")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let start = context.nanoseconds()
    let campaign = CrashCampaign(scenarios, options, parts)
    let results: [CrashResult]
    do throws(HarnessError) {
      results = try campaign.run(jobs: jobs, context)
    } catch {
      throw CommandFailure("\(error)")
    }
    let milliseconds = (context.nanoseconds() &- start) / 1_000_000
    let table = CrashTable(results, parts, options)
    let text = table.text(milliseconds: milliseconds, context.style)
    let json = table.json.pretty() + "\n"
    switch reportFile {
    case nil: context.output(text)
    case "-"?:
      context.error(text)
      context.output(json)
    case let file?:
      context.output(text)
      try onFiles { () throws(Files.Failure) in try Files.write(json, to: file) }
    }
    return results.allSatisfy { $0.losses.isEmpty } ? .success : .failure
  }
}
