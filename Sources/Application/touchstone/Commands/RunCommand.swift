internal import Conformance
internal import Datastore
internal import Diagnosis
internal import JSON
internal import Scenarios

/// `touchstone run`: tests an implementation, or compares several.
struct RunCommand: Command {
  /// The implementations; at least one.
  let implementations: [ImplementationEntry]
  let storage: StorageChoice?
  let selection: Selection
  /// The grade for implementations that are not bundled; nil if none was given.
  let grade: ConformanceGrade?
  let vectors: String?
  let reports: [ReportRequest]
  /// Whether the first required failure ends the run.
  let failsFast: Bool
  /// Whether all failures are printed in full.
  let showsAll: Bool
  /// The id of the vector after which the run begins; nil for the whole selection.
  let after: VectorID?
  /// The time limit; nil without one.
  let seconds: Int?
  /// The files of a checkout whose vectors run first.
  let changed: [String]
  /// The number of vectors that run at a time, each on its own implementation; nil for the default
  /// of the implementation.
  let jobs: Int?
  /// Whether the vectors of HTTP run, in place of those of the contract.
  let isWire: Bool
  /// The declared product; nil if none is.
  let product: ProductFile?
  /// The value of `--product`.
  let productName: String?
  /// The file with the known failures.
  let knownFailures: String?
  /// The path of the verdict to write; nil for none.
  let verdict: String?
  /// The path of the baseline to write.
  let baseline: String?
  let today: CalendarDay

  /// A report format and its file.
  struct ReportRequest: Equatable {
    let format: ReportFormat
    /// `-` is standard output; text for readers then goes to standard error.
    let file: String
  }

  var outputPaths: [String] { reports.map(\.file) + [verdict].compactMap { $0 } }

  static let manual = Manual(
    words: ["run"],
    summary: "Test an implementation with every vector that it must pass.",
    options: [
      .init(
        name: "--implementation", value: "NAME",
        choices: ImplementationEntry.completions + ["mutant:"], isRepeatable: true,
        help:
          "sqlite (the default), reference, an adapter such as exec:COMMAND, a server such as "
          + "couchdb:http://127.0.0.1:5984 (couchdb-replicator:URL uses its own replicator), or a changed "
          + "model: mutant:NAME, product:NAME, deviation:ID or variant:NAME. Give several to compare them."
      ),
      .init(
        name: "--profile", value: "NAME",
        choices: Offer.all.map(\.name) + [WireRun.profile], isRepeatable: true,
        help:
          "Run only vectors of core, a capability or a profile, such as purge or couchdb. http runs "
          + "requests of CouchDB's HTTP interface against a server."),
      .init(
        name: "--grade", value: "family|contract",
        help:
          "Apply the rules that bind the whole family (the default), or all rules of the "
          + "contract. Bundled stores always use contract."),
      .filter, .vectors,
      .init(
        name: "--report", value: "FORMAT=FILE",
        choices: ReportFormat.allCases.map { "\($0.rawValue)=" }, isRepeatable: true,
        help:
          "Write html, jsonl, junit, markdown, tap, badge-svg or badge-json to a file; - is "
          + "standard output."),
      .product,
      .init(
        name: "--known-failures", value: "FILE",
        help: "Read known failures; they do not fail the run while they fail as listed."),
      .init(
        name: "--write-baseline", value: "FILE",
        help: "Write the current failures to such a file; keep the entries that still apply."),
      .init(
        name: "--verdict", value: "FILE",
        help: "Write a verdict that touchstone verify can check."),
      .init(
        name: "--today", value: "YYYY-MM-DD",
        help:
          "The date of the run, for the expiry of known failures and for pages; the default is "
          + "the current date."),
      .init(
        name: "--storage", value: "memory|disk:DIR",
        help: "Where the store keeps its files; the default is memory."),
      .init(
        name: "--all",
        help: "Print every failure in full; the default is the 10 simplest, and counts."),
      .init(
        name: "--after", value: "ID",
        help: "Continue an interrupted run: begin with the vector after this one."),
      .init(
        name: "--fail-fast",
        help: "Stop at the first required vector that fails; reports end there, too."),
      .init(
        name: "--changed", value: "FILE", isRepeatable: true,
        help:
          "In a checkout of Touchstone: run the vectors first that are likely to detect an error in "
          + "this file."),
      .init(
        name: "--seconds", value: "COUNT",
        help:
          "Run for about this many seconds, the vectors first that kill the most mutants; say which "
          + "share of the mutants they kill."),
      .init(
        name: "--jobs", value: "N",
        help:
          "Vectors to run at a time; the default is the number of processors."),
      .requireSecret, .allowRemote, .stopCommand, .startCommand,
    ],
    notes: """
      Exits with 0 if the implementation is conformant (or if the selected vectors pass, or if \
      only known failures fail), with 1 if it is not, with 2 on wrong usage, and with 3 if the \
      harness failed. A known failure that passes, fails differently, is not run or has expired \
      makes the exit code 1. With --product, the exit code is 0 if declared deviations explain every \
      failure exactly, and the verdict is then 'explained'. Only the released corpus of this program proves conformance: the \
      verdict about another corpus is 'passed', and the verdict about a folder that differs from \
      its manifest.json, or has problems without one, is 'incomplete' with exit code 1. Failures \
      that only the grade contract counts are listed and counted with the grade family, too. The run ends early \
      if more than 50 vectors in a row end with the same protocol error, and on Control-C; it then \
      prints the results so far and the command that runs the rest.
      """,
    examples: [
      ("touchstone run", "test the bundled SQLite store"),
      (
        "touchstone run --filter 'TREE-*' --filter 'winner-*'",
        "run only vectors about revision trees"
      ),
      (
        "touchstone run --implementation reference --report junit=build/touchstone.xml",
        "test the model and write a report for a build server"
      ),
      (
        "touchstone run --report markdown=$GITHUB_STEP_SUMMARY",
        "show the verdict in the summary of a build"
      ),
      ("touchstone run --verdict verdict.json", "write a verdict that others can check"),
      ("touchstone run --seconds 2", "run what finds the most errors in two seconds"),
      (
        "touchstone run --report html=report.html",
        "write a self-contained page"
      ),
      (
        "touchstone run --implementation sqlite --implementation mutant:generations-as-text",
        "compare two implementations"
      ),
      (
        "touchstone run --implementation 'exec:./my-couchdb' --product couchdb-3.5",
        "look behind the known deviations of CouchDB"
      ),
      (
        "touchstone run --write-baseline known.json; touchstone run --known-failures known.json",
        "fail only on new failures"
      ),
      (
        "touchstone run --implementation couchdb:http://127.0.0.1:5984 --profile http",
        "test the HTTP interface of a server"
      ),
      (
        "touchstone run --report jsonl=- | jq 'select(.verdict == \"fail\")'",
        "filter the results in a script"
      ),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let implementations = try Self.implementations(arguments, context)
    self.implementations = implementations
    storage = try .given(arguments, for: implementations[0], Self.manual)
    var offers: [Offer] = []
    isWire = try Self.isWire(arguments)
    if !isWire {
      for name in arguments.values("--profile") { offers.append(try Self.offer(name)) }
    }
    selection = Selection(
      offers: offers, globs: arguments.values("--filter").map { Glob(JSONString($0)) })
    grade = try Self.grade(arguments, implementations)
    vectors = arguments.value("--vectors")
    product = try .given(arguments, Self.manual)
    productName = arguments.value("--product")
    failsFast = arguments.has("--fail-fast")
    showsAll = arguments.has("--all")
    after = arguments.value("--after").map { VectorID(JSONString($0)) }
    seconds = try arguments.number("--seconds", 1...100_000, for: Self.manual)
    changed = arguments.values("--changed")
    guard seconds == nil && changed.isEmpty || after == nil else {
      throw UsageError(
        "--after continues in the order of the corpus: leave out --seconds and --changed",
        Self.manual)
    }
    jobs = try arguments.number("--jobs", 1...64, for: Self.manual)
    var reports: [ReportRequest] = []
    for text in arguments.values("--report") { reports.append(try Self.report(text)) }
    guard reports.count(where: { $0.file == "-" }) <= 1 else {
      throw UsageError("only one report can go to standard output", Self.manual)
    }
    let places = reports.map { JSONString(Files.place($0.file)) }
    if let twice = places.indices.first(where: { places[..<$0].contains(places[$0]) }) {
      throw UsageError("two reports go to \(reports[twice].file)", Self.manual)
    }
    self.reports = reports
    knownFailures = arguments.value("--known-failures")
    baseline = arguments.value("--write-baseline")
    verdict = arguments.value("--verdict")
    for (name, file) in [("--write-baseline", baseline), ("--verdict", verdict)] where file == "-" {
      throw UsageError("\(name) needs a file", Self.manual)
    }
    for (name, file) in [
      ("--known-failures", knownFailures), ("--write-baseline", baseline), ("--verdict", verdict),
    ] {
      if let file, places.contains(JSONString(Files.place(file))) {
        throw UsageError("a report would replace \(file) of \(name)", Self.manual)
      }
    }
    today = try Self.today(arguments, context)
    if implementations.count > 1 { try requireFormsForSeveral() }
    try requireFormsForVerdict()
    if jobs ?? 1 > 1, implementations.contains(where: { $0.serverOptions.commands != nil }) {
      throw UsageError("--stop-command kills the server of all jobs: use --jobs 1", Self.manual)
    }
  }
}

extension RunCommand {
  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    if isWire { return try runWire(context) }
    let corpus = try Corpus.forRun(vectors)
    try selection.requireMatches(in: corpus, Self.manual)
    try requireRest(of: corpus)
    // Before the first vector runs.
    if verdict != nil { _ = try Self.manifest(of: corpus) }
    let list = try readKnownFailures()
    let earlier = try readBaseline()
    var runs: [(label: String, report: RunReport)] = []
    for implementation in implementations {
      let grade: ConformanceGrade = implementation.followsModel ? .contract : self.grade ?? .family
      var report = try test(implementation, corpus.graded(grade), context: context)
      if let list { report = report.compared(with: list, on: today) }
      report.origin = RunOrigin(day: today)
      report.verdictName = verdict.map(fileName)
      runs.append((implementation.name, report))
      if report.stop == .interrupted { break }
    }
    try tell(runs, context)
    reportIntermittentDeviations(runs[0].report, context)
    let entries = (list?.entries ?? []) + (earlier?.entries ?? [])
    try writeBaseline(runs[0].report, keeping: entries, context)
    try writeVerdict(runs[0].report, context)
    let conclusions = runs.map { RunSummary($0.report).conclusion }
    return conclusions.map(\.exitCode).first { $0 == .failure }
      ?? conclusions.map(\.exitCode).first { $0 == .harness } ?? .success
  }

  /// Writes the reports, and prints the result for readers.
  private func tell(
    _ runs: [(label: String, report: RunReport)], _ context: Context
  ) throws(CommandFailure) {
    let matrix = runs.count > 1 ? RunMatrix(runs) : nil
    func text(_ format: ReportFormat) -> String {
      matrix.flatMap { format.text(of: $0) } ?? format.text(of: runs[0].report)
    }
    func words(_ width: Int, _ style: TextStyle) -> String {
      matrix.map { MatrixText($0, width: width, style: style).text }
        ?? TerminalReport(runs[0].report, width: width, style: style, showsAll: showsAll).text
    }
    // Results are final only at the end; and a reader of the pipe may have exited by now.
    // A report that cannot be written does not hide the results.
    var failure: CommandFailure?
    do throws(CommandFailure) { try writeFiles(text) } catch { failure = error }
    if let request = reports.first(where: { $0.file == "-" }) {
      context.output(text(request.format))
      context.error(words(context.errorWidth, context.errorStyle))
    } else {
      context.output(words(context.width, context.style))
    }
    if let run = runs.last { tellRest(run.report, context) }
    let others = implementations.dropFirst(runs.count).map(\.name)
    if !others.isEmpty {
      context.error(
        "not tested, because the run was interrupted: \(others.joined(separator: ", "))\n")
    }
    if let failure { throw failure }
  }

  /// Writes the reports that go to files; an error does not stop the others.
  private func writeFiles(_ text: (ReportFormat) -> String) throws(CommandFailure) {
    var failures: [Files.Failure] = []
    for request in reports where request.file != "-" {
      do throws(Files.Failure) {
        try Files.write(text(request.format), to: request.file)
      } catch {
        failures.append(error)
      }
    }
    guard failures.isEmpty else {
      let list = failures.map(\.description).joined(separator: "; ")
      throw CommandFailure("cannot write the report: \(list)")
    }
  }

  /// Returns the command that runs one vector again with the same options.
  func rerunCommand(_ implementation: ImplementationEntry, _ id: String) -> String {
    command(implementation, ["--filter", id])
  }

  /// Returns a command with the options that a verdict depends on.
  func command(_ implementation: ImplementationEntry, _ options: [String]) -> String {
    var words = ["touchstone", "run"] + implementation.words
    if let storage { words += ["--storage", storage.description] }
    if let vectors { words += ["--vectors", vectors] }
    if let grade { words += ["--grade", grade.rawValue] }
    if let productName { words += ["--product", productName] }
    return (words + options).map(shellQuoted).joined(separator: " ")
  }
}

extension Conclusion {
  fileprivate var exitCode: ExitCode {
    switch self {
    case .conformant, .restricted, .selectionPassed, .otherCorpusPassed, .explained,
      .knownFailuresOnly:
      .success
    case .incomplete, .notConformant: .failure
    case .harnessFailed: .harness
    }
  }
}

/// Returns a word quoted for a shell.
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
