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

  /// A report for machines, and where it goes.
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
      .init(
        name: "--filter", value: "GLOB", isRepeatable: true,
        help: "Only vectors with such an id or clause; * is any text, ? any one byte."),
      .init(
        name: "--vectors", value: "DIR|FILE",
        help: "A folder with clauses.json and vectors, or one file of vectors."),
      .init(
        name: "--report", value: "FORMAT=FILE", isRepeatable: true,
        help: "Write jsonl, junit or tap to a file; - is the standard output."),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help: "Where a store that keeps files keeps them; memory is the default."),
    ],
    notes: """
      Exits with 0 when the implementation is conformant (or the selected vectors pass), 1 when it \
      is not, 2 for wrong usage, 3 when the harness itself failed.
      """,
    examples: [
      ("touchstone run", "judge the bundled SQLite store"),
      ("touchstone run --filter 'TREE-*' --filter 'winner-*'", "only what is about trees"),
      (
        "touchstone run --implementation reference --report junit=build/touchstone.xml",
        "judge the model and leave a report for a build server"
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
    var reports: [ReportRequest] = []
    for text in arguments.values("--report") { reports.append(try Self.report(text)) }
    guard reports.count(where: { $0.file == "-" }) <= 1 else {
      throw UsageError("only one report fits on the standard output", Self.manual)
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
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let known = ReportFormat.allCases.map(\.rawValue)
    guard let format = ReportFormat.allCases.first(where: { $0.rawValue == parts[0] }) else {
      throw UsageError(
        "no report '\(parts[0])'; there is \(known.joined(separator: ", "))", manual,
        suggestion: nearest(to: parts[0], among: known))
    }
    guard parts.count == 2 else {
      throw UsageError("--report needs a file: \(format.rawValue)=FILE", manual)
    }
    return ReportRequest(format: format, file: parts[1])
  }
}

extension RunCommand {
  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let corpus = try Corpus.forCommand(vectors)
    let report = try judge(corpus, context)
    let isOutputTaken = reports.contains { $0.file == "-" }
    let style = isOutputTaken ? context.errorStyle : context.style
    let text = TerminalReport(report, width: context.width, style: style).text
    if isOutputTaken { context.error(text) } else { context.output(text) }
    for request in reports { try write(request, report, context) }
    switch RunSummary(report).conclusion {
    case .conformant, .selectionPassed: return .success
    case .notConformant: return .failure
    case .harnessFailed: return .harness
    }
  }

  private func judge(_ corpus: Corpus, _ context: Context) throws(CommandFailure) -> RunReport {
    do throws(HarnessError) {
      let subject = try implementation.make(storage ?? .memory)
      let runner = Runner(
        subject, nanoseconds: context.nanoseconds, rerunCommand: { rerunCommand($0.description) })
      var line = ProgressLine(context)
      let report = runner.run(corpus, selection) { done, count in
        line.show(done, of: count, "vectors")
      }
      line.finish()
      try subject.shutdown()
      return report
    } catch {
      throw CommandFailure("\(implementation.name): \(error)")
    }
  }

  private func write(
    _ request: ReportRequest, _ report: RunReport, _ context: Context
  ) throws(CommandFailure) {
    let text = request.format.text(of: report)
    guard request.file != "-" else { return context.output(text) }
    do throws(Files.Failure) {
      try Files.write(text, to: request.file)
    } catch {
      throw CommandFailure("the report cannot be written: \(error)")
    }
  }

  /// The command that asks one vector again in the same way.
  private func rerunCommand(_ id: String) -> String {
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
