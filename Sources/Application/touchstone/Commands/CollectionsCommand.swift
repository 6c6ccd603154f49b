internal import Adapters
internal import Conformance
internal import Datastore
internal import JSON
internal import ObjectSimulation
internal import Oracles
internal import Simulation

/// `touchstone collections`: several devices on one backend of collections, and what is lost there.
struct CollectionsCommand: Command {
  let implementation: ImplementationEntry
  let storage: StorageChoice?
  let seeds: SeedRange
  let clients: Int
  let steps: Int
  let hasFaults: Bool

  static let manual = Manual(
    words: ["collections"],
    summary: "Let devices share a backend of collections, and count what nobody promised to keep.",
    options: [
      .init(name: "--seeds", value: "A..B", help: "Which runs, both ends included; 1..500."),
      .init(name: "--clients", value: "COUNT", help: "Devices of a run, 1 to 16; 3."),
      .init(name: "--steps", value: "COUNT", help: "What each of them does, 1 to 1000; 40."),
      .init(name: "--calm", help: "Nothing gets lost on the way, and nobody crashes."),
      .init(
        name: "--implementation", value: "NAME",
        help: "What keeps the documents of the backend: sqlite (the default), reference, or "
          + "exec:COMMAND and the like for an adapter that can find."),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help: "Where a store that keeps files keeps them; memory is the default."),
      .requireSecret,
    ],
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
    implementation = try .given(arguments, Self.manual, context)
    storage = try .given(arguments, for: implementation, Self.manual)
    seeds = try SeedRange(arguments.value("--seeds") ?? "1..500", Self.manual)
    guard let clients = Int(arguments.value("--clients") ?? "3"), (1...16).contains(clients) else {
      throw UsageError("--clients is a number from 1 to 16", Self.manual)
    }
    guard let steps = Int(arguments.value("--steps") ?? "40"), (1...1_000).contains(steps) else {
      throw UsageError("--steps is a number from 1 to 1000", Self.manual)
    }
    (self.clients, self.steps) = (clients, steps)
    hasFaults = !arguments.has("--calm")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    do throws(HarnessError) {
      return try simulate(context)
    } catch {
      throw CommandFailure("\(implementation.name): \(error)")
    }
  }

  private func workload(_ seed: UInt64) -> CollectionWorkload {
    CollectionWorkload(seed: seed, clients: clients, steps: steps, hasFaults: hasFaults)
  }

  private func simulate(_ context: Context) throws(HarnessError) -> ExitCode {
    if !implementation.runsBesideItself { Processor.stayOnOne() }
    let subject = try implementation.make(storage ?? .memory)
    guard subject.description.capabilities.contains(.find) else {
      throw HarnessError("a backend has to find documents, and this store does not offer it")
    }
    try subject.begin(.run("collections"))
    var line = ProgressLine(context)
    var sum = CollectionRun()
    for (done, seed) in (seeds.first...seeds.last).enumerated() {
      let run = try workload(seed).run(over: subject)
      if let finding = run.findings.first {
        line.finish()
        try report(finding, seed, subject, context)
        return .failure
      }
      sum += run
      line.show(done + 1, of: seeds.count, "runs", single: "run")
    }
    line.finish()
    context.output(text(sum))
    return .success
  }

  private func text(_ sum: CollectionRun) -> String {
    func counted(_ count: Int, _ word: String) -> String { TextLayout.counted(count, word) }
    return """
      \(implementation.name): \(counted(clients, "device")), \(counted(steps, "step")) each\
      \(hasFaults ? "" : ", nothing fails")
      \(counted(seeds.count, "run")), \(counted(sum.calls, "call")), \
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

  private func report(
    _ finding: OracleFinding, _ seed: UInt64, _ subject: any ImplementationUnderTest,
    _ context: Context
  ) throws(HarnessError) {
    let shrunk = try workload(seed).shrunk(over: subject, showing: finding)
    let last = try shrunk.run(over: subject, records: true)
    let words =
      ["touchstone", "collections"] + implementation.words
      + (storage.map { ["--storage", $0.description] } ?? [])
      + ["--clients", "\(clients)", "--steps", "\(steps)"] + (hasFaults ? [] : ["--calm"])
      + ["--seeds", "\(seed)..\(seed)"]
    context.error(
      """
      \(context.errorStyle.bad("seed \(seed)")), \(finding.shape): \(finding.sentence)
      again   \(words.map(shellQuoted).joined(separator: " "))
      \(TextLayout.counted(shrunk.steps.count, "step")) when shrunk: \
      \(last.findings.first?.sentence ?? finding.sentence)
      \(last.trace.map { "  " + TextLayout.printable($0) }.joined(separator: "\n"))

      """)
  }
}
