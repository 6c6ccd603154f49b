internal import Adapters
internal import Conformance
internal import Datastore
internal import Defects
internal import Diagnosis
internal import JSON
internal import ReferenceDatastore
internal import Scenarios
internal import Simulation

/// `touchstone diagnose`: finds few known causes that reproduce the failures of a store.
struct DiagnoseCommand: Command {
  let source: Source
  let vectors: String?
  /// The time for random sequences after the vectors, in seconds.
  let seconds: Int
  /// The names of causes that are left out.
  let omitted: [String]
  /// The path of the product file to write; nil if none is requested.
  let productPath: String?

  /// Where the failures come from.
  enum Source {
    case implementation(ImplementationEntry)
    /// The path of a report as JSON Lines.
    case report(String)
  }

  static let manual = Manual(
    words: ["diagnose"],
    summary: "Find the causes of the failures of a store.",
    options: [
      .init(
        name: "--implementation", value: "NAME",
        choices: ImplementationEntry.completions + ["mutant:"],
        help: "sqlite (the default), reference, an adapter such as exec:COMMAND, or couchdb:URL."),
      .init(
        name: "--report", value: "FILE",
        help: "Read the failures from a report of touchstone run --report jsonl=FILE."),
      .vectors,
      .init(
        name: "--seconds", value: "COUNT",
        help:
          "Run random sequences for this time after the vectors, and search their differences, "
          + "too; the default is 10, and 0 runs none."),
      .init(
        name: "--write", value: "FILE",
        help: "Write a product file that declares the deviations found, for --product."),
      .init(
        name: "--without", value: "ID", isRepeatable: true,
        help:
          "Leave a deviation or a mutant out of the known causes, to see whether the answer is then "
          + "unknown."),
      .requireSecret, .allowRemote,
    ],
    notes: """
      A cause is a known deviation of a product, or a mutant. It explains a failure only if the \
      model with this cause has the same outcome in each step. A cause that would fail more \
      vectors that the store passes than it explains is rejected. A failure that no cause \
      explains is listed as unknown. A report contains no passing outcomes and no operations of \
      replication runs, so a diagnosis from a report is less certain. Exits with 0 if known causes \
      explain all failures, with 1 if some remain, and with 3 if the harness failed.
      """,
    examples: [
      (
        "touchstone diagnose --implementation 'exec:./my-adapter' --write my-product.json",
        "find the causes of all failures, and declare them"
      ),
      ("touchstone diagnose --report run.jsonl", "diagnose an earlier run"),
      (
        "touchstone diagnose --implementation mutant:generations-as-text",
        "see what a diagnosis looks like"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let report = arguments.value("--report")
    for option in ["--implementation", "--seconds"] where report != nil && arguments.has(option) {
      throw UsageError("--report and \(option) exclude each other", Self.manual)
    }
    if let report {
      source = .report(report)
    } else {
      source = .implementation(try .given(arguments, Self.manual, context: context))
    }
    vectors = arguments.value("--vectors")
    seconds = try arguments.number("--seconds", 0...100_000, for: Self.manual) ?? 10
    productPath = arguments.value("--write")
    omitted = arguments.values("--without")
    for name in omitted where !Self.isKnown(name) {
      throw UsageError(
        "--without '\(name)': no such deviation or mutant", Self.manual,
        suggestions: nearestIDs(
          to: name, among: Deviation.all.map(\.id) + Defect.ofDocuments.map(\.name)))
    }
    if let productPath {
      guard productPath != "-", Files.isFolder(Files.folder(of: productPath)) else {
        throw UsageError(
          "--write '\(productPath)': no folder '\(Files.folder(of: productPath))'", Self.manual)
      }
    }
  }

  private static func isKnown(_ name: String) -> Bool {
    Deviation.named(name) != nil || Defect.ofDocuments.contains { $0.name == name }
  }

  /// The known deviations without the omitted ones.
  private var deviations: [Deviation] { Deviation.all.filter { !omitted.contains($0.id) } }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    switch source {
    case .report(let path): try diagnoseReport(path, context)
    case .implementation(let entry): try diagnose(entry, context)
    }
  }

  private func diagnose(
    _ entry: ImplementationEntry, _ context: Context
  ) throws(CommandFailure) -> ExitCode {
    let corpus = try Corpus.forRun(vectors).graded(.contract)
    let suspects = try Self.suspects(corpus).filter { !omitted.contains($0.name) }
    if !entry.runsBesideItself { Processor.stayOnOne() }
    var count = 0
    let diagnosis = try entry.attempt { () throws(HarnessError) in
      let store = try entry.make(.memory)
      var line = ProgressLine(context)
      count = corpus.vectors.count { $0.skip(for: store.description) == nil }
      let diagnoser = Diagnoser(corpus, among: deviations, suspects: suspects)
      let diagnosis = diagnoser.diagnose(store, isInterrupted: context.isInterrupted) { done in
        context.watchInterruption()
        line.show { "\(done) of \(count) vectors" }
      }
      line.finish()
      try store.shutdown()
      return diagnosis
    }
    context.output(DiagnosisText(diagnosis, width: context.width, style: context.style).text)
    guard diagnosis.vectorCount == count else {
      context.error("interrupted after \(diagnosis.vectorCount) of \(count) vectors\n")
      if let productPath { context.error("\(productPath) was not written\n") }
      return diagnosis.failureCount == 0 ? .harness : .failure
    }
    let found = try explore(entry, after: diagnosis, context)
    try write(
      ProductFile(
        store: diagnosis.store, about: "Written by touchstone diagnose.",
        deviations: diagnosis.deviations + found.deviations), context)
    return diagnosis.unexplained.isEmpty && found.isExplained ? .success : .failure
  }

  /// The mutants of the model, with the vectors that kill them.
  private static func suspects(_ corpus: Corpus) throws(CommandFailure) -> [Suspect] {
    let list: MutantList?
    do { list = try MutantList.read(corpus.folder) } catch { throw CommandFailure("\(error)") }
    var killers: [JSONString: Set<VectorID>] = [:]
    for mutant in list?.mutants ?? [] where mutant.kind == .wrapper {
      killers[mutant.name] = Set(mutant.vectors)
    }
    return Defect.ofDocuments.map { defect in
      Suspect(
        name: defect.name, sentence: defect.sentence,
        killers: killers[JSONString(defect.name)] ?? []
      ) { defect.applied(to: $0) }
    }
  }

  /// The result of the random sequences.
  private struct Exploration {
    var deviations: [Deviation] = []
    var isExplained = true
  }

  /// Runs random sequences beyond the vectors.
  private func explore(
    _ entry: ImplementationEntry, after diagnosis: StoreDiagnosis, _ context: Context
  ) throws(CommandFailure) -> Exploration {
    guard seconds > 0 else { return Exploration() }
    guard diagnosis.deviations.count == diagnosis.causes.count else {
      context.output("No random sequences were run: every one would show the mutants again.\n")
      return Exploration()
    }
    let report = try entry.attempt { () throws(HarnessError) -> CampaignReport in
      var differential = Differential(mode: .discovering(beside: diagnosis.deviations)) {
        () throws(HarnessError) in
        let store = try entry.make(.memory)
        try store.begin(.run("diagnose"))
        return store
      }
      let deadline = context.nanoseconds() &+ UInt64(seconds) * 1_000_000_000
      return try differential.run(1...UInt64.max, until: deadline, context: context) { _, _ in
        false
      }
    }
    let known = Set(diagnosis.causes.map(\.origin.name))
    let found = report.deviations.map(\.deviation).filter { !known.contains($0.id) }
    // A deviation that would fail vectors that the store passes explains a sequence by chance.
    let compared = found.map { (deviation: $0, contradictions: diagnosis.contradictions(of: $0)) }
    let new = compared.filter { $0.contradictions == 0 }.map(\.deviation)
    let refuted = compared.filter { $0.contradictions > 0 }
    let text = DiagnosisText(diagnosis, width: context.width, style: context.style)
    context.output(text.exploration(report, new: new, refuted: refuted, entry.words))
    return Exploration(
      deviations: new, isExplained: report.failures.isEmpty && refuted.isEmpty)
  }

  private func diagnoseReport(
    _ path: String, _ context: Context
  ) throws(CommandFailure) -> ExitCode {
    let run: RecordedRun
    do {
      let lines = try Files.read(path).split(separator: UInt8(ascii: "\n"))
        .map { try JSONValue.parse(Array($0)) }
      run = try RecordedRun(lines: lines)
    } catch let failure as Files.Failure {
      throw CommandFailure("\(failure)")
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
    let followed = run.failures.compactMap { failure in
      failure.transcript.map { (vector: failure.vector, transcript: $0) }
    }
    let search = CauseSearch(followed, among: deviations)
    let text = RecordedDiagnosisText(run, search, width: context.width, style: context.style)
    context.output(text.text)
    try write(
      ProductFile(
        store: run.store, about: "Written by touchstone diagnose from a report.",
        deviations: search.causes.map(\.deviation)), context)
    return search.unexplained.isEmpty && search.permitted.isEmpty
      && followed.count == run.failures.count
      ? .success : .failure
  }

  private func write(_ product: ProductFile, _ context: Context) throws(CommandFailure) {
    guard let productPath else { return }
    try onFiles { () throws(Files.Failure) in
      try Files.write(product.json.pretty() + "\n", to: productPath)
    }
    let count = TextLayout.counted(product.deviations.count, "deviation")
    context.error("wrote \(productPath): \(count)\n")
  }
}
