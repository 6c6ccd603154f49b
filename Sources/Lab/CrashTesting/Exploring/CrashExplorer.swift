public import Datastore
internal import Digest
internal import JSON
internal import Storage

/// Crashes a store at every step of a scenario, and recovers it from every possible state of its
/// files.
///
/// The scenario runs once. Before each step that changes a file, and at the end, the explorer
/// checks the files as if the process ended there: once without a power loss, when every written
/// byte stays, and with many power losses (`LossPlan`). Files with equal bytes and equal expected
/// state are recovered once.
public struct CrashExplorer {
  private let options: CrashOptions

  public init(_ options: CrashOptions = CrashOptions()) { self.options = options }

  public func run(_ scenario: CrashScenario) throws(HarnessError) -> CrashReport {
    let prepared = try PreparedScenario(scenario, options)
    let visitor = try Visitor(prepared, options)
    try visitor.run()
    return visitor.report
  }
}

/// The initial files and the expected state before a scenario's steps.
struct PreparedScenario {
  let scenario: CrashScenario
  let storage: MemoryStorage
  let beginning: CrashWorld.Beginning
  private let options: CrashOptions

  init(_ scenario: CrashScenario, _ options: CrashOptions) throws(HarnessError) {
    self.scenario = scenario
    self.options = options
    storage = MemoryStorage()
    storage.plan.faults = options.faults
    let store = options.makeStore(storage, scenario.settings)
    let world = try CrashWorld(
      CrashWorld.Beginning(
        record: CrashRecord(of: store.description), seed: 1,
        inlineBytesMax: scenario.settings.inlineBytesMax), on: storage, store)
    try world.prepare(scenario)
    beginning = world.beginning(seed: 1000)
  }

  /// A separate world on a copy of the files, before the first step.
  func world() throws(HarnessError) -> (CrashWorld, MemoryStorage) {
    let storage = storage.copy()
    storage.plan.faults = options.faults
    return (try CrashWorld(beginning, on: storage, store(on: storage)), storage)
  }

  func store(on storage: any Storage) -> any ImplementationUnderTest {
    options.makeStore(storage, scenario.settings)
  }

  var recovery: Recovery {
    Recovery(makeStore: { store(on: $0) }, fileName: CrashScenario.fileName)
  }
}

extension CrashScenario {
  /// The database of the store.
  static var fileName: String { "\(store).sqlite" }

  /// True if the preparation itself opens the store.
  fileprivate var opensItself: Bool {
    switch preparation.first {
    case .perform(.open), .losePower(in: .open, _): true
    default: false
    }
  }
}

extension CrashWorld {
  /// Performs the preparation of a scenario, and ends the process.
  func prepare(_ scenario: CrashScenario) throws(HarnessError) {
    if case .olderStore(let older) = scenario.origin { try older.install(in: self) }
    if !scenario.preparation.isEmpty, !scenario.opensItself { try perform(.open()) }
    for step in scenario.preparation {
      switch step {
      case .kill: continue
      case .losePower(let action, let count): try losePower(in: action, afterChanges: count)
      default: try take(step)
      }
    }
    if let finding {
      throw HarnessError("\(scenario.name) cannot be prepared: \(finding.sentence)")
    }
    if case .kill? = scenario.preparation.last { try kill() } else { try shutDown() }
  }
}

/// One run of a scenario, checked before each change.
private final class Visitor {
  private let prepared: PreparedScenario
  private let options: CrashOptions
  private let world: CrashWorld
  private let storage: MemoryStorage
  private(set) var report: CrashReport
  /// The current point of the scenario, counted from 1.
  private var point = 0
  /// The files recovered since an operation last began or ended.
  private var seen: Set<[UInt8]> = []
  private var seenAt = -1
  private var beginning: CrashWorld.Beginning
  private var failure: HarnessError?

  init(_ prepared: PreparedScenario, _ options: CrashOptions) throws(HarnessError) {
    self.prepared = prepared
    self.options = options
    (world, storage) = try prepared.world()
    beginning = prepared.beginning
    report = CrashReport(scenario: prepared.scenario.name)
  }

  func run() throws(HarnessError) {
    storage.onStep = { [unowned self] step, _ in
      report.steps += 1
      if step.isChange { visit(step) }
    }
    try world.perform(.open())
    for step in prepared.scenario.steps { try world.take(step) }
    storage.onStep = nil
    visit(nil)
    if let failure { throw failure }
    if let finding = world.finding {
      report.images += 1
      note(finding, nil, what: "no crash at all", subset: nil)
    }
    try world.store.shutdown()
  }

  /// Checks everything that a crash can leave now, before a step.
  private func visit(_ step: StorageStep?) {
    point += 1
    guard options.point ?? point == point, failure == nil else { return }
    report.points += 1
    if seenAt != world.progress {
      seen = []
      seenAt = world.progress
      beginning = world.beginning(seed: 0)
    }
    do throws(HarnessError) {
      if options.subset ?? 0 == 0 {
        try recover(storage.copy(), step, outcome: nil)
      }
      let plan = LossPlan(
        changes: storage.unsyncedChanges, outcomesMax: options.outcomesMax, seed: options.seed)
      for (place, outcome) in plan.outcomes().enumerated() {
        guard options.subset ?? (place + 1) == place + 1 else { continue }
        report.outcomes += 1
        let copy = storage.copy()
        copy.restart(after: outcome.loss)
        guard seen.insert(Self.digest(of: copy)).inserted else { continue }
        try recover(copy, step, outcome: (place + 1, outcome.name))
      }
    } catch {
      failure = error
    }
  }

  /// Recovers files; without an outcome of a power loss they are those of a killed process.
  private func recover(
    _ copy: MemoryStorage, _ step: StorageStep?, outcome: (number: Int, name: String)?
  ) throws(HarnessError) {
    copy.plan.faults = options.faults
    report.images += 1
    let finding = try prepared.recovery.check(beginning, copy, losesPowerAgain: outcome == nil)
    guard let finding else {
      report.survivors += 1
      return
    }
    let what = outcome.map { "power loss, \($0.name)" } ?? "the process was killed"
    note(finding, step, what: what, subset: outcome?.number ?? 0)
  }

  private func note(
    _ finding: CrashFinding, _ step: StorageStep?, what: String, subset: Int?
  ) {
    guard report.losses.count < options.lossesMax else { return }
    report.losses.append(
      CrashLoss(
        scenario: prepared.scenario.name, point: point, step: step.map { "\($0)" },
        operation: world.current?.json.serialized(), subset: subset, outcome: what,
        unsynced: storage.unsyncedChanges.map { "\($0.step)" }, finding: finding))
  }

  /// The identity of files: all names and all bytes.
  private static func digest(of storage: MemoryStorage) -> [UInt8] {
    var stream = DigestStream(.sha256)
    for name in (try? storage.fileNames()) ?? [] {
      let bytes = storage[name] ?? []
      stream.update(Array("\(name)\u{0}\(bytes.count)\u{0}".utf8))
      stream.update(bytes)
    }
    return stream.finish()
  }
}
