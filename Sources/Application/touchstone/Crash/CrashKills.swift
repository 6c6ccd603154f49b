internal import Adapters
internal import Conformance
internal import CrashTesting
internal import Datastore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The result of killed processes.
struct KillReport: Sendable {
  var kills = 0
  /// Kills during an operation.
  var amidst = 0
  var survivors = 0
  var losses: [CrashLoss] = []
}

/// Kills processes that run the steps of one scenario on the real file system.
///
/// The seed decides which output line to wait for and the delay after it; it does not decide what
/// the process does at that moment.
struct CrashKills {
  private let scenario: CrashScenario
  private let count: Int
  private let parent: String?
  private let seed: UInt64

  /// The longest delay after a line: longer than nearly all operations take.
  private static let microsecondsMax: UInt64 = 3000

  /// - Parameter parent: the folder for the temporary folder; nil for the default of the system.
  init(_ scenario: CrashScenario, count: Int, seed: UInt64, _ parent: String?) {
    self.scenario = scenario
    self.count = count
    self.seed = seed
    self.parent = parent
  }

  func run(_ context: Context) throws(CommandFailure) -> KillReport {
    var report = KillReport()
    let random = RunEnvironment(seed: seed)
    var progress = ProgressLine(context)
    defer { progress.finish() }
    // A process that is not killed shows the number of lines.
    let lineCount = try inFolder { (folder) throws(CommandFailure) in
      let process = try start(in: folder.path)
      while !process.advance(milliseconds: 100) {}
      guard process.end == .exited(0) else {
        throw CommandFailure("\(scenario.name) does not finish in a separate process")
      }
      return Self.lines(process.output) ?? 0
    }
    for number in 1...count where !context.isInterrupted() {
      let line = Int(random.nextRandom() % UInt64(max(1, lineCount)))
      let microseconds = random.nextRandom() % Self.microsecondsMax
      let loss = try inFolder { (folder) throws(CommandFailure) in
        let verdict = try kill(after: line, microseconds, in: folder.path)
        report.kills += 1
        if verdict.operation != nil { report.amidst += 1 }
        guard let finding = verdict.finding else { return nil as CrashLoss? }
        return CrashLoss(
          scenario: scenario.name, point: number, step: nil, operation: verdict.operation,
          outcome: "the process was killed; its files are in \(folder.keep())", finding: finding)
      }
      if let loss { report.losses.append(loss) } else { report.survivors += 1 }
      progress.show(number, of: count, "kills of \(scenario.name)")
    }
    return report
  }

  /// Starts a process, kills it, and checks the files it leaves.
  private func kill(
    after line: Int, _ microseconds: UInt64, in folder: String
  ) throws(CommandFailure) -> KilledProcess.Verdict {
    let process = try start(in: folder)
    while Self.lines(process.output) ?? -1 < line, !process.advance(milliseconds: 20) {}
    usleep(UInt32(microseconds))
    process.kill()
    do throws(HarnessError) {
      return try KilledProcess(scenario, folder: folder).check(process.output)
    } catch {
      throw CommandFailure("\(scenario.name): \(error)")
    }
  }

  private func start(in folder: String) throws(CommandFailure) -> Subprocess {
    guard let program = Files.executable else {
      throw CommandFailure("the path of this program is unknown; cannot start another process")
    }
    do throws(Subprocess.Failure) {
      return try Subprocess(
        program, ["crash", "--perform", scenario.name, "--folder", folder], variables: [])
    } catch {
      throw CommandFailure("cannot start \(program): \(error)")
    }
  }

  /// Returns the complete lines since the end of the preparation; nil before that.
  private static func lines(_ output: [UInt8]) -> Int? {
    let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let ready = lines.firstIndex { $0.elementsEqual(KilledProcess.readyLine.utf8) }
    return ready.map { lines.count - 2 - $0 }
  }

  /// Runs a closure with a new temporary folder, which is removed afterwards unless it is kept.
  private func inFolder<Value>(
    _ body: (DataFolder) throws(CommandFailure) -> Value
  ) throws(CommandFailure) -> Value {
    let folder: DataFolder
    do throws(SystemFailure) { folder = try DataFolder(in: parent) } catch {
      throw CommandFailure("cannot create a folder in \(parent ?? DataFolder.parent): \(error)")
    }
    return try withExtendedLifetime(folder) { () throws(CommandFailure) in try body(folder) }
  }
}
