internal import Conformance
internal import Datastore
internal import Defects
internal import JSON
internal import Scenarios
internal import Simulation

/// `touchstone explore --replicator`: enumerates the events at the requests of a replicator.
struct ReplicatorExploration {
  let scope: ReplicatorScope
  /// The implementation with the replicator; nil for the bundled replicator between two model
  /// stores.
  let implementation: ImplementationEntry?
  let plan: ReplicatorPlan?
  /// Whether all known mutants are explored in place of the original.
  let isForMutants: Bool

  static let options: [Manual.Option] = [
    .init(
      name: "--replicator",
      help: "Explore the requests of one replicator, in place of replicas and clients."),
    .init(
      name: "--implementation", value: "NAME", choices: ImplementationEntry.places,
      help: "With --replicator: the implementation of 'replicate'; the default is the bundled one."),
    .init(
      name: "--events", value: "COUNT",
      help: "With --replicator: events per run, 0 to 2; the default is 2."),
    .init(
      name: "--setting", value: "NAME", isRepeatable: true,
      help: "With --replicator: explore only this setting; the default is all."),
    .init(
      name: "--runs", value: "COUNT",
      help: "With --implementation: run limit, 1 to 1000000; the default is 2000."),
    .init(
      name: "--replay", value: "PLAN", help: "With --replicator: run the plan of a finding again."),
    .init(
      name: "--mutants",
      help: "With --replicator: explore each known mutant in place of the original."),
    .requireSecret,
  ]

  static let notes = """
    With --replicator, one run of a replicator is explored: at each of its requests a client of \
    either store writes, edits, deletes, purges or compacts, the peer responds with each status \
    and error, a message is lost, or the connection is cut, up to --events times. Then the \
    replicator runs again without faults, the final state of both stores is checked, and a third \
    run must find nothing to do. docs/replicators.md explains the checks, the counts and the \
    bounds.
    """

  static let examples: [(String, String)] = [
    ("touchstone explore --replicator --events 1", "explore single events at all requests"),
    (
      "touchstone explore --replicator --implementation exec:./my-adapter",
      "explore the replicator of a store behind an adapter"
    ),
  ]

  /// Nil without `--replicator`.
  init?(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let manual = ExploreCommand.manual
    guard arguments.has("--replicator") else {
      for option in Self.options.map(\.name) where arguments.has(option) {
        throw UsageError("\(option) needs --replicator", manual)
      }
      return nil
    }
    for option in ["--replicas", "--documents", "--operations", "--sessions", "--faults"]
    where arguments.has(option) {
      throw UsageError("\(option) and --replicator exclude each other", manual)
    }
    let known = ReplicatorSetting.all.map(\.name)
    let settings = arguments.values("--setting")
    for name in settings where !known.contains(name) {
      throw UsageError(
        "unknown setting '\(name)'; expected one of \(known.joined(separator: ", "))", manual,
        suggestion: nearest(to: name, among: known))
    }
    scope = ReplicatorScope(
      events: try arguments.number("--events", 0...2, for: manual) ?? 2,
      settings: settings.isEmpty ? nil : settings,
      runsMax: try arguments.number("--runs", 1...1_000_000, for: manual) ?? 2_000)
    if arguments.value("--implementation") == nil {
      _ = try ImplementationEntry.requiresSecret(arguments, of: [], manual)
      implementation = nil
    } else {
      implementation = try .given(arguments, manual, context: context)
    }
    plan = try arguments.value("--replay").map { text throws(UsageError) in
      guard let plan = ReplicatorPlan(text) else {
        throw UsageError(
          "--replay '\(text)': expected a plan such as 'plain-1 12:source:compact'",
          manual)
      }
      return plan
    }
    isForMutants = arguments.has("--mutants")
    if isForMutants, arguments.has("--mutant") || implementation != nil || plan != nil {
      throw UsageError(
        "--mutants explores the bundled mutants; leave out --mutant, --implementation and --replay",
        manual)
    }
    if arguments.has("--report"), isForMutants || plan != nil {
      throw UsageError(
        "--report needs a whole exploration; leave out --mutants and --replay", manual)
    }
    if implementation != nil, arguments.has("--mutant") {
      throw UsageError(
        "--mutant applies to the bundled replicator; leave out --implementation", manual)
    }
  }

  func run(
    _ mutant: ReplicationDefect?, reportPath: String?, _ context: Context
  ) throws(CommandFailure) -> ExitCode {
    let start = context.nanoseconds()
    let result: Result
    do throws(HarnessError) {
      if isForMutants { return try runMutants(context) }
      result = try explore(mutant, context)
    } catch {
      throw CommandFailure("\(error)")
    }
    let exitCode: ExitCode = result.found == nil ? .success : .failure
    if try writeReport(result, mutant, to: reportPath, context: context) { return exitCode }
    let milliseconds = (context.nanoseconds() &- start) / 1_000_000
    context.output(text(result.report, milliseconds))
    if let found = result.found {
      show(found, context)
    } else {
      context.output(context.style.good("no finding") + "\n")
    }
    return exitCode
  }

  /// The result of an exploration.
  private struct Result {
    /// The description of the implementation; nil for the bundled replicator.
    var description: ImplementationDescription?
    var report: ReplicatorReport
    var found: ReplicatorDiscovery?
  }

  private func explore(
    _ mutant: ReplicationDefect?, _ context: Context
  ) throws(HarnessError) -> Result {
    var (explorer, description) = try explorer(mutant)
    var line = ProgressLine(context)
    let found =
      if let plan {
        try explorer.replay(plan)
      } else {
        try explorer.explore { report in
          line.show { "\(report.runs) runs, \(report.ends) ends" }
        }
      }
    line.finish()
    try explorer.shutdown()
    return Result(description: description, report: explorer.report, found: found)
  }

  /// The exploration as the only case of a report.
  ///
  /// - Returns: true if the report is the standard output.
  private func writeReport(
    _ result: Result, _ mutant: ReplicationDefect?, to path: String?, context: Context
  ) throws(CommandFailure) -> Bool {
    let report = result.report
    let counts: [JSONString: Int] = [
      "runs": report.runs, "requests": report.requests, "ends": report.ends,
      "reduced": report.reduced, "joined": report.joined, "idle": report.idle,
      "cut": report.cut, "reordered": report.reordered, "notExplored": report.notExplored,
    ]
    let finding = result.found.map {
      Trace.Finding(
        oracle: "replicator", shape: JSONString($0.shape), sentence: JSONString($0.sentence),
        time: 0)
    }
    let words =
      ExploreCommand.manual.words + ["--replicator", "--events", "\(scope.events)"]
      + scope.chosen.flatMap { ["--setting", $0.name] } + ["--runs", "\(scope.runsMax)"]
      + (mutant.map { ["--mutant", $0.name] } ?? [])
    let subject =
      if let implementation, let description = result.description {
        (name: implementation.name, description: description)
      } else {
        EnumerationReport.bundled
      }
    return try EnumerationReport(
      subject: subject, words: words,
      cases: [CampaignReport(seed: 1, events: report.placements, counts: counts, finding)]
    ).write(to: path, context)
  }

  /// Returns the explorer of the implementation's replicator, or of the bundled one with a mutant.
  private func explorer(
    _ mutant: ReplicationDefect?
  ) throws(HarnessError) -> (any ReplicatorExploring, ImplementationDescription?) {
    guard let implementation else {
      return (ReplicatorExplorer(scope, mutant?.applied(to: .model) ?? .model), nil)
    }
    let lender = World.Participants.model.makeMachine
    let store = try implementation.make(.memory)
    let explorer = try ForeignReplicatorExplorer(
      scope, store,
      lending: implementation.keepsFiles || implementation.followsModel ? lender : nil)
    return (explorer, store.description)
  }

  /// Explores each mutant; each must be killed.
  private func runMutants(_ context: Context) throws(HarnessError) -> ExitCode {
    var survivors = 0
    let mutants = ReplicationDefect.ofReplicators
    for mutant in mutants {
      if let found = try explore(mutant, context).found {
        context.output("killed    \(mutant.name): \(found.shape), \(found.plan)\n")
      } else {
        survivors += 1
        context.output(context.style.bad("survived") + "  \(mutant.name)\n")
      }
    }
    context.output("\(mutants.count - survivors) of \(mutants.count) mutants killed\n")
    return survivors == 0 ? .success : .failure
  }

  private func text(_ report: ReplicatorReport, _ milliseconds: UInt64) -> String {
    func counted(_ count: Int, _ noun: String) -> String { TextLayout.counted(count, noun) }
    let settings = scope.chosen.map(\.name).joined(separator: ", ")
    var lines = [
      "settings: \(settings); up to \(counted(scope.events, "event")) per run",
      "\(counted(report.runs, "run")) of up to \(counted(report.requests, "request")) with "
        + "\(counted(report.placements, "placed event")), in "
        + duration(milliseconds),
      "\(counted(report.ends, "different end")), from each a second and a third run",
      "reduced: \(counted(report.reduced, "placement")) that commute with the request, "
        + "\(counted(report.joined, "path")) that met a known state, "
        + "\(counted(report.idle, "event")) without effect",
      "not explored: \(counted(report.cut, "placement")) beyond the bounds of the scope, "
        + "\(counted(report.reordered, "other order")) of requests in flight",
    ]
    if report.notExplored > 0 {
      lines.append(
        "not explored: \(counted(report.notExplored, "run")) beyond --runs \(scope.runsMax)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func show(_ found: ReplicatorDiscovery, _ context: Context) {
    let sentence = TextLayout.printable(found.sentence)
    context.output(context.style.bad(found.shape) + ": \(sentence)\n")
    context.error("setting \(found.setting), after \(TextLayout.counted(found.events, "event")):\n")
    for line in found.story { context.error("  \(TextLayout.printable(line))\n") }
    context.error("again: ")
    context.output("--replay '\(TextLayout.printable(found.plan))'\n")
  }
}
