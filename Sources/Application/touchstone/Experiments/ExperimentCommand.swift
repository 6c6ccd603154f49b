internal import Adapters
internal import Conformance
internal import Datastore
internal import JSON
internal import Scenarios
internal import Simulation

/// A command that runs an experiment: cases by seeds, in one or several processes, with a report.
///
/// The command names its cases, creates the experiment and renders the result. Seeds, time, shards,
/// processes, progress, the report file, the proof and the exit code are common.
protocol ExperimentCommand: Command {
  associatedtype Subject: Experiment

  /// The noun for a case.
  static var cases: CaseNoun { get }

  /// The implementations of a case: one, unless the replicas of a simulation have several.
  var implementations: [ImplementationEntry] { get }
  var experiment: ExperimentOptions { get }
  /// The options that define the meaning of a seed.
  var words: [String] { get }
  /// The same options as the identity of a report has them.
  var identityWords: [String] { get }
  /// Whether the findings so far end the experiment.
  func isComplete(_ report: CampaignReport) -> Bool
  /// The exit code for a complete report.
  func exitCode(_ report: CampaignReport) -> ExitCode

  func makeSubject() throws(HarnessError) -> Subject

  /// The description of the implementation, or of all of them together.
  func description() throws(HarnessError) -> ImplementationDescription

  /// Renders the result.
  ///
  /// - Parameter subject: the subject of the cases; nil if they ran in other processes.
  func conclude(
    _ report: CampaignReport, _ subject: Subject?, nanoseconds: UInt64, context: Context
  ) throws(CommandFailure) -> ExitCode

  /// The file of the page about the result; nil for none.
  var pagePath: String? { get }

  /// Returns the page about the result.
  ///
  /// - Parameter subject: the subject of the cases; nil if they ran in other processes.
  func page(
    _ report: CampaignReport, _ subject: Subject?, context: Context
  ) throws(CommandFailure) -> String

  /// Prints where the runs of a seed in this process and in another program differ.
  func firstDifference(
    _ seed: UInt64, _ program: String, variables: [String]
  ) throws(CommandFailure) -> String
}

extension ExperimentCommand {
  var outputPaths: [String] { [experiment.reportPath, pagePath].compactMap { $0 } }

  var pagePath: String? { nil }

  func page(
    _ report: CampaignReport, _ subject: Subject?, context: Context
  ) throws(CommandFailure) -> String { "" }

  var identityWords: [String] { Self.manual.words + words }

  /// The first finding ends the experiment.
  func isComplete(_ report: CampaignReport) -> Bool { !report.failures.isEmpty }

  func exitCode(_ report: CampaignReport) -> ExitCode {
    report.failures.isEmpty ? .success : .failure
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode { try perform(context) }

  /// Runs the cases and renders the result.
  func perform(_ context: Context) throws(CommandFailure) -> ExitCode {
    if experiment.proves { return try prove(context) }
    let start = context.nanoseconds()
    var subject: Subject?
    let (report, part, failure) =
      try experiment.jobs == 1 ? runHere(&subject, context) : runInWorkers(context)
    let spent = max(1, context.nanoseconds() &- start)
    let isEarly = isEnded(early: report, context)
    if isEarly {
      let count = experiment.caseCount.map { " of \($0)" } ?? ""
      context.error("interrupted after \(report.runs)\(count) \(Self.cases.plural)\n")
    }
    let code = try conclusion(report, part, subject: subject, nanoseconds: spent, context: context)
    if let failure { throw failure }
    // The parent of a worker knows that it was interrupted.
    return isEarly && code == .success && !isWorker ? .harness : code
  }

  /// Whether this process runs a piece of the cases of another one.
  private var isWorker: Bool { Files.environment(workerVariableName) != nil }

  /// Whether the user ended the experiment before its last case.
  private func isEnded(early report: CampaignReport, _ context: Context) -> Bool {
    context.isInterrupted() && !isComplete(report)
      && experiment.caseCount.map { report.runs < $0 } ?? true
  }

  /// Writes the report, or renders the result.
  private func conclusion(
    _ report: CampaignReport, _ part: SeedPart, subject: Subject?, nanoseconds: UInt64,
    context: Context
  ) throws(CommandFailure) -> ExitCode {
    var failure: CommandFailure?
    var pageNote = ""
    do throws(CommandFailure) {
      pageNote = try writePage(report, subject, context: context)
    } catch {
      // The result is not lost with its page.
      failure = error
    }
    if let path = experiment.reportPath {
      let file = CampaignFile(report, [part], identity: try identity())
      do throws(CommandFailure) {
        if try file.write(to: path, context) {
          if let failure { throw failure }
          // The exit code follows from the whole, which the parent of a worker has.
          return isWorker ? .success : exitCode(report)
        }
      } catch {
        // The result is not lost with its report.
        failure = error
      }
    }
    let code = try conclude(report, subject, nanoseconds: nanoseconds, context: context)
    if let failure { throw failure }
    context.output(pageNote)
    return code
  }

  /// Writes the page about the result, if it is requested and a case ran.
  ///
  /// - Returns: the line that names the file; empty if none was written.
  private func writePage(
    _ report: CampaignReport, _ subject: Subject?, context: Context
  ) throws(CommandFailure) -> String {
    guard let pagePath, report.runs > 0 else { return "" }
    let html = try page(report, subject, context: context)
    try onFiles { () throws(Files.Failure) in try Files.write(html, to: pagePath) }
    return "wrote \(pagePath)\n"
  }

  private func runHere(
    _ subject: inout Subject?, _ context: Context
  ) throws(CommandFailure) -> (CampaignReport, SeedPart, CommandFailure?) {
    let (report, part) = try implementations.attempt { () throws(HarnessError) in
      var made = try makeSubject()
      defer { subject = made }
      return try experiment.run(&made, Self.cases, context: context, isComplete: isComplete)
    }
    return (report, part, nil)
  }

  /// Returns the identity of this experiment for a report; nil in a worker, whose parent adds it.
  private func identity() throws(CommandFailure) -> CampaignIdentity? {
    guard !isWorker else { return nil }
    return try implementations.attempt { () throws(HarnessError) in
      try CampaignIdentity(implementations.name, try description(), words: identityWords)
    }
  }

  /// Returns the report of one seed, run in this process.
  func report(ofSeed seed: UInt64) throws(CommandFailure) -> CampaignReport {
    try implementations.attempt { () throws(HarnessError) in
      var subject = try makeSubject()
      return try subject.report(ofSeed: seed)
    }
  }

  func firstDifference(
    _ seed: UInt64, _ program: String, variables: [String]
  ) throws(CommandFailure) -> String { "" }

  /// Returns the subject of the cases, or creates it.
  func made(_ subject: Subject?) throws(HarnessError) -> Subject {
    if let subject { return subject }
    return try makeSubject()
  }

  /// The command line that runs one case again.
  func again(_ seed: UInt64) -> String {
    (["touchstone"] + Self.manual.words + words + ["--seeds", "\(seed)"]).map(shellQuoted)
      .joined(separator: " ")
  }

  /// Reports that a finding is not reproducible.
  func reportVanished(_ failure: CampaignReport.Failure, _ context: Context) {
    context.error(
      "seed \(failure.seed): \(TextLayout.printable(failure.finding.sentence.string))\n"
        + "a second run of seed \(failure.seed) does not reproduce it\n")
  }
}

extension ImplementationEntry {
  /// Runs a closure on the implementation; an error names it.
  func attempt<Value>(
    _ body: () throws(HarnessError) -> Value
  ) throws(CommandFailure) -> Value {
    try [self].attempt(body)
  }
}

extension [ImplementationEntry] {
  /// The names of all implementations.
  var name: String { map(\.name).joined(separator: " + ") }

  /// What a worker process needs and its command line must not show, as `NAME=value`.
  var secretVariables: [String] {
    reduce(into: []) { all, entry in
      all += entry.secretVariables.filter { !all.contains($0) }
    }
  }

  /// Runs a closure on the implementations; an error names them.
  func attempt<Value>(
    _ body: () throws(HarnessError) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(HarnessError) { return try body() } catch {
      throw CommandFailure("\(name): \(error)")
    }
  }
}

/// An experiment on one store of one implementation.
protocol StoreExperimentCommand: ExperimentCommand {
  var store: StoreChoice { get }
}

extension StoreExperimentCommand {
  var implementation: ImplementationEntry { store.implementation }

  var implementations: [ImplementationEntry] { [implementation] }

  func description() throws(HarnessError) -> ImplementationDescription {
    try store.description()
  }
}

/// An implementation and the place for its files.
struct StoreChoice {
  let implementation: ImplementationEntry
  let storage: StorageChoice?

  static let manual: [Manual.Option] = [
    .implementation,
    .init(
      name: "--storage", value: "memory|disk:DIR",
      help: "Where the store keeps its files; the default is memory."),
    .requireSecret, .allowRemote,
  ]

  init(_ arguments: Arguments, _ manual: Manual, context: Context) throws(UsageError) {
    implementation = try .given(arguments, manual, context: context)
    storage = try .given(arguments, for: implementation, manual)
    guard case .disk? = storage, arguments.value("--jobs") ?? "1" != "1" || arguments.has("--prove")
    else { return }
    throw UsageError("processes cannot share a folder: --storage disk:DIR needs --jobs 1", manual)
  }

  /// The options of the command line that name the store.
  var words: [String] {
    implementation.words + (storage.map { ["--storage", $0.description] } ?? [])
  }

  /// Keeps this process on one processor if the implementation is a process that waits for this
  /// one.
  func stayOnOne() {
    let isWorker = Files.environment(workerVariableName) != nil
    if !implementation.runsBesideItself, !isWorker { Processor.stayOnOne() }
  }

  /// Creates the implementation for the cases of a command.
  func make(for command: JSONString) throws(HarnessError) -> any ImplementationUnderTest {
    let subject = try implementation.make(storage ?? .memory)
    try subject.begin(.run(command))
    return subject
  }

  func description() throws(HarnessError) -> ImplementationDescription {
    let subject = try implementation.make(storage ?? .memory)
    try subject.shutdown()
    return subject.description
  }
}
