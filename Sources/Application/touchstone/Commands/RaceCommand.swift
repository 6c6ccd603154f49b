internal import Conformance
internal import JSON
internal import ObjectContexts
internal import Rendering
internal import Scenarios
internal import Simulation

/// `touchstone race`: enumerates the schedules of the find-or-insert race of three contexts.
struct RaceCommand: Command {
  let page: String?
  let postsOnEmptySave: Bool
  let jobs: Int
  let reportPath: String?

  var outputPaths: [String] { reportPath.map { [$0] } ?? [] }

  static let manual = Manual(
    words: ["race"],
    summary: "Enumerate all schedules of the find-or-insert race of DataStore's 3 contexts.",
    options: [
      .init(
        name: "--page", value: "FILE",
        help: "Write a page with the tables and a diagram of each outcome."),
      .init(
        name: "--silent-empty-saves",
        help: "A context without changes posts no notification when it saves."),
      .explorationJobs, EnumerationReport.option,
    ],
    notes: """
      M on the main queue and B on the background queue both look for a person named Jad, insert \
      one if there is none, and save. The guide says that one person or two may exist afterwards. \
      The command enumerates all orders in which the queues can run, on the contexts themselves \
      over rows in memory. An atomic step is a call, a look-up, an insertion, the save of one \
      context, a merge or a completion: the counts of states and schedules depend on this choice, \
      the set of outcomes does not. The guide's own description counts only look-ups, insertions \
      and saves. Exits with 1 if a forbidden outcome is possible.
      """,
    examples: [("touchstone race --page race.html", "write a page with a diagram of each outcome")]
  )

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    page = arguments.value("--page")
    postsOnEmptySave = !arguments.has("--silent-empty-saves")
    jobs = try arguments.number("--jobs", 1...1024, for: Self.manual) ?? Files.processorCount
    reportPath = arguments.value("--report")
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let findings: RaceFindings
    do throws(ContextError) {
      findings = try RaceFindings(postsOnEmptySave: postsOnEmptySave, jobs: jobs, context)
    } catch {
      throw CommandFailure("\(error)")
    }
    let surprises = findings.outcomes.flatMap { $0.surprises }
    let words = Self.manual.words + (postsOnEmptySave ? [] : ["--silent-empty-saves"])
    let report = EnumerationReport(
      subject: EnumerationReport.bundled, words: words, cases: findings.reports)
    let isReportOutput = try report.write(to: reportPath, context)
    if !isReportOutput { context.output(findings.text) }
    if let page {
      try onFiles { () throws(Files.Failure) in try Files.write(findings.page.html, to: page) }
      if !isReportOutput { context.output("wrote \(page)\n") }
    }
    for surprise in surprises where !isReportOutput {
      context.output(context.style.bad(surprise.sentence.string) + "\n")
    }
    return surprises.isEmpty ? .success : .failure
  }
}
