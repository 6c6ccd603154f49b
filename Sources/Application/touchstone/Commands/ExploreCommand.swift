internal import Conformance
internal import Datastore
internal import Defects
internal import JSON
internal import Scenarios
internal import Simulation

/// `touchstone explore`: enumerates all behaviours of a small scope.
///
/// This is not an option of `simulate`: there are no seeds, the stores are models, and the bounds
/// apply to a whole path and not to each replica.
struct ExploreCommand: Command {
  let scope: ExplorationScope
  let mutant: ReplicationDefect?
  /// The exploration of `--replicator`; nil without the option.
  let replicator: ReplicatorExploration?
  /// The path of the report; nil for none.
  private let reportPath: String?

  var outputPaths: [String] { reportPath.map { [$0] } ?? [] }

  static let manual = Manual(
    words: ["explore"],
    summary: "Enumerate all behaviours of a few replicas of the model exhaustively.",
    options: [
      .init(
        name: "--replicas", value: "COUNT", help: "Number of replicas, 2 to 4; the default is 2."),
      .init(
        name: "--documents", value: "COUNT", help: "Number of documents, 1 to 3; the default is 1."),
      .init(
        name: "--operations", value: "COUNT",
        help: "Writes of all clients, 0 to 8; the default is 3."),
      .init(
        name: "--sessions", value: "COUNT", help: "Replication sessions, 0 to 6; the default is 1."),
      .init(
        name: "--faults", value: "COUNT",
        help:
          "Crashes, lost messages, refused requests, incomplete responses, 0 to 4; the default is 1."
      ),
      .init(
        name: "--mutant", earlierName: "--mistake", value: "NAME",
        help: "Run a known mutant of the replicator, to see what a finding looks like."),
      EnumerationReport.option,
    ] + ReplicatorExploration.options,
    notes: """
      Explores all interleavings of client writes, replication requests and faults. States that \
      differ only in names are merged. The checker checks each state. From each combination of \
      store contents, all faults are repaired and the stores replicate; then all replicas must be \
      equal, and no write may be lost. A finding comes with a shortest path. If a simulated run \
      can take that path, it is printed as a scenario for touchstone replay. Exits with 1 on a \
      finding.

      \(ReplicatorExploration.notes)
      """,
    examples: [
      ("touchstone explore --operations 4", "explore 4 writes, 1 session and 1 fault"),
      ("touchstone explore --sessions 2", "explore 2 sessions, which may overlap"),
      ("touchstone explore --replicas 3 --operations 3", "explore 3 replicas"),
      ("touchstone explore --mutant losing-leaves-not-sent", "see what a finding looks like"),
    ] + ReplicatorExploration.examples)

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    func number(
      _ name: String, _ range: ClosedRange<Int>, otherwise: Int
    ) throws(UsageError) -> Int { try arguments.number(name, range, for: Self.manual) ?? otherwise }
    scope = ExplorationScope(
      replicas: try number("--replicas", 2...4, otherwise: 2),
      documents: try number("--documents", 1...3, otherwise: 1),
      operations: try number("--operations", 0...8, otherwise: 3),
      sessions: try number("--sessions", 0...6, otherwise: 1),
      faults: try number("--faults", 0...4, otherwise: 1))
    replicator = try ReplicatorExploration(arguments, context)
    let known =
      replicator == nil
      ? ReplicationDefect.all.filter { $0.isOfReplicator } : ReplicationDefect.ofReplicators
    mutant = try arguments.choice(
      "--mutant", ("mutant", " of a replicator"), among: known, named: \.name, for: Self.manual)
    reportPath = arguments.value("--report")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    if let replicator { return try replicator.run(mutant, reportPath: reportPath, context) }
    let start = context.nanoseconds()
    let participants = mutant?.applied(to: .model) ?? .model
    var explorer = Explorer(scope, participants)
    let found: Explorer.Discovery?
    do throws(HarnessError) {
      var line = ProgressLine(context)
      found = try explorer.explore { report in
        line.show { "\(report.states) states, \(report.transitions) transitions" }
      }
      line.finish()
    } catch {
      throw CommandFailure("\(error)")
    }
    if try writeReport(explorer.report, found, context: context) {
      return found == nil ? .success : .failure
    }
    let milliseconds = (context.nanoseconds() &- start) / 1_000_000
    context.output(text(explorer.report, milliseconds))
    guard let found else {
      context.output(context.style.good("0 lost writes") + "\n")
      return .success
    }
    show(found, context)
    do throws(HarnessError) {
      if let scenario = try explorer.scenario(of: found) {
        context.error("\nscenario for touchstone replay --implementation reference")
        if let mutant { context.error(" --mutant \(mutant.name)") }
        context.error(":\n\n")
        context.output(scenario.json.pretty() + "\n")
      }
      return .failure
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// The scope as the only case of a report.
  ///
  /// - Returns: true if the report is the standard output.
  private func writeReport(
    _ report: ExplorationReport, _ found: Explorer.Discovery?, context: Context
  ) throws(CommandFailure) -> Bool {
    let finding = found.map {
      Trace.Finding(oracle: $0.oracle, shape: $0.shape, sentence: $0.sentence, time: 0)
    }
    let counts: [JSONString: Int] = [
      "states": report.states, "holdings": report.holdings, "ends": report.ends,
      "depth": report.depth,
    ]
    let words =
      Self.manual.words + ["--replicas", "\(scope.replicas)", "--documents", "\(scope.documents)"]
      + ["--operations", "\(scope.operations)", "--sessions", "\(scope.sessions)"]
      + ["--faults", "\(scope.faults)"] + (mutant.map { ["--mutant", $0.name] } ?? [])
    return try EnumerationReport(
      subject: EnumerationReport.bundled, words: words,
      cases: [CampaignReport(seed: 1, events: report.transitions, counts: counts, finding)]
    ).write(to: reportPath, context)
  }

  private func text(_ report: ExplorationReport, _ milliseconds: UInt64) -> String {
    func counted(_ count: Int, _ noun: String) -> String { TextLayout.counted(count, noun) }
    return """
      \(counted(scope.replicas, "replica")), \(counted(scope.documents, "document")), up to \
      \(counted(scope.operations, "write")), \(counted(scope.sessions, "session")) and \
      \(counted(scope.faults, "fault"))
      \(counted(report.states, "state")), \(counted(report.transitions, "transition")), up to \
      \(counted(report.depth, "move")) deep, in \(duration(milliseconds))
      \(counted(report.holdings, "combination")) of store contents, which converge to \
      \(counted(report.ends, "end"))

      """
  }

  /// Prints the path to the finding to standard error, and the scenario to standard output.
  private func show(_ found: Explorer.Discovery, _ context: Context) {
    let sentence = TextLayout.printable(found.sentence.string)
    context.output(context.style.bad("\(found.oracle)/\(found.shape)") + ": \(sentence)\n")
    context.error("after \(TextLayout.counted(found.path.count, "move")):\n")
    for (number, move) in found.path.enumerated() {
      context.error("  \(number + 1)  \(TextLayout.printable(move))\n")
    }
  }
}
