internal import Conformance
internal import Datastore
internal import Defects
internal import JSON
internal import ReferenceDatastore
internal import SQLiteDatastore
internal import Scenarios
internal import Simulation
internal import Storage

/// `touchstone simulate`: several replicas of an implementation in a hostile world, seed by seed.
struct SimulateCommand: Command {
  let implementation: ImplementationEntry
  let seeds: ClosedRange<UInt64>
  let replicas: Int
  let steps: Int
  let mistake: ReplicationDefect?

  static let manual = Manual(
    words: ["simulate"],
    summary: "Run several replicas of an implementation over a hostile network, seed by seed.",
    options: [
      .init(name: "--seeds", value: "A..B", help: "Which runs, both ends included; 1..100."),
      .init(name: "--replicas", value: "COUNT", help: "How many replicas, 2 to 16; 3."),
      .init(name: "--steps", value: "COUNT", help: "Operations of clients at each replica; 100."),
      .init(
        name: "--implementation", value: "NAME",
        help: "Which one: sqlite (the default) or reference."),
      .init(
        name: "--mistake", value: "NAME",
        help: "Make all replicas or replicators make a mistake, to see what a find looks like."),
    ],
    notes: "",
    examples: [("touchstone simulate --seeds 1..1000", "a thousand runs")])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    implementation = try .given(arguments, Self.manual, context)
    let text = arguments.value("--seeds") ?? "1..100"
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { UInt64($0) }
    guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
      first <= last
    else {
      throw UsageError("--seeds is a number or a range such as 1..1000, not '\(text)'", Self.manual)
    }
    seeds = first...last
    replicas = Int(arguments.value("--replicas") ?? "3") ?? 3
    if let name = arguments.value("--mistake") {
      guard let found = ReplicationDefect.all.first(where: { $0.name == name }) else {
        throw UsageError(
          "no mistake '\(name)'", Self.manual,
          suggestion: nearest(to: name, among: ReplicationDefect.all.map(\.name)))
      }
      mistake = found
    } else {
      mistake = nil
    }
    steps = Int(arguments.value("--steps") ?? "100") ?? 100
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    do throws(HarnessError) {
      return try simulate(context)
    } catch {
      throw CommandFailure("\(implementation.name): \(error)")
    }
  }

  private func simulate(_ context: Context) throws(HarnessError) -> ExitCode {
    let implementation = implementation
    let honest =
      implementation.name == "reference"
      ? World.Participants.model
      : World.Participants(makeStore: { _ throws(HarnessError) in
        PlainStore(try implementation.make(.memory))
      })
    let participants = mistake?.applied(to: honest) ?? honest
    let description = try implementation.make(.memory).description
    var generator = ScenarioGenerator(
      capabilities: description.capabilities, crashes: description.crashes)
    generator.replicaCount = replicas
    generator.operationsPerReplica = steps
    var events = 0
    var probes = ProbeCounts()
    var failed = 0
    let start = context.nanoseconds()
    for seed in seeds {
      var world = try World(
        generator.scenario(seed: seed), participants, records: seeds.count == 1)
      let run = try world.run()
      events += run.events
      probes += run.probes
      for entry in run.trace?.entries ?? [] {
        context.output("\(entry.time / 1000) \(entry.replica) \(entry.step) \(entry.event)\n")
      }
      if let finding = run.findings.first {
        failed += 1
        context.output(
          "seed \(seed): \(finding.oracle)/\(finding.shape) at \(finding.time / 1_000_000) ms: "
            + "\(finding.sentence)\n")
        if mistake != nil {
          var shrinker = ScenarioShrinker(finding, participants)
          let small = try shrinker.shrunk(generator.scenario(seed: seed))
          context.output(
            "\(small?.scenario.json.pretty() ?? "not shown again")\n\(small?.scenario.steps.count ?? 0) steps, \(small?.runs ?? 0) runs\n\(small?.finding.sentence ?? "")\n")
          break
        }
      }
    }
    let seconds = Double(context.nanoseconds() - start) / 1e9
    context.output(
      "\(seeds.count) seeds, \(events) events, \(failed) failed, "
        + "\(Int(Double(events) / seconds)) events/s, \(Double(seeds.count) / seconds) seeds/s\n")
    for probe in Probe.allCases { context.output("  \(probes[probe]) \(probe.rawValue)\n") }
    return failed == 0 ? .success : .failure
  }
}
