internal import Adapters
internal import Conformance
internal import Datastore
internal import JSON
internal import ReferenceDatastore
internal import Scenarios
internal import Simulation

/// `touchstone compare`: holds an implementation against the model, random sequence by sequence.
struct CompareCommand: Command {
  let implementation: ImplementationEntry
  let storage: StorageChoice?
  let seeds: ClosedRange<UInt64>
  let steps: Int
  let strictness: Judge.Strictness
  /// What `--judge` says, when it was given.
  let judge: String?

  static let manual = Manual(
    words: ["compare"],
    summary: "Perform random sequences of operations and compare every outcome with the model.",
    options: [
      .init(name: "--seeds", value: "A..B", help: "Which sequences, both ends included; 1..1000."),
      .init(name: "--steps", value: "COUNT", help: "Random operations of a sequence; 50."),
      .init(
        name: "--implementation", value: "NAME",
        help:
          "Which one: sqlite (the default), reference, or exec:COMMAND and the like for an adapter."
      ),
      .init(
        name: "--judge", value: "contract|model",
        help: "Accept all that the contract accepts, or only what the model does; the default for "
          + "an implementation that follows the model to the letter."),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help: "Where a store that keeps files keeps them; memory is the default."),
      .requireSecret,
    ],
    notes: """
      A sequence follows from its seed. When an outcome is not accepted, the sequence is shrunk and \
      printed as a vector file, for `touchstone run --grade contract --vectors FILE`. Exits with 1 \
      on a disagreement, and with 3 when more than one sequence in twenty left so much open that the \
      judge had to give up on its way.
      """,
    examples: [
      ("touchstone compare --seeds 1..100000", "a hundred thousand sequences"),
      ("touchstone compare --seeds 4711", "one sequence"),
      ("touchstone compare --judge contract", "as a store of another make would be judged"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    implementation = try .given(arguments, Self.manual, context)
    storage = try .given(arguments, for: implementation, Self.manual)
    seeds = try Self.seeds(arguments.value("--seeds") ?? "1..1000")
    guard let steps = Int(arguments.value("--steps") ?? "50"), (1...100_000).contains(steps) else {
      throw UsageError("--steps is a number from 1 to 100000", Self.manual)
    }
    self.steps = steps
    judge = arguments.value("--judge")
    switch judge {
    case nil: strictness = implementation.followsModel ? .model : .contract
    case "contract": strictness = .contract
    case "model": strictness = .model
    default: throw UsageError("--judge is contract or model", Self.manual)
    }
  }

  /// More than anybody waits for, and still a number that can be counted.
  private static let seedsMax: UInt64 = 1_000_000_000_000

  private static func seeds(_ text: String) throws(UsageError) -> ClosedRange<UInt64> {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { UInt64($0) }
    guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
      first <= last
    else {
      throw UsageError("--seeds is a number or a range such as 1..1000, not '\(text)'", manual)
    }
    guard last - first < seedsMax else {
      throw UsageError("--seeds is a range of at most \(seedsMax) seeds", manual)
    }
    return first...last
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    do throws(HarnessError) {
      return try compare(context)
    } catch {
      throw CommandFailure("\(implementation.name): \(error)")
    }
  }

  private func compare(_ context: Context) throws(HarnessError) -> ExitCode {
    let implementation = implementation
    if !implementation.runsBesideItself { Processor.stayOnOne() }
    let storage = storage ?? .memory
    let differential = Differential(stepCount: steps, strictness: strictness) {
      () throws(HarnessError) in
      let subject = try implementation.make(storage)
      try subject.begin(.run("compare"))
      return subject
    }
    var operations = 0
    var partialCount = 0
    var line = ProgressLine(context)
    let count = seeds.count
    for (done, seed) in seeds.enumerated() {
      switch try differential.run(seed: seed) {
      case .agreed(let performed): operations += performed
      case .inconclusive(let performed):
        operations += performed
        partialCount += 1
      case .disagreed(let disagreement):
        line.finish()
        report(try differential.shrunk(disagreement), context)
        return .failure
      }
      line.show(done + 1, of: count, "sequences", single: "sequence")
    }
    line.finish()
    let counts = [(count, "sequence"), (operations, "operation")]
      .map { TextLayout.counted($0, $1) }.joined(separator: ", ")
    context.output("\(implementation.name) agrees with the model: \(counts)\n")
    guard partialCount > 0 else { return .success }
    context.output(
      "\(partialCount) of them were judged in part: too much was left open to go on\n")
    // A campaign that mostly gave up is no evidence.
    return partialCount * 20 <= count ? .success : .harness
  }

  /// A text on one line; of a very long one the beginning, and how long it is.
  private func shown(_ text: String) -> String {
    let count = text.utf8.count
    guard count > 4096 else { return TextLayout.printable(text) }
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(1024)))
    return "\(TextLayout.printable(start))… (\(count) bytes)"
  }

  /// What disagrees for people, and the whole of it as a vector file on the standard output.
  private func report(_ disagreement: Differential.Disagreement, _ context: Context) {
    guard let last = disagreement.steps.last else { return }
    let answer = shown(
      disagreement.breakdown.map { "nothing: \($0)" } ?? last.outcome.description)
    let words =
      ["touchstone", "compare"] + implementation.words
      + (storage.map { ["--storage", $0.description] } ?? [])
      + (judge.map { ["--judge", $0] } ?? [])
      + ["--steps", "\(steps)", "--seeds", "\(disagreement.seed)"]
    context.error(
      """
      \(context.errorStyle.bad("\(implementation.name) disagrees with the model")) at seed \
      \(disagreement.seed), \(disagreement.steps.count) operations long when shortened.
        operation  \(shown(last.operation.description))
        answered   \(answer)

      """)
    for outcome in disagreement.accepted {
      context.error("  accepted   \(shown(outcome.description))\n")
    }
    context.error("  again      \(words.map(shellQuoted).joined(separator: " "))\n\n")
    do throws(DecodingFailure) {
      let file = VectorFile(
        family: "model", about: "Found by comparison with the model.",
        vectors: [try disagreement.vector()])
      context.output(file.json.pretty() + "\n")
    } catch {
      context.error("the sequence cannot be written as a vector: \(error)\n")
      for step in disagreement.steps { context.output("\(SafeJSON(step.operation.json).line)\n") }
    }
  }
}
