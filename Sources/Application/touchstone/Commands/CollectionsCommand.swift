internal import Conformance
internal import Datastore
internal import JSON
internal import ObjectSimulation
internal import Oracles
internal import Scenarios
internal import Simulation

/// `touchstone collections`: several devices share one backend of collections; counts the lost
/// updates.
struct CollectionsCommand: StoreExperimentCommand {
  let store: StoreChoice
  let experiment: ExperimentOptions
  let clients: Int
  let steps: Int
  let hasFaults: Bool

  static let cases = CaseNoun(plural: "runs", singular: "run")
  private static let seeds = (noun: "runs", seeds: "1..500")

  static let manual = Manual(
    words: ["collections"],
    summary: "Simulate devices that share a backend of collections, and count lost updates.",
    options: ExperimentOptions.manual(seeds) + [
      .init(name: "--clients", value: "COUNT", help: "Devices per run, 1 to 16; the default is 3."),
      .init(
        name: "--steps", value: "COUNT", help: "Steps of each device, 1 to 1000; the default is 40."
      ),
      .init(name: "--calm", help: "Run without lost messages and crashes."),
    ] + StoreChoice.manual,
    notes: """
      Devices save, load, query and remove recipes and their ingredients, with all cache policies, \
      with and without an offline queue. The network loses requests and responses, and devices \
      crash and restart. The command checks the guarantees of the API: every call ends once, every \
      acknowledged save is in the backend, results match the backend, and queues are sent in the \
      end. It also counts losses outside the guarantees: acknowledged saves that a device \
      overwrites without having read them. The same edits run on replicated stores, where every \
      acknowledged revision must exist in the end. Exits with 1 if a guarantee is broken.
      """,
    examples: [
      ("touchstone collections --seeds 1..20000 --implementation reference", "run a long campaign"),
      ("touchstone collections --calm", "count lost updates without faults"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    store = try StoreChoice(arguments, Self.manual, context: context)
    experiment = try ExperimentOptions(
      arguments, Self.manual, implementation: store.implementation, cases: Self.seeds)
    clients = try arguments.number("--clients", 1...16, for: Self.manual) ?? 3
    steps = try arguments.number("--steps", 1...1_000, for: Self.manual) ?? 40
    hasFaults = !arguments.has("--calm")
  }

  var words: [String] {
    store.words + ["--clients", "\(clients)", "--steps", "\(steps)"]
      + (hasFaults ? [] : ["--calm"])
  }

  func makeSubject() throws(HarnessError) -> CollectionExperiment {
    store.stayOnOne()
    let subject = try store.make(for: "collections")
    guard subject.description.capabilities.contains(.find) else {
      throw HarnessError("the store does not offer 'find', which a backend needs")
    }
    return CollectionExperiment(subject, clients: clients, steps: steps, hasFaults: hasFaults)
  }

  func conclude(
    _ report: CampaignReport, _ subject: CollectionExperiment?, nanoseconds: UInt64,
    context: Context
  ) throws(CommandFailure) -> ExitCode {
    guard let failure = report.failures.first else {
      context.output(text(CollectionRun(report), runs: report.runs))
      return .success
    }
    let finding = failure.finding
    let (workload, run) = try implementation.attempt { () throws(HarnessError) in
      try made(subject).shrunk(seed: failure.seed, showing: finding.shape)
    }
    context.error(
      """
      \(context.errorStyle.bad("seed \(failure.seed)")), \(finding.shape): \(finding.sentence)
      again   \(again(failure.seed))
      \(TextLayout.counted(workload.steps.count, "step")) when shrunk: \
      \(run.findings.first?.sentence ?? finding.sentence)
      \(run.trace.map { "  " + TextLayout.printable($0) }.joined(separator: "\n"))

      """)
    return .failure
  }

  private func text(_ sum: CollectionRun, runs: Int) -> String {
    func counted(_ count: Int, _ word: String) -> String { TextLayout.counted(count, word) }
    return """
      \(implementation.name): \(counted(clients, "device")), \(counted(steps, "step")) each\
      \(hasFaults ? "" : ", no faults")
      \(counted(runs, "run")), \(counted(sum.calls, "call")), \
      \(counted(sum.requests, "request")); \(sum.lostRequests) requests and \(sum.lostAnswers) \
      responses lost, \(sum.refusals) refused, \(sum.crashes) crashes
      all guarantees hold

      outside the guarantees of \(counted(sum.acknowledged, "acknowledged save"))
        lost updates          \(sum.losses.overwritten)
        lost deletes          \(sum.losses.removed)
        duplicates            \(sum.losses.madeTwice)
      on replicated stores   of \(counted(sum.replicated, "acknowledged revision"))
        lost                 \(sum.replicatedLost)
        conflicts to resolve \(counted(sum.conflicts, "conflict"))

      """
  }
}
