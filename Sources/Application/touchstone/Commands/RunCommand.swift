internal import Conformance
internal import Datastore
internal import JSON

/// `touchstone run`: judges an implementation, or several side by side.
struct RunCommand: Command {
  /// Never empty.
  let implementations: [ImplementationEntry]
  let storage: StorageChoice?
  let selection: Selection
  /// The rules that decide about implementations that are not bundled; nil when none were named.
  let grade: ConformanceGrade?
  let vectors: String?
  let reports: [ReportRequest]
  /// Whether the first failure that is required ends the run.
  let failsFast: Bool
  /// How many vectors are asked at a time, each of an implementation of its own; nil leaves it to
  /// the implementation.
  let jobs: Int?
  /// The file with the failures that somebody knows of.
  let knownFailures: String?
  /// Where a list of what fails now goes.
  let baseline: String?
  let today: CalendarDay

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
        name: "--implementation", value: "NAME", isRepeatable: true,
        help:
          "Which one: sqlite (the default), reference, exec:COMMAND and the like for an adapter, or "
          + "mutant:NAME, a mutant of the model. Give several to compare them."
      ),
      .init(
        name: "--profile", value: "NAME", isRepeatable: true,
        help: "Only vectors of core, of a capability or of a profile, such as purge or couchdb."),
      .init(
        name: "--grade", value: "family|contract",
        help:
          "Which rules decide: those that bind the whole family (the default), or all of the "
          + "contract. Bundled stores are always tested with contract."),
      .filter, .vectors,
      .init(
        name: "--report", value: "FORMAT=FILE", isRepeatable: true,
        help:
          "Write html, jsonl, junit, markdown, tap, badge-svg or badge-json to a file; - is the "
          + "standard output."),
      .init(
        name: "--known-failures", value: "FILE",
        help: "Failures that are known and fail no run, as long as they fail as the file says."),
      .init(
        name: "--write-baseline", value: "FILE",
        help: "Write what fails now as such a file; entries that still hold stay as they are."),
      .init(
        name: "--today", value: "YYYY-MM-DD",
        help: "The day by which known failures expire; the clock tells it otherwise."),
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
      .requireSecret,
    ],
    notes: """
      Exits with 0 when the implementation is conformant (or what was selected of the vectors \
      passes, or nothing fails but what --known-failures says), 1 when it is not, 2 for wrong \
      usage, 3 when the harness itself failed. A known failure that passes, fails in another way, \
      is never asked or has expired makes 1 of it. Only the corpus that this program was released \
      with proves conformance: all vectors of another one are 'passed', and a folder that differs \
      from its own manifest.json, or has problems beside one, is 'incomplete' and exits with 1. \
      Failures that only the grade \
      contract counts are named and counted at the grade family, too.
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
      (
        "touchstone run --report html=report.html",
        "a page for people, which needs nothing but itself"
      ),
      (
        "touchstone run --implementation sqlite --implementation mutant:generations-as-text",
        "two implementations side by side, and where they differ"
      ),
      (
        "touchstone run --write-baseline known.json && touchstone run --known-failures known.json",
        "from now on only what is new fails"
      ),
      ("touchstone run --report jsonl=- | jq 'select(.verdict == \"fail\")'", "feed a script"),
    ])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    let implementations = try Self.implementations(arguments, context)
    self.implementations = implementations
    storage = try .given(arguments, for: implementations[0], Self.manual)
    var offers: [Offer] = []
    for name in arguments.values("--profile") { offers.append(try Self.offer(name)) }
    selection = Selection(
      offers: offers, globs: arguments.values("--filter").map { Glob(JSONString($0)) })
    grade = try Self.grade(arguments, implementations)
    vectors = arguments.value("--vectors")
    failsFast = arguments.has("--fail-fast")
    jobs = try arguments.number("--jobs", 1...64, for: Self.manual)
    var reports: [ReportRequest] = []
    for text in arguments.values("--report") { reports.append(try Self.report(text)) }
    guard reports.count(where: { $0.file == "-" }) <= 1 else {
      throw UsageError("only one report fits on the standard output", Self.manual)
    }
    let places = reports.map { JSONString(Files.place($0.file)) }
    if let twice = places.indices.first(where: { places[..<$0].contains(places[$0]) }) {
      throw UsageError("two reports go to \(reports[twice].file)", Self.manual)
    }
    self.reports = reports
    knownFailures = arguments.value("--known-failures")
    baseline = arguments.value("--write-baseline")
    today = try Self.today(arguments, context)
    if implementations.count > 1 { try requireFormsForSeveral() }
  }

  private static func implementations(
    _ arguments: Arguments, _ context: Context
  ) throws(UsageError) -> [ImplementationEntry] {
    var entries: [ImplementationEntry] = []
    let names = arguments.values("--implementation")
    let requiresSecret = try ImplementationEntry.requiresSecret(arguments, of: names, manual)
    for name in names {
      let entry = try ImplementationEntry.named(
        name, manual, context: context, requiresSecret: requiresSecret)
      if entries.contains(where: { $0.name == entry.name }) {
        throw UsageError("\(name) is to be compared with itself", manual)
      }
      entries.append(entry)
    }
    return entries.isEmpty ? [try .given(arguments, manual, context: context)] : entries
  }

  /// The grade of `--grade`, which bundled stores have no choice of.
  private static func grade(
    _ arguments: Arguments, _ implementations: [ImplementationEntry]
  ) throws(UsageError) -> ConformanceGrade? {
    guard let name = arguments.value("--grade") else { return nil }
    let known = ConformanceGrade.allCases.map(\.rawValue)
    guard let grade = ConformanceGrade.allCases.first(where: { $0.rawValue == name }) else {
      throw UsageError(
        "no grade '\(name)'; there is \(known.joined(separator: ", "))", manual,
        suggestion: nearest(to: name, among: known))
    }
    if grade == .family, let bundled = implementations.first(where: \.followsModel) {
      throw UsageError("\(bundled.name) is always tested with --grade contract", manual)
    }
    return grade
  }

  /// Refuses what is about one implementation.
  private func requireFormsForSeveral() throws(UsageError) {
    for (name, isGiven) in [
      ("--known-failures", knownFailures != nil), ("--write-baseline", baseline != nil),
      ("--storage", storage != nil),
    ] where isGiven {
      throw UsageError("\(name) is about one implementation, and several are given", Self.manual)
    }
    if let report = reports.first(where: { !$0.format.holdsSeveral }) {
      throw UsageError(
        "\(report.format.rawValue) has a place for one implementation, and several are given",
        Self.manual)
    }
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
    let corpus = try Corpus.forRun(vectors)
    try selection.requireMatches(in: corpus, Self.manual)
    let list = try readKnownFailures()
    var runs: [(label: String, report: RunReport)] = []
    for implementation in implementations {
      let grade: ConformanceGrade = implementation.followsModel ? .contract : self.grade ?? .family
      var report = try test(implementation, corpus.graded(grade), context: context)
      if let list { report = report.compared(with: list, on: today) }
      runs.append((implementation.name, report))
    }
    try tell(runs, context)
    try writeBaseline(runs[0].report, context)
    let conclusions = runs.map { RunSummary($0.report).conclusion }
    return conclusions.map(\.exitCode).first { $0 == .failure }
      ?? conclusions.map(\.exitCode).first { $0 == .harness } ?? .success
  }

  /// Writes the reports, and for people what came of it.
  private func tell(
    _ runs: [(label: String, report: RunReport)], _ context: Context
  ) throws(CommandFailure) {
    let matrix = runs.count > 1 ? RunMatrix(runs) : nil
    func text(_ format: ReportFormat) -> String {
      matrix.flatMap { format.text(of: $0) } ?? format.text(of: runs[0].report)
    }
    func words(_ width: Int, _ style: TextStyle) -> String {
      matrix.map { MatrixText($0, width: width, style: style).text }
        ?? TerminalReport(runs[0].report, width: width, style: style).text
    }
    // Nobody reads that all is well before all is done; and what reads along may have gone.
    try writeFiles(text)
    if let request = reports.first(where: { $0.file == "-" }) {
      context.output(text(request.format))
      context.error(words(context.errorWidth, context.errorStyle))
    } else {
      context.output(words(context.width, context.style))
    }
  }

  /// Writes the reports that go to files, all that can be written.
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
      throw CommandFailure("the report cannot be written: \(list)")
    }
  }

  /// The command that asks one vector again in the same way.
  func rerunCommand(_ implementation: ImplementationEntry, _ id: String) -> String {
    var words = ["touchstone", "run"] + implementation.words
    if let storage { words += ["--storage", storage.description] }
    if let vectors { words += ["--vectors", vectors] }
    if let grade { words += ["--grade", grade.rawValue] }
    return (words + ["--filter", id]).map(shellQuoted).joined(separator: " ")
  }
}

extension Conclusion {
  fileprivate var exitCode: ExitCode {
    switch self {
    case .conformant, .selectionPassed, .otherCorpusPassed, .knownFailuresOnly: .success
    case .incomplete, .notConformant: .failure
    case .harnessFailed: .harness
    }
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
