internal import Adapters
internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

/// `touchstone verify`: runs the vectors of a verdict again, and reports whether it holds.
struct VerifyCommand: Command {
  let path: String
  /// The implementation of the command line; nil for the one that the file names.
  private let implementation: String?
  private let vectors: String?
  private let storage: String?
  /// The number of vectors to run; nil for all.
  private let sample: Int?
  private let seed: UInt64?
  private let jobs: String?
  private let requiresSecret: Bool
  private let allowsRemote: Bool

  static let manual = Manual(
    words: ["verify"],
    summary: "Run the vectors of a verdict again, and report whether the verdict holds.",
    operands: ["FILE"],
    options: [
      .implementation, .vectors,
      .init(
        name: "--sample", value: "COUNT",
        help: "Run only so many of the vectors, chosen at random; the default is all of them."),
      .init(
        name: "--seed", value: "N",
        help: "Choose the vectors of --sample by this number; the default is a new one."),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help: "Where the store keeps its files; the default is memory."),
      .init(
        name: "--jobs", value: "N",
        help: "Vectors to run at a time; the default is the number of processors."),
      .requireSecret, .allowRemote,
    ],
    notes: """
      FILE is what touchstone run --verdict wrote. The corpus must be the one of the verdict: its \
      SHA-256 is compared. A verdict is read as data. If it names an implementation that is not part of \
      this program, such as an adapter or a server, nothing is started: give your own with --implementation.

      Exits with 0 if the verdict holds, with 1 if the file contradicts itself or a vector has another outcome, and \
      with 3 if it cannot be checked here. A sample that agrees shows that the verdict is probably right, not that it is.
      """,
    examples: [
      ("touchstone verify verdict.json", "run all vectors of the verdict"),
      ("touchstone verify verdict.json --sample 200", "run 200 of them"),
      (
        "touchstone verify verdict.json --implementation 'exec:./my-adapter'",
        "check the verdict about an adapter"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    path = arguments.operands[0]
    implementation = arguments.value("--implementation")
    vectors = arguments.value("--vectors")
    storage = arguments.value("--storage")
    jobs = arguments.value("--jobs")
    requiresSecret = arguments.has(Manual.Option.requireSecret.name)
    allowsRemote = arguments.has(Manual.Option.allowRemote.name)
    sample = try arguments.number("--sample", 1...1_000_000, for: Self.manual)
    seed = try arguments.number("--seed", 0...Int.max, for: Self.manual).map { UInt64($0) }
    guard seed == nil || sample != nil else {
      throw UsageError("--seed chooses the vectors of --sample", Self.manual)
    }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let file = try read()
    let run = try command(file, context)
    let corpus = try Corpus.forRun(vectors)
    let manifest = try RunCommand.manifest(of: corpus)
    guard manifest == file.identity.corpus else {
      throw CommandFailure(
        "\(path) is about the corpus with the manifest \(file.identity.corpus ?? "none") of touchstone "
          + "\(file.identity.tool); this one is \(manifest)")
    }
    let selected = run.selected(corpus)
    if let contradiction = contradiction(file, selected: selected) {
      context.output(TextLayout.printable("the verdict does not hold: \(contradiction)") + "\n")
      return .failure
    }
    let grade: ConformanceGrade =
      run.implementations[0].followsModel ? .contract : run.grade ?? .family
    let report = try run.test(
      run.implementations[0], corpus.graded(grade), only: try chosen(selected, context),
      context: context)
    guard report.stop == nil else {
      context.error("the run ended early; the verdict is not checked\n")
      return .harness
    }
    try tellProgram(file.identity, report, context: context)
    let check = VerdictCheck(file, selected: selected, report)
    context.output(TextLayout.printableLines(check.text))
    return check.holds ? .success : .failure
  }

  private func read() throws(CommandFailure) -> VerdictFile {
    let bytes: [UInt8]
    do throws(Files.Failure) { bytes = try Files.read(path) } catch {
      throw CommandFailure("\(error)")
    }
    do { return try VerdictFile(try JSONValue.parse(bytes)) } catch {
      throw CommandFailure(UsageError("\(path): \(error)", Self.manual))
    }
  }

  /// The run that the verdict describes, with the implementation of the command line.
  private func command(
    _ file: VerdictFile, _ context: Context
  ) throws(CommandFailure) -> RunCommand {
    let named = file.identity.implementation.string
    guard implementation != nil || Self.isPart(named, context) else {
      throw CommandFailure(
        UsageError(
          "\(path) is about '\(named)', which is not part of this program: give it with --implementation",
          Self.manual))
    }
    var words = ["--implementation", implementation ?? named]
    words += file.identity.options.map(\.string)
    if requiresSecret { words.append(Manual.Option.requireSecret.name) }
    if allowsRemote { words.append(Manual.Option.allowRemote.name) }
    if let vectors { words += ["--vectors", vectors] }
    if let storage { words += ["--storage", storage] }
    if let jobs { words += ["--jobs", jobs] }
    do throws(UsageError) {
      return try RunCommand(Arguments(words, for: RunCommand.manual), context)
    } catch {
      throw CommandFailure(UsageError("\(path): \(error.message)", Self.manual))
    }
  }

  /// Whether an implementation runs inside this program: nothing is started, and no server is asked.
  private static func isPart(_ name: String, _ context: Context) -> Bool {
    context.implementations.contains { $0.name == name }
      || ImplementationEntry.changedModelPrefixes.contains { name.utf8.starts(with: $0.utf8) }
  }

  /// What the file says about itself that cannot be true; nil if it is consistent.
  private func contradiction(_ file: VerdictFile, selected: [VectorID]) -> String? {
    let known = Set(selected)
    if let stray = file.outcomes.notPassed.first(where: { !known.contains($0.id) }) {
      return "its options do not select the vector '\(stray.id)' of notPassed"
    }
    let stated = VerdictOutcomes(file.outcomes.verdicts(on: selected))
    if Set(stated.counts) != Set(file.outcomes.counts.filter { $0.number > 0 }) {
      return "its counts are not those of its outcomes"
    }
    return stated.digest == file.outcomes.digest ? nil : "its digest is not that of its outcomes"
  }

  /// The vectors of the sample; nil for all.
  private func chosen(
    _ selected: [VectorID], _ context: Context
  ) throws(CommandFailure) -> Set<VectorID>? {
    var left = selected
    guard let sample, sample < left.count else { return nil }
    let seed = if let seed { seed } else { try Self.newSeed() }
    context.error("the sample has the seed \(seed)\n")
    var random = RandomGenerator(seed: seed)
    var chosen: Set<VectorID> = []
    while chosen.count < sample {
      let place = random.below(left.count)
      chosen.insert(left[place])
      left.swapAt(place, left.count - 1)
      left.removeLast()
    }
    return chosen
  }

  /// A number that the author of the verdict could not know.
  private static func newSeed() throws(CommandFailure) -> UInt64 {
    do throws(SystemFailure) {
      return try SystemEntropy.bytes(4).reduce(0) { $0 << 8 | UInt64($1) }
    } catch {
      throw CommandFailure("no random number: \(error); choose the vectors with --seed")
    }
  }

  /// Notes that another program wrote the verdict, which is usual on another machine.
  private func tellProgram(
    _ stated: CampaignIdentity, _ report: RunReport, context: Context
  ) throws(CommandFailure) {
    let found: CampaignIdentity
    do throws(HarnessError) {
      found = try CampaignIdentity(
        stated.implementation.string, report.implementation, words: stated.options.map(\.string))
    } catch {
      throw CommandFailure("\(error)")
    }
    guard found.program != stated.program else { return }
    let note =
      "note: another build, of touchstone \(stated.tool), wrote the verdict (SHA-256 \(stated.program))"
    context.error(TextLayout.printable(note) + "\n")
  }
}
