internal import Adapters
internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios

/// `touchstone verify`: runs the cases of a verdict again, and reports whether it holds.
struct VerifyCommand: Command {
  let path: String
  /// The implementation of the command line; nil for the one that the file names.
  let implementation: String?
  let vectors: String?
  let storage: String?
  /// The number of cases to run; nil for all.
  private let sample: Int?
  private let seed: UInt64?
  let jobs: String?
  private let requiresSecret: Bool
  private let allowsRemote: Bool

  static let manual = Manual(
    words: ["verify"],
    summary: "Run the cases of a verdict again, and report whether the verdict holds.",
    operands: ["FILE"],
    options: [
      .implementation, .vectors,
      .init(
        name: "--sample", value: "COUNT",
        help: "Run only so many of the cases, chosen at random; the default is all of them."),
      .init(
        name: "--seed", value: "N",
        help: "Choose the cases of --sample by this number; the default is a new one."),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help: "Where the store keeps its files; the default is memory."),
      .init(
        name: "--jobs", value: "N",
        help: "Cases to run at a time; the default is the number of processors."),
      .requireSecret, .allowRemote,
    ],
    notes: """
      FILE is what touchstone run --verdict wrote, or the report of a campaign: what simulate, compare, objects or \
      collections wrote with --report, or merge with --json. The cases are vectors or seeds. A verdict of run needs \
      the corpus of the verdict: its SHA-256 is compared. The file is read as data. If it names an \
      implementation that is not part of this program, such as an adapter or a server, nothing is started: give your \
      own with --implementation.

      Exits with 0 if the verdict holds, with 1 if the file contradicts itself or a case has another outcome, \
      with 2 if FILE is not a verdict, and with 3 if it cannot be read or checked here. A sample that agrees shows that the \
      verdict is probably right, not that it is.
      """,
    examples: [
      ("touchstone verify verdict.json", "run all vectors of the verdict"),
      ("touchstone verify verdict.json --sample 200", "run 200 of them"),
      ("touchstone verify merged.json --sample 1000", "run 1,000 seeds of a campaign"),
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
      throw UsageError("--seed chooses the cases of --sample", Self.manual)
    }
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let json = try read()
    if json.objectValue?["format"] == .string(CampaignFile.format) {
      return try verify(
        try decoded { () throws(DecodingFailure) in try CampaignFile(json) }, context)
    }
    return try verify(try decoded { () throws(DecodingFailure) in try VerdictFile(json) }, context)
  }

  private func read() throws(CommandFailure) -> JSONValue {
    let bytes: [UInt8]
    do throws(Files.Failure) { bytes = try Files.read(path) } catch {
      throw CommandFailure("\(error)")
    }
    do { return try JSONValue.parse(bytes) } catch { throw wrong("\(error)") }
  }

  private func decoded<File>(
    _ read: () throws(DecodingFailure) -> File
  ) throws(CommandFailure) -> File {
    do throws(DecodingFailure) { return try read() } catch { throw wrong("\(error)") }
  }

  /// An error of the file.
  func wrong(_ message: String) -> CommandFailure {
    CommandFailure(UsageError("\(path): \(TextLayout.printable(message))", Self.manual))
  }

  /// The implementation of the command line, or the one that the file names if nothing is started
  /// for it and no server is asked.
  func subject(named: String, _ context: Context) throws(UsageError) -> String {
    guard let name = implementation ?? (Self.isPart(named, context) ? named : nil) else {
      throw UsageError(
        "it is about '\(named)', which is not part of this program: give it with --implementation",
        Self.manual)
    }
    return name
  }

  /// Whether an implementation runs inside this program.
  static func isPart(_ name: String, _ context: Context) -> Bool {
    context.implementations.contains { $0.name == name }
      || ImplementationEntry.changedModelPrefixes.contains { name.utf8.starts(with: $0.utf8) }
  }

  /// The options of the command line that concern the implementation.
  var accessWords: [String] {
    (requiresSecret ? [Manual.Option.requireSecret.name] : [])
      + (allowsRemote ? [Manual.Option.allowRemote.name] : [])
  }

  /// The places of the cases of the sample, among so many; nil for all.
  func chosen(of count: Int, _ context: Context) throws(CommandFailure) -> Set<Int>? {
    guard let sample, sample < count else { return nil }
    let seed = if let seed { seed } else { try Self.newSeed() }
    context.error("the sample has the seed \(seed)\n")
    var random = RandomGenerator(seed: seed)
    var chosen: Set<Int> = []
    // Floyd's choice: each set of places is as likely as any other, in `sample` steps.
    for end in (count - sample)..<count {
      let place = random.below(end + 1)
      chosen.insert(chosen.contains(place) ? end : place)
    }
    return chosen
  }

  /// A number that the author of the verdict could not know.
  private static func newSeed() throws(CommandFailure) -> UInt64 {
    do throws(SystemFailure) {
      return try SystemEntropy.bytes(4).reduce(0) { $0 << 8 | UInt64($1) }
    } catch {
      throw CommandFailure("no random number: \(error); choose the cases with --seed")
    }
  }

  /// The identity of this repetition. Notes what may differ from the verdict: another build, which is usual on another
  /// machine, and another corpus beside a campaign.
  func identity(
    for stated: CampaignIdentity, _ implementation: ImplementationDescription, context: Context
  ) throws(CommandFailure) -> CampaignIdentity {
    let found: CampaignIdentity
    do throws(HarnessError) {
      found = try CampaignIdentity(
        stated.implementation.string, implementation, words: stated.options.map(\.string))
    } catch {
      throw CommandFailure("\(error)")
    }
    func note(_ what: String, _ digest: JSONString?) {
      context.error(
        TextLayout.printable("note: \(what) (SHA-256 \(digest ?? "none"))") + "\n")
    }
    if found.program != stated.program {
      note("another build, of touchstone \(stated.tool), wrote the verdict", stated.program)
    }
    if vectors == nil, found.corpus != stated.corpus {
      note("the verdict was written beside another corpus", stated.corpus)
    }
    return found
  }
}
