internal import ConcurrentClients
internal import Conformance
internal import Datastore
internal import JSON
internal import Rendering
internal import SQLiteSimulation
internal import Scenarios
internal import Simulation

/// `touchstone interleave`: enumerates all interleavings of two operations' steps on files.
struct InterleaveCommand: Command {
  let reportPath: String?
  let runsMax: Int
  private let pairs: ClosedRange<Int>

  var outputPaths: [String] { reportPath.map { [$0] } ?? [] }

  private static let cases = CaseNoun(plural: "pairs", singular: "pair")

  static let manual = Manual(
    words: ["interleave"],
    summary:
      "Enumerate all interleavings of the steps of two operations on the files of the SQLite store.",
    options: [
      .init(
        name: "--pairs", value: "A..B",
        help: "Range of pairs, up to \(InterleavingExperiment.pairCount); the default is "
          + "1..\(InterleavingExperiment.shortPairCount), the pairs that take a few minutes together."
      ),
      .init(
        name: "--runs", value: "COUNT",
        help: "Runs of a pair after which its enumeration is incomplete; the default is 20000."),
      EnumerationReport.option,
    ],
    notes: """
      Two connections of the bundled SQLite store perform one operation each. A step is an operation \
      on a file, a request for a lock, or a wait for one. After each step, either connection may go \
      on. Runs that lead to a state that was met before are not continued twice, so all schedules \
      are covered by few runs. After each run everything is read back, and all outcomes must have an \
      order that the rules accept. Exits with 1 if a schedule has none, and with 3 if an enumeration \
      is incomplete.
      """,
    examples: [("touchstone interleave", "enumerate the schedules of all pairs")])

  init(_ arguments: Arguments, _ context: Context) throws(UsageError) {
    reportPath = arguments.value("--report")
    let all = "1..\(InterleavingExperiment.pairCount)"
    let range = try SeedRange(
      arguments.value("--pairs") ?? "1..\(InterleavingExperiment.shortPairCount)", Self.manual)
    guard range.last <= UInt64(InterleavingExperiment.pairCount) else {
      throw UsageError("--pairs: expected a range within \(all)", Self.manual)
    }
    pairs = Int(range.first)...Int(range.last)
    runsMax = try arguments.number("--runs", 1...10_000_000, for: Self.manual) ?? 20_000
  }

  func run(_ context: Context) throws(CommandFailure) -> ExitCode {
    let results: [InterleavingExperiment.Result]
    do throws(HarnessError) {
      results = try context.explore(
        Array(pairs), jobs: 1, Self.cases
      ) { number throws(HarnessError) in
        try InterleavingExperiment(runsMax: runsMax).explore(pair: number)
      }
    } catch {
      throw CommandFailure("\(error)")
    }
    let report = EnumerationReport(
      subject: EnumerationReport.bundled, words: Self.manual.words,
      cases: results.enumerated().map { place, result in
        CampaignReport(
          seed: UInt64(pairs.lowerBound + place), events: result.states,
          counts: ["runs": result.runs, "schedules": Int(clamping: result.schedules)],
          result.failure.map { failure in
            Trace.Finding(
              oracle: "concurrent",
              shape: JSONString(failure.findings.first?.check.rawValue ?? ""),
              sentence: JSONString(
                "\(result.name): \(failure.findings.first?.sentence ?? "")"), time: 0)
          })
      })
    let isReportOutput = try report.write(to: reportPath, context)
    if !isReportOutput { show(results, context) }
    if results.contains(where: { $0.failure != nil }) { return .failure }
    return results.allSatisfy(\.isComplete) ? .success : .harness
  }

  private func show(_ results: [InterleavingExperiment.Result], _ context: Context) {
    var rows = [["pair", "states", "runs", "schedules", "outcomes"]]
    for result in results {
      rows.append([
        result.name, "\(result.states)", "\(result.runs)",
        result.isComplete ? "\(result.schedules)" : "not all",
        result.outcomes.map(\.words).joined(separator: "; "),
      ])
    }
    for line in TextTable.lines(rows, isRight: { (1...3).contains($0) }) {
      context.output(TextLayout.printable(line) + "\n")
    }
    for result in results {
      guard let (history, findings) = result.failure, let finding = findings.first else { continue }
      context.output(
        "\n\(context.style.bad(result.name)): \(TextLayout.printable(finding.sentence))\n")
      let picture = HistoryPicture(
        finding, in: history, Set(ConsistencyPromise.allCases), isStopped: context.isInterrupted)
      context.output(picture.text(width: context.width, context.style))
    }
  }
}
