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
  let pagePath: String?

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
      .init(
        name: "--page", value: "FILE",
        help: "Write a page with the requests of a run, and a small example of each loss."),
    ] + StoreChoice.manual,
    notes: """
      Devices save, load, query and remove recipes and their ingredients, with all cache policies, \
      with and without an offline queue. The network loses requests and responses, and devices \
      crash and restart. The command checks the guarantees of the API: every call ends once, every \
      acknowledged save is in the backend, results match the backend, and queues are sent in the \
      end. It also counts losses outside the guarantees: acknowledged saves that a device \
      overwrites without having read them. The same edits run on replicated stores, where every \
      acknowledged revision must exist in the end. The page of --page draws the first run with a \
      finding, minimized, or else the first with a loss. Exits with 1 if a guarantee is broken.
      """,
    examples: [
      ("touchstone collections --seeds 1..20000 --implementation reference", "run a long campaign"),
      ("touchstone collections --calm", "count lost updates without faults"),
      ("touchstone collections --page collections.html", "draw where saves are lost"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    store = try StoreChoice(arguments, Self.manual, context: context)
    experiment = try ExperimentOptions(
      arguments, Self.manual, implementation: store.implementation, cases: Self.seeds)
    clients = try arguments.number("--clients", 1...16, for: Self.manual) ?? 3
    steps = try arguments.number("--steps", 1...1_000, for: Self.manual) ?? 40
    hasFaults = !arguments.has("--calm")
    pagePath = arguments.value("--page")
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
      \((run.trace?.lines ?? []).map { "  " + TextLayout.printable($0) }.joined(separator: "\n"))

      """)
    return .failure
  }

  /// The number of runs among which a page has its examples.
  private static let exampleRunsMax = 100

  func page(
    _ report: CampaignReport, _ subject: CollectionExperiment?, context: Context
  ) throws(CommandFailure) -> String {
    let (recording, examples) = try implementation.attempt { () throws(HarnessError) in
      try recordings(report, of: try made(subject), context: context)
    }
    return CollectionPage(
      of: implementation.name, sum: CollectionRun(report), runs: report.runs,
      recording: recording, examples: examples, command: again(recording.seed),
      program: programName
    ).html
  }

  /// The run to draw, and an example of each kind of loss.
  private func recordings(
    _ report: CampaignReport, of subject: CollectionExperiment, context: Context
  ) throws(HarnessError) -> (CollectionPage.Recording, [CollectionPage.Example]) {
    if let failure = report.failures.first {
      let (workload, run) = try subject.shrunk(
        seed: failure.seed, showing: failure.finding.shape)
      return (CollectionPage.Recording(workload, run), [])
    }
    var examples: [CollectionPage.Example] = []
    var drawn: UInt64?
    for seed in experiment.seeds.all.prefix(min(report.runs, Self.exampleRunsMax)) {
      guard !context.isInterrupted() else { break }
      for kind in try subject.lossKinds(ofSeed: seed) {
        drawn = drawn ?? seed
        guard !examples.contains(where: { $0.kind == kind }) else { continue }
        examples.append(try subject.example(of: kind, seed: seed))
      }
      if examples.count == CollectionLoss.Kind.allCases.count { break }
    }
    return (try subject.recording(ofSeed: drawn ?? experiment.seeds.first), examples)
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
