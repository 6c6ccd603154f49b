public import Datastore
internal import JSON
internal import Storage

/// A scenario in a separate process, on a real file system, that is killed at any moment.
///
/// The process prints each operation when it begins and when it ends; operations printed as ended
/// were acknowledged, and one printed as begun has an unknown outcome. The parent process opens the
/// files and checks them against these lines.
public struct KilledProcess {
  private let scenario: CrashScenario
  private let folder: String

  /// - Parameter folder: an empty folder for the files of the store.
  public init(_ scenario: CrashScenario, folder: String) {
    self.scenario = scenario
    self.folder = folder
  }

  /// The line that marks the end of the preparation.
  public static let readyLine = "{\"ready\":{}}"

  // MARK: In the killed process

  /// Performs all steps; prints each line as soon as it is true.
  public func perform(saying say: @escaping (String) -> Void) throws(HarnessError) {
    let world = try world()
    world.onEvent = { say($0.json.serialized()) }
    try world.prepare(scenario)
    say(Self.readyLine)
    try world.perform(.open())
    for step in scenario.steps { try world.take(step) }
    if let finding = world.finding { throw HarnessError(finding.sentence) }
    try world.shutDown()
  }

  // MARK: In the parent process

  /// The result of a process.
  public struct Verdict: Sendable {
    /// The operation in flight at the kill, as JSON; nil between two.
    public let operation: String?
    /// The number of acknowledged operations.
    public let acknowledged: Int
    public let finding: CrashFinding?
  }

  /// Opens the files of a process and checks them against its lines; a line without its end is
  /// ignored.
  public func check(_ output: [UInt8]) throws(HarnessError) -> Verdict {
    let told = try world()
    var acknowledged = 0
    for line in output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast() where !line.elementsEqual(Self.readyLine.utf8)
    {
      let event = try CrashWorldEvent(line: line)
      if case .ended = event { acknowledged += 1 }
      try told.take(event)
    }
    let recovery = Recovery(
      makeStore: { scenario.settings.makeStore(on: $0) },
      fileName: CrashScenario.fileName)
    let finding = try recovery.check(
      told.beginning(seed: 0), told.storage, losesPowerAgain: false)
    return Verdict(
      operation: told.current?.json.serialized(), acknowledged: acknowledged,
      finding: told.finding ?? finding)
  }

  private func world() throws(HarnessError) -> CrashWorld {
    let storage: DiskStorage
    do throws(StorageError) { storage = try DiskStorage(directory: folder) } catch {
      throw HarnessError("\(error)")
    }
    let store = scenario.settings.makeStore(on: storage)
    return try CrashWorld(
      CrashWorld.Beginning(
        record: CrashRecord(of: store.description), seed: 1,
        inlineBytesMax: scenario.settings.inlineBytesMax), on: storage, store)
  }
}
