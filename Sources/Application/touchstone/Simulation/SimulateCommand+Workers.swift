internal import Conformance
internal import JSON
internal import Simulation

/// A campaign over several processes: each gets a piece of the seeds, and their reports are joined.
extension SimulateCommand {
  /// Tells a process that it works for another one.
  static let workerVariable = "TOUCHSTONE_WORKER"

  /// All seeds, in as many processes at a time as were asked for.
  func runInWorkers(
    _ part: inout SeedPart, _ context: Context
  ) throws(CommandFailure) -> CampaignReport {
    guard let program = Files.executable else {
      throw CommandFailure("the path of this program is not known; --jobs 1 needs no other process")
    }
    var report = CampaignReport()
    var progress = CampaignProgress(context)
    let deadline = seconds.map { context.nanoseconds() + UInt64($0) * 1_000_000_000 }
    // Small enough that no process is left to work alone at the end.
    let share = seconds == nil ? seeds.count / (jobs * 8) : 10
    var pieces = seeds.pieces(of: UInt64(min(500, max(1, share))))
    var running: [(seeds: SeedRange, process: Subprocess)] = []
    defer { for (_, process) in running { process.stop() } }
    var isOver = false
    while true {
      while !isOver, running.count < jobs {
        guard context.nanoseconds() < deadline ?? .max, let piece = pieces.next() else {
          isOver = true
          break
        }
        running.append((piece, try start(program, piece)))
      }
      guard !running.isEmpty else { break }
      for (seeds, process) in running where process.advance(milliseconds: 5) {
        let file = try read(process, seeds)
        do throws(CampaignReport.Overflow) {
          try report.join(file.report)
        } catch {
          throw CommandFailure("\(error)")
        }
        for span in (file.seeds ?? []).flatMap(\.ran) { part.add(span) }
        // One find is what a known mistake is made for.
        if options.mistake != nil, !report.failures.isEmpty { isOver = true }
      }
      running.removeAll { $0.process.end != nil }
      progress.show(report, of: seconds == nil ? seeds.count : nil)
    }
    progress.finish()
    return report
  }

  private func start(
    _ program: String, _ seeds: SeedRange
  ) throws(CommandFailure) -> Subprocess {
    do throws(Subprocess.Failure) {
      return try Subprocess(
        program, ["simulate"] + workerWords(seeds), ["\(Self.workerVariable)=1"])
    } catch {
      throw CommandFailure("\(program) cannot be started: \(error)")
    }
  }

  /// What a process is told that does some of the seeds.
  func workerWords(_ seeds: SeedRange) -> [String] {
    ["--seeds", "\(seeds.first)..\(seeds.last)", "--shard", "1/\(seeds.stride)", "--jobs", "1"]
      + options.words + (isSafetyOnly ? ["--safety-only"] : []) + ["--report", "-"]
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
      throw CommandFailure("\(place) was ended by signal \(signal)\(Self.message(of: process))")
    case .timedOut, nil: throw CommandFailure("\(place) did not end")
    }
    do {
      return try CampaignFile(try JSONValue.parse(process.output))
    } catch {
      throw CommandFailure(
        "\(place) wrote an invalid report: \(error)\(Self.message(of: process))")
    }
  }

  /// What a worker wrote to its standard error, which has what its adapter wrote there.
  private static func message(of process: Subprocess) -> String {
    let text = String(decoding: process.errorTail, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { TextLayout.printable(String($0)) }
    return lines.isEmpty ? "" : ":\n" + lines.joined(separator: "\n")
  }
}
