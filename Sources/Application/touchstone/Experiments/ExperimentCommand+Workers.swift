internal import Conformance
internal import JSON
internal import Simulation

/// The environment variable that marks a worker process.
let workerVariableName = "TOUCHSTONE_WORKER"

/// An experiment in several processes: each runs a piece of the seeds, and their reports are
/// joined.
extension ExperimentCommand {
  /// Runs all seeds, in as many processes at a time as `--jobs` names.
  ///
  /// - Returns: what was completed, and the failure of a worker, whose seeds are missing.
  func runInWorkers(
    _ context: Context
  ) throws(CommandFailure) -> (report: CampaignReport, part: SeedPart, failure: CommandFailure?) {
    // Small pieces, so that all processes end at about the same time.
    let share = experiment.caseCount.map { $0 / (experiment.jobs * 8) } ?? 10
    var part = SeedPart(experiment.seeds, isTimed: experiment.seconds != nil)
    let (report, spans, failure) = try runPieces(
      experiment.seeds.pieces(of: UInt64(min(500, max(1, share)))), of: experiment.caseCount,
      context: context, isComplete: isComplete)
    for span in spans { part.add(span) }
    return (report, part, failure)
  }

  /// Runs pieces of seeds, in as many processes at a time as `--jobs` names.
  ///
  /// - Parameters:
  ///   - count: the number of all cases; nil if it is unknown.
  ///   - isComplete: whether the findings so far end the experiment.
  /// - Returns: what was completed, and the failure of a worker, whose seeds are missing.
  func runPieces(
    _ pieces: some Sequence<SeedRange>, of count: Int?, context: Context,
    isComplete: (CampaignReport) -> Bool
  ) throws(CommandFailure) -> (
    report: CampaignReport, ran: [SeedPart.Span], failure: CommandFailure?
  ) {
    guard let program = Files.executable else {
      throw CommandFailure("the path of this program is unknown; use --jobs 1")
    }
    context.watchInterruption()
    var report = CampaignReport()
    var ran: [SeedPart.Span] = []
    var progress = ExperimentProgress(context, Self.cases, of: count)
    let jobs = experiment.jobs
    let deadline = experiment.deadline(context)
    var pieces = pieces.makeIterator()
    var running: [(seeds: SeedRange, process: Subprocess)] = []
    defer { for (_, process) in running { process.stop() } }
    var isOver = false
    var failure: CommandFailure?
    // After an interruption, the time until which the workers may finish their steps.
    var limit: UInt64?
    while true {
      if limit == nil, context.isInterrupted() {
        isOver = true
        limit = context.nanoseconds() + Self.finishNanoseconds
        for (_, process) in running { process.interrupt() }
      }
      while !isOver, running.count < jobs {
        guard context.nanoseconds() < deadline, !context.isInterrupted(), let piece = pieces.next()
        else {
          isOver = true
          break
        }
        running.append((piece, try start(program, piece)))
      }
      guard !running.isEmpty, limit.map({ context.nanoseconds() < $0 }) ?? true else { break }
      for (seeds, process) in running where process.advance(milliseconds: 5) {
        // A worker that has completed no case ends by the signal.
        if case .signalled? = process.end, context.isInterrupted() { continue }
        let file: CampaignFile
        do throws(CommandFailure) {
          file = try read(process, seeds)
        } catch {
          failure = failure ?? error
          isOver = true
          continue
        }
        do throws(CampaignReport.Overflow) {
          try report.join(file.report)
        } catch {
          throw CommandFailure("\(error)")
        }
        ran += (file.seeds ?? []).flatMap(\.ran)
        if isComplete(report) { isOver = true }
      }
      running.removeAll { $0.process.end != nil }
      progress.show(report)
    }
    progress.finish()
    return (report, ran, failure)
  }

  /// The time for which an interrupted campaign waits for its workers: 10 s.
  private static var finishNanoseconds: UInt64 { 10_000_000_000 }

  private func start(
    _ program: String, _ seeds: SeedRange
  ) throws(CommandFailure) -> Subprocess {
    do throws(Subprocess.Failure) {
      return try Subprocess(
        program, workerWords(seeds, 1),
        variables: ["\(workerVariableName)=1"] + implementations.secretVariables)
    } catch {
      throw CommandFailure("cannot start \(program): \(error)")
    }
  }

  /// The command line of a process that runs some of the seeds.
  func workerWords(_ seeds: SeedRange, _ jobs: Int) -> [String] {
    let failFast = ExperimentOptions.failFast.name
    return Self.manual.words
      + ["--seeds", "\(seeds.first)..\(seeds.last)", "--shard", "1/\(seeds.stride)"]
      + ["--jobs", "\(jobs)"] + words + ["--report", "-"]
      + (experiment.failsFast && !words.contains(failFast) ? [failFast] : [])
  }

  private func read(
    _ process: Subprocess, _ seeds: SeedRange
  ) throws(CommandFailure) -> CampaignFile {
    let place = "the worker for seeds \(seeds.first)..\(seeds.last)"
    switch process.end {
    case .exited(0), .exited(1): break
    case .exited(let code):
      throw CommandFailure("\(place) exited with code \(code)\(Self.message(of: process))")
    case .signalled(let signal):
      throw CommandFailure("\(place) was killed by signal \(signal)\(Self.message(of: process))")
    case .timedOut, nil: throw CommandFailure("\(place) did not end")
    }
    do {
      return try CampaignFile(try JSONValue.parse(process.output))
    } catch {
      throw CommandFailure(
        "\(place) wrote an invalid report: \(error)\(Self.message(of: process))")
    }
  }

  /// The standard error of a process, which includes that of its adapter.
  static func message(of process: Subprocess) -> String {
    let text = String(decoding: process.errorTail, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { TextLayout.printable(String($0)) }
    return lines.isEmpty ? "" : ":\n" + lines.joined(separator: "\n")
  }
}
