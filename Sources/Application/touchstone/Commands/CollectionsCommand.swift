internal import Conformance
internal import Datastore
internal import JSON
internal import ObjectSimulation
internal import Oracles
internal import Scenarios
internal import Simulation

/// `touchstone collections`: several devices on one backend of collections, and what is lost there.
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
    summary: "Let devices share a backend of collections, and count what nobody promised to keep.",
    options: ExperimentOptions.manual(seeds) + [
      .init(name: "--clients", value: "COUNT", help: "Devices of a run, 1 to 16; 3."),
      .init(name: "--steps", value: "COUNT", help: "What each of them does, 1 to 1000; 40."),
      .init(name: "--calm", help: "Nothing gets lost on the way, and nobody crashes."),
    ] + StoreChoice.manual,
    notes: """
      Devices save, load, query and remove recipes and their ingredients, by all cache policies, with \
      and without offline queue, over a network that loses requests and answers; they crash and come \
      back. Judged is what the guide promises: every call ends once, nothing is acknowledged that the \
      backend does not have, answers are what there is, queues are sent in the end. Counted is what a \
      backend without revisions does not promise: saves that were acknowledged and are written over \
      by somebody who had not seen them. The same edits run on replicated stores beside it, where \
      every acknowledged revision has to be there in the end. Exits with 1 when a promise is broken.
      """,
    examples: [
      ("touchstone collections --seeds 1..20000 --implementation reference", "the campaign"),
      ("touchstone collections --calm", "what is lost when nothing fails"),
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
      throw HarnessError("a backend has to find documents, and this store does not offer it")
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
      \(hasFaults ? "" : ", nothing fails")
      \(counted(runs, "run")), \(counted(sum.calls, "call")), \
      \(counted(sum.requests, "request")); \(sum.lostRequests) requests and \(sum.lostAnswers) \
      answers lost, \(sum.refusals) refused, \(sum.crashes) crashes
      every promise was kept

      what nobody promised   of \(counted(sum.acknowledged, "acknowledged save"))
        written over unseen  \(sum.losses.overwritten)
        removed unseen       \(sum.losses.removed)
        made once more       \(sum.losses.madeTwice)
      on replicated stores   of \(counted(sum.replicated, "acknowledged revision"))
        lost                 \(sum.replicatedLost)
        to be chosen from    \(counted(sum.conflicts, "conflict"))

      """
  }
}
