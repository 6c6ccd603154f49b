internal import Conformance
internal import Datastore
internal import JSON

/// `touchstone run`: judges an implementation.
struct RunCommand: Command {
  let implementation: ImplementationEntry
  let storage: StorageChoice?
  let selection: Selection
  let vectors: String?
  let reports: [ReportRequest]
  /// Whether the first failure that is required ends the run.
  let failsFast: Bool
  /// How many vectors are asked at a time, each of an implementation of its own.
  let jobs: Int

  /// A report, and where it goes.
  struct ReportRequest: Equatable {
    let format: ReportFormat
    /// `-` is the standard output; people then read the standard error.
    let file: String
  }

  static let manual = Manual(
    words: ["run"],
    summary: "Judge an implementation: ask it every vector that it has to pass.",
    options: [
      .init(
        name: "--implementation", value: "NAME",
        help: "Which one: sqlite (the default) or reference."),
      .init(
        name: "--profile", value: "NAME", isRepeatable: true,
        help: "Only vectors of core, of a capability or of a profile, such as purge or couchdb."),
      .filter, .vectors,
      .init(
        name: "--report", value: "FORMAT=FILE", isRepeatable: true,
        help: "Write jsonl, junit, markdown or tap to a file; - is the standard output."),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help: "Where a store that keeps files keeps them; memory is the default."),
      .init(
        name: "--fail-fast",
        help: "Stop at the first required vector that fails; the reports end there, too."),
      .init(
        name: "--jobs", value: "N",
        help:
          "How many vectors are asked at a time; one for each processor. No verdict depends on it."),
    ],
    notes: """
      Exits with 0 when the implementation is conformant (or what was selected of the vectors passes), 1 when it \
      is not, 2 for wrong usage, 3 when the harness itself failed.
      """,
    examples: [
      ("touchstone run", "judge the bundled SQLite store"),
      ("touchstone run --filter 'TREE-*' --filter 'winner-*'", "only what is about trees"),
      (
        "touchstone run --implementation reference --report junit=build/touchstone.xml",
        "judge the model and leave a report for a build server"
      ),
      (
        "touchstone run --report markdown=$GITHUB_STEP_SUMMARY",
        "show the verdict on the page of a build"
      ),
      ("touchstone run --report jsonl=- | jq 'select(.verdict == \"fail\")'", "feed a script"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    implementation = try .given(arguments, Self.manual, context)
    storage = try .given(arguments, for: implementation, Self.manual)
    var offers: [Offer] = []
    for name in arguments.values("--profile") { offers.append(try Self.offer(name)) }
    selection = Selection(
      offers: offers, globs: arguments.values("--filter").map { Glob(Text($0)) })
    vectors = arguments.value("--vectors")
    failsFast = arguments.has("--fail-fast")
    jobs =
      try SimulationOptions.number(arguments, "--jobs", 1...64, Self.manual)
      ?? (implementation.runsBesideItself ? Files.processorCount : 1)
    var reports: [ReportRequest] = []
    for text in arguments.values("--report") { reports.append(try Self.report(text)) }
    guard reports.count(where: { $0.file == "-" }) <= 1 else {
      throw UsageError("only one report fits on the standard output", Self.manual)
    }
    let places = reports.map { Text(Files.place($0.file)) }
    if let twice = places.indices.first(where: { places[..<$0].contains(places[$0]) }) {
      throw UsageError("two reports go to \(reports[twice].file)", Self.manual)
    }
    self.reports = reports
  }

  private static func offer(_ name: String) throws(UsageError) -> Offer {
    if let offer = Offer.all.first(where: { $0.name == name }) { return offer }
    let known = Offer.all.map(\.name)
    throw UsageError(
      "no profile '\(name)'; there is \(known.joined(separator: ", "))", manual,
      suggestion: nearest(to: name, among: known))
  }

  private static func report(_ text: String) throws(UsageError) -> ReportRequest {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    let known = ReportFormat.allCases.map(\.rawValue)
    guard let format = ReportFormat.allCases.first(where: { $0.rawValue == parts[0] }) else {
      throw UsageError(
        "no report '\(parts[0])'; there is \(known.joined(separator: ", "))", manual,
        suggestion: nearest(to: parts[0], among: known))
    }
    guard parts.count == 2, !parts[1].isEmpty else {
      throw UsageError("--report needs a file: \(format.rawValue)=FILE", manual)
    }
    return ReportRequest(format: format, file: parts[1])
  }
}

extension RunCommand {
  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let corpus = try Corpus.forCommand(vectors)
    try selection.requireMatches(in: corpus, Self.manual)
    let report = try judge(corpus, context)
    // Nobody reads that all is well before all is done; and what reads along may have gone.
    try writeFiles(report)
    if let request = reports.first(where: { $0.file == "-" }) {
      context.output(request.format.text(of: report))
      let report = TerminalReport(report, width: context.errorWidth, style: context.errorStyle)
      context.error(report.text)
    } else {
      context.output(TerminalReport(report, width: context.width, style: context.style).text)
    }
    switch RunSummary(report).conclusion {
    case .conformant, .selectionPassed: return .success
    case .notConformant: return .failure
    case .harnessFailed: return .harness
    }
  }

  /// Does what may fail without saying anything about the implementation.
  func attempt<Value>(
    _ work: () throws(HarnessError) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(HarnessError) {
      return try work()
    } catch {
      throw CommandFailure("\(implementation.name): \(error)")
    }
  }

  /// Writes the reports that go to files, all that can be written.
  private func writeFiles(_ report: RunReport) throws(CommandFailure) {
    var failures: [Files.Failure] = []
    for request in reports where request.file != "-" {
      do throws(Files.Failure) {
        try Files.write(request.format.text(of: report), to: request.file)
      } catch {
        failures.append(error)
      }
    }
    guard failures.isEmpty else {
      let list = failures.map(\.description).joined(separator: "; ")
      throw CommandFailure("the report cannot be written: \(list)")
    }
  }

  /// The command that asks one vector again in the same way.
  func rerunCommand(_ id: String) -> String {
    var words = ["touchstone", "run", "--implementation", implementation.name]
    if let storage { words += ["--storage", storage.description] }
    if let vectors { words += ["--vectors", vectors] }
    return (words + ["--filter", id]).map(shellQuoted).joined(separator: " ")
  }
}

/// A word as a shell reads it back.
func shellQuoted(_ word: String) -> String {
  let plain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","),
      UInt8(ascii: "="):
      true
    default: false
    }
  }
  guard !plain || word.isEmpty else { return word }
  return "'"
    + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    + "'"
}
