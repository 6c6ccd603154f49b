public import Datastore
internal import JSON
internal import Storage

/// Makes each disk call of a scenario fail, in a separate run.
///
/// Reads, writes and syncs fail, the disk is full, other processes hold locks: at the nth call of
/// the kind, for every n, once and permanently. Every operation must return an error of the
/// contract and leave no trace, and a retry after a single failure must succeed. After the first
/// refusal and at the end the process is killed with a power loss; and after the disk is repaired,
/// the same store must continue, and so must the next process.
public struct FaultExplorer {
  private let options: CrashOptions

  public init(_ options: CrashOptions = CrashOptions()) { self.options = options }

  public func run(_ scenario: CrashScenario) throws(HarnessError) -> FaultReport {
    let prepared = try PreparedScenario(scenario, options)
    let faults = try self.faults(of: prepared)
    var report = FaultReport(scenario: scenario.name)
    var counts: [DiskFault.Kind: Int] = [:]
    for (place, fault) in faults.enumerated() {
      guard options.point ?? place + 1 == place + 1 else { continue }
      report.faults += 1
      counts[fault.kind, default: 0] += 1
      guard let loss = try run(fault, number: place + 1, prepared, report: &report) else {
        report.survivors += 1
        continue
      }
      if report.losses.count < options.lossesMax { report.losses.append(loss) }
    }
    report.counts = DiskFault.Kind.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    return report
  }

  /// All possible faults, collected in a run without faults.
  private func faults(of prepared: PreparedScenario) throws(HarnessError) -> [DiskFault] {
    let (world, storage) = try prepared.world()
    var steps: [StorageStep] = []
    let before = storage.counts
    storage.onStep = { step, _ in if step.role != .other { steps.append(step) } }
    try world.perform(.open())
    for step in prepared.scenario.steps { try world.take(step) }
    storage.onStep = nil
    let after = storage.counts
    try world.store.shutdown()
    return DiskFault.all(
      at: steps, locks: before.locks + 1..<after.locks + 1,
      lookUps: before.lookUps + 1..<after.lookUps + 1)
  }

  /// One run with one fault; returns the loss, or nil.
  private func run(
    _ fault: DiskFault, number: Int, _ prepared: PreparedScenario, report: inout FaultReport
  ) throws(HarnessError) -> CrashLoss? {
    let (world, storage) = try prepared.world()
    var run = FaultRun(world, storage, recovery: prepared.recovery, faults: options.faults)
    storage.plan = fault.plan(options.faults)
    var finding = try run.perform { () throws(HarnessError) in try world.perform(.open()) }
    for step in prepared.scenario.steps where finding == nil {
      finding = try run.perform { () throws(HarnessError) in try world.take(step) }
    }
    let operation = finding == nil ? nil : world.last
    if finding == nil { finding = try run.crash("in the end") }
    if finding == nil { finding = try run.repair() }
    report.refusals += world.refusals
    report.unknowns += world.unknowns
    report.images += run.images
    try world.store.shutdown()
    return finding.map {
      CrashLoss(
        scenario: prepared.scenario.name, point: number, step: "\(fault)",
        operation: operation?.json.serialized(), outcome: run.what, finding: $0)
    }
  }
}

/// A run of a scenario on a failing disk, and the crashes in it.
private struct FaultRun {
  private let world: CrashWorld
  private let storage: MemoryStorage
  private let recovery: Recovery
  /// Permanent faults of the disk.
  private let faults: [StorageFault]
  private(set) var images = 0
  /// The last activity, in words.
  private(set) var what = ""
  private var hasCrashed = false

  init(
    _ world: CrashWorld, _ storage: MemoryStorage, recovery: Recovery, faults: [StorageFault]
  ) {
    self.world = world
    self.storage = storage
    self.recovery = recovery
    self.faults = faults
    world.triesAgain = true
  }

  /// Performs a part of the scenario; if it is the first to be refused, a crash follows.
  mutating func perform(
    _ body: () throws(HarnessError) -> Void
  ) throws(HarnessError) -> CrashFinding? {
    what = "the scenario continued"
    try body()
    if let finding = world.finding { return finding }
    guard !hasCrashed, world.refusals + world.unknowns > 0 else { return nil }
    hasCrashed = true
    return try crash("right then")
  }

  /// Recovers what a crash would leave now.
  mutating func crash(_ moment: String) throws(HarnessError) -> CrashFinding? {
    for (loss, name) in Self.losses {
      what = "\(moment) \(name)"
      let copy = storage.copy()
      copy.plan.faults = faults
      if let loss { copy.restart(after: loss) }
      images += 1
      let finding = try recovery.check(
        world.beginning(seed: 0), copy, losesPowerAgain: loss == nil)
      if let finding { return finding }
    }
    return nil
  }

  private static let losses: [(PowerLoss?, String)] = [
    (nil, "the process was killed"),
    (PowerLoss(others: .dropped), "power loss without the unsynced changes"),
    (PowerLoss(others: .kept), "power loss with all unsynced changes"),
  ]

  /// Repairs the disk; the store must continue normally.
  mutating func repair() throws(HarnessError) -> CrashFinding? {
    what = "the disk was repaired"
    storage.plan = FaultPlan(faults)
    world.triesAgain = false
    let opened = try world.perform(.open())
    if case .error(let error) = opened {
      return CrashFinding(.closed, "the store cannot be opened: \(error)")
    }
    if let finding = try world.inspect() ?? world.finding { return finding }
    what = "the disk was repaired, and the store closed"
    try world.store.shutdown()
    images += 1
    return try recovery.check(world.beginning(seed: 0), storage, losesPowerAgain: true)
  }
}
