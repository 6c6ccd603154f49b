internal import Conformance
internal import JSON
internal import ObjectContexts
internal import Rendering
internal import Scenarios
internal import Simulation

/// `touchstone race`: the find-or-insert race of three contexts, in every schedule there is.
struct RaceCommand: Command {
  let page: String?
  let postsOnEmptySave: Bool
  let jobs: Int
  let reportPath: String?

  static let manual = Manual(
    words: ["race"],
    summary: "Go through all schedules of the find-or-insert race of DataStore's three contexts.",
    options: [
      .init(name: "--page", value: "FILE", help: "Write a page with the tables and all pictures."),
      .init(
        name: "--silent-empty-saves",
        help: "A context without changes tells nobody of its save, so there is less to merge."),
      .explorationJobs, EnumerationReport.option,
    ],
    notes: """
      M on the main queue and B on the background queue both look for a person named Jad, insert one \
      when there is none, and save. The guide says that there may be one afterwards, or two. All \
      orders are tried in which the queues can run, on the contexts themselves over rows in memory. \
      One piece, which nothing comes between, is a call, a look, an insertion, the save of one \
      context, a merge, a completion: the counts of states and schedules depend on that, what can \
      come out does not. The guide's own words count only looks, insertions and saves. Exits with 1 \
      when something comes out that must not.
      """,
    examples: [("touchstone race --page race.html", "with a picture of each thing that can happen")]
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
