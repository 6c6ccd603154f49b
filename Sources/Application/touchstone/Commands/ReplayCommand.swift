internal import Conformance
internal import Datastore
internal import JSON
internal import Rendering
internal import Scenarios
internal import Simulation

/// `touchstone replay`: runs one simulated scenario again, with diagrams.
struct ReplayCommand: Command {
  /// A file with a scenario, or the seed of one.
  let subject: String
  let options: SimulationOptions
  let showsTimeline: Bool
  let isDetailed: Bool
  let page: String?
  let showsDigests: Bool

  static let manual = Manual(
    words: ["replay"],
    summary: "Run one simulated scenario again and show what happened.",
    operands: ["FILE|SEED"],
    options: [
      .init(name: "--timeline", help: "Print one line for each event that changed a state."),
      .init(name: "--detailed", help: "With --timeline, print every event."),
      .init(name: "--html", value: "FILE", help: "Write an HTML page with diagrams."),
      .init(
        name: "--digests",
        help: "Print only the time of each event and the digest of all events so far."),
    ] + SimulationOptions.manual,
    notes: """
      A file contains a scenario as JSON. A number is the seed of a scenario that 'touchstone \
      simulate' generates with the same options. A scenario of several implementations states the \
      number of each replica's --implementation. Exits with 1 if the run has a finding.
      """,
    examples: [
      ("touchstone replay 17 --timeline", "show the events of run 17"),
      ("touchstone replay failure.json --html failure.html", "write a page about a failure"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    subject = arguments.operands[0]
    options = try SimulationOptions(arguments, Self.manual, context: context)
    showsTimeline = arguments.has("--timeline")
    isDetailed = arguments.has("--detailed")
    page = arguments.value("--html")
    showsDigests = arguments.has("--digests")
    guard showsTimeline || !isDetailed else {
      throw UsageError("--detailed needs --timeline", Self.manual)
    }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let scenario = try self.scenario()
    if showsDigests { return try printDigests(scenario, context) }
    let (run, isRepeated) = try options.implementations.entries.attempt { () throws(HarnessError) in
      var seen = try World(scenario, options.participants, records: true)
      let run = try seen.run()
      // A recorded run sends the stores more requests, and a store may respond differently because
      // of them.
      guard try options.implementations.description().isDeterministic else { return (run, true) }
      var unseen = try World(scenario, options.participants)
      return (run, try unseen.run().digest == run.digest)
    }
    if !isRepeated {
      context.error("touchstone replay: the run differs when tracing is off\n")
    }
    var point: String?
    if var trace = run.trace {
      if !run.findings.isEmpty {
        point = try options.addPointOfNoReturn(to: &trace, isShrunk: false, context)
      }
      try show(trace, context)
    }
    summarize(run, scenario, pointOfNoReturn: point, context: context)
    return run.findings.isEmpty ? .success : .failure
  }

  private func scenario() throws(CommandFailure) -> Scenario {
    if let seed = UInt64(subject) {
      return try options.implementations.entries.attempt { () throws(HarnessError) in
        try options.campaign().generator.scenario(seed: seed)
      }
    }
    do {
      let bytes = try Files.read(subject)
      return try Scenario(try JSONValue.parse(bytes))
    } catch let failure as Files.Failure {
      throw CommandFailure("\(failure); expected a scenario file or a seed")
    } catch {
      throw CommandFailure("\(subject): \(error)")
    }
  }

  private func printDigests(
    _ scenario: Scenario, _ context: Context
  ) throws(CommandFailure) -> ExitCode {
    try options.implementations.entries.attempt { () throws(HarnessError) in
      var world = try World(scenario, options.participants, chains: true)
      let run = try world.run()
      context.output(run.chain.map { "\($0.nanoseconds) \($0.digest)\n" }.joined())
      return run.findings.isEmpty ? .success : .failure
    }
  }

  private func show(_ trace: Trace, _ context: Context) throws(CommandFailure) {
    if showsTimeline {
      if !trace.replicaLabels.isEmpty {
        let labels = trace.replicaLabels.map { TextLayout.printable($0.string) }
        context.output("replicas: \(labels.joined(separator: ", "))\n")
      }
      var timeline = TextTimeline()
      timeline.isDetailed = isDetailed
      timeline.width = context.width
      context.output(timeline.lines(of: trace).joined(separator: "\n") + "\n")
      for tree in trees(trace, context) { context.output("\n\(tree)") }
    }
    guard let page else { return }
    try onFiles { () throws(Files.Failure) in
      try Files.write(
        FailurePage(trace, command: command, program: programName).html, to: page)
    }
    context.output("wrote \(page)\n")
  }

  /// Prints the final content of the replicas for the documents with findings.
  private func trees(_ trace: Trace, _ context: Context) -> [String] {
    var seen: Set<DocumentID> = []
    var trees: [String] = []
    for id in trace.findings.compactMap({ $0.document }) where seen.insert(id).inserted {
      guard trees.count < 3 else { break }
      trees.append(
        DocumentPicture(id, in: trace).lines(width: context.width).map { $0 + "\n" }.joined())
    }
    return trees
  }

  private var command: String {
    (["touchstone", "replay", subject] + options.words + ["--timeline"]).map(shellQuoted)
      .joined(separator: " ")
  }

  private func summarize(
    _ run: SimulationRun, _ scenario: Scenario, pointOfNoReturn: String?, context: Context
  ) {
    let style = context.style
    for finding in run.findings.prefix(5) {
      let words = "\(finding.oracle)/\(finding.shape): \(finding.sentence)"
      let lines = TextLayout.wrapped(words, width: context.width, indent: "  ")
      context.output(style.bad(lines.joined(separator: "\n").dropFirst(2).description) + "\n")
    }
    if let pointOfNoReturn {
      let lines = TextLayout.wrapped(pointOfNoReturn, width: context.width, indent: "")
      context.output(lines.joined(separator: "\n") + "\n")
    }
    let verdict =
      run.findings.isEmpty ? "no finding" : TextLayout.counted(run.findings.count, "finding")
    context.output(
      "seed \(scenario.seed), \(TextLayout.counted(scenario.steps.count, "step")), "
        + "\(TextLayout.counted(run.events, "event")), \(verdict)\n")
  }
}
