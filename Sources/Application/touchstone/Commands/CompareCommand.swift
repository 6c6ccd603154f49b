internal import Conformance
internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Scenarios
internal import Simulation

/// `touchstone compare`: compares an implementation with the model on random sequences of
/// operations.
struct CompareCommand: StoreExperimentCommand {
  let store: StoreChoice
  let experiment: ExperimentOptions
  let steps: Int
  let strictness: OutcomeChecker.Strictness
  /// The value of `--checker`.
  let checker: String?

  static let cases = CaseNoun(plural: "sequences", singular: "sequence")
  private static let seeds = (noun: "sequences", seeds: "1..1000")

  static let manual = Manual(
    words: ["compare"],
    summary: "Perform random sequences of operations and compare every outcome with the model.",
    options: ExperimentOptions.manual(seeds) + [
      .init(
        name: "--steps", value: "COUNT", help: "Random operations per sequence; the default is 50."),
      .init(
        name: "--checker", earlierName: "--judge", value: "contract|model",
        help:
          "Accept every outcome that the contract allows, or only the model's own. The default is "
          + "contract, and model for the bundled stores."),
    ] + StoreChoice.manual,
    notes: """
      Each sequence is a function of its seed. If an outcome is not accepted, the sequence is \
      shrunk and printed as a vector file, for `touchstone run --grade contract --vectors FILE`. \
      Exits with 1 on a disagreement, and with 3 if more than 1 in 20 sequences had too many \
      possible states for the checker to continue.
      """,
    examples: [
      ("touchstone compare --seeds 1..100000", "run 100,000 sequences"),
      ("touchstone compare --seeds 4711", "run one sequence again"),
      ("touchstone compare --checker contract", "use the rules for stores that are not bundled"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    store = try StoreChoice(arguments, Self.manual, context: context)
    experiment = try ExperimentOptions(
      arguments, Self.manual, implementation: store.implementation, cases: Self.seeds, seedMax: .max
    )
    steps =
      try arguments.number("--steps", 1...100_000, for: Self.manual) ?? 50
    checker = arguments.value("--checker")
    switch checker {
    case nil: strictness = store.implementation.followsModel ? .model : .contract
    case "contract": strictness = .contract
    case "model": strictness = .model
    default: throw UsageError("--checker: expected contract or model", Self.manual)
    }
  }

  var words: [String] {
    store.words + (checker.map { ["--checker", $0] } ?? []) + ["--steps", "\(steps)"]
  }

  func makeSubject() throws(HarnessError) -> Differential {
    store.stayOnOne()
    return Differential(stepCount: steps, strictness: strictness) { () throws(HarnessError) in
      try store.make(for: "compare")
    }
  }

  func conclude(
    _ report: CampaignReport, _ subject: Differential?, nanoseconds: UInt64, context: Context
  ) throws(CommandFailure) -> ExitCode {
    if let failure = report.failures.first {
      let shrunk = try implementation.attempt { () throws(HarnessError) in
        try made(subject).shrunk(seed: failure.seed)
      }
      if let shrunk { show(shrunk, context) } else { reportVanished(failure, context) }
      return .failure
    }
    let counts = [(report.runs, "sequence"), (report.events, "operation")]
      .map { TextLayout.counted($0, $1) }.joined(separator: ", ")
    context.output("\(implementation.name) agrees with the model: \(counts)\n")
    let partialCount = report.counts["inconclusive"] ?? 0
    guard partialCount > 0 else { return .success }
    context.output(
      "\(partialCount) of them were checked in part: too many possible states to continue\n")
    // A campaign that mostly stopped early is no evidence.
    return partialCount * 20 <= report.runs ? .success : .harness
  }

  /// Returns a text on one line; of a very long one the beginning and its length.
  private func shown(_ text: String) -> String {
    let count = text.utf8.count
    guard count > 4096 else { return TextLayout.printable(text) }
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(1024)))
    return "\(TextLayout.printable(start))… (\(count) bytes)"
  }

  /// Prints the disagreement for readers, and the sequence as a vector file on standard output.
  private func show(_ disagreement: Differential.Disagreement, _ context: Context) {
    guard let last = disagreement.steps.last else { return }
    let answer = shown(
      disagreement.breakdown.map { "no outcome: \($0)" } ?? last.outcome.description)
    context.error(
      """
      \(context.errorStyle.bad("\(implementation.name) disagrees with the model")) at seed \
      \(disagreement.seed), \(disagreement.steps.count) operations after shrinking.
        operation  \(shown(last.operation.description))
        outcome    \(answer)

      """)
    if let finding = disagreement.finding {
      context.error("  finding    \(shown(finding.sentence.string))\n")
    }
    for outcome in disagreement.accepted {
      context.error("  accepted   \(shown(outcome.description))\n")
    }
    context.error("  again      \(again(disagreement.seed))\n\n")
    do throws(DecodingFailure) {
      let file = VectorFile(
        family: "model", about: "Found by comparison with the model.",
        vectors: [try disagreement.vector()])
      context.output(file.json.pretty() + "\n")
    } catch {
      context.error("cannot write the sequence as a vector: \(error)\n")
      for step in disagreement.steps { context.output("\(SafeJSON(step.operation.json).line)\n") }
    }
  }
}
