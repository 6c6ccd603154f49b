public import Datastore
internal import SQLiteDatastore
public import Scenarios
public import Simulation
internal import Storage

extension World.Participants {
  /// Replicas of the bundled store, each on separate files that can crash and fail.
  public static var sqlite: World.Participants {
    World.Participants(makeStore: { _ in SQLiteReplica() })
  }
}

/// The bundled store as a replica, on files in memory that crash, lose power and fail.
///
/// Faults are real: a crash ends the process between two steps on the files, a power loss removes
/// or tears unsynced changes, and a failing disk rejects steps. The oracles of the simulation check
/// the result. `SQLiteReplica+Faults` maps random draws to faults.
public final class SQLiteReplica: SimulatedStore, ImplementationLayer {
  var storage = MemoryStorage()
  private var datastore: SQLiteDatastore
  private var saved: MemoryStorage?
  /// The disk faults, to be repeated on the files of a copy.
  private var condition: (Directive.StorageCondition, draw: UInt64) = (.well, 0)
  private var neglectsSyncs = false
  public internal(set) var probes = ProbeCounts()
  /// The digests of the removed files.
  private var pastDigest: UInt64 = 0

  public init() { datastore = Self.datastore(on: storage) }

  /// A datastore with the same limits per call as the model in a simulation.
  ///
  /// Pages are small: the few documents of a run fill, split and overflow several, and a commit writes
  /// several, so that a power loss can fall between or into them.
  private static func datastore(on storage: MemoryStorage) -> SQLiteDatastore {
    SQLiteDatastore(
      storage: storage, inlineBytesMax: ModelReplica.inlineBytesMax, pageBytes: 1024)
  }

  public var implementation: any ImplementationUnderTest { self }

  public var followsModel: Bool { true }

  public var crashes: Set<CrashKind> { [.kill, .powerLoss] }

  public var digest: UInt64 { pastDigest ^ storage.digest }

  // MARK: The implementation

  public var base: any ImplementationUnderTest { datastore }

  public func perform(
    _ operation: StoreOperation, _ environment: RunEnvironment
  ) throws(HarnessError) -> Outcome {
    guard neglectsSyncs, operation.action.isEdit else {
      return try datastore.perform(operation, environment)
    }
    let faults = storage.plan.faults
    storage.plan.faults = faults + [StorageFault(.lie, .sync, role: .wal, ordinals: 0...Int.max)]
    defer { storage.plan.faults = faults }
    return try datastore.perform(operation, environment)
  }

  public func crash(_ kind: CrashKind) throws(HarnessError) { try crash(kind, draw: 0) }

  // MARK: Crashes

  public func crash(_ kind: CrashKind, draw: UInt64) throws(HarnessError) {
    storage.plan.deadAfterChanges = storage.counts.changes
    try datastore.crash(.kill)
    storage.restart(after: kind == .kill ? nil : powerLoss(draw: draw))
  }

  /// The process is killed before one of the changes that the operation makes to its files, or
  /// after the last: each of these points is equally likely. An operation that changes nothing is
  /// usually not stopped, and the crash is deferred.
  public func performCrashing(
    _ operation: StoreOperation, _ environment: RunEnvironment, kind: CrashKind,
    draw: UInt64
  ) throws(HarnessError) -> Outcome? {
    var random = KeyedRandom(seed: draw, key: 0)
    var (pointCount, point): (Int, MemoryStorage?) = (1, nil)
    let countFaults = storage.onStep
    storage.onStep = { [unowned storage] step, effect in
      countFaults?(step, effect)
      guard step.isChange else { return }
      // The number of changes is not known beforehand: the nth replaces the one before it with
      // probability 1/n.
      pointCount += 1
      if random.chance(1, in: pointCount) { point = storage.copy() }
    }
    let outcome = try perform(operation, environment)
    storage.onStep = countFaults
    if pointCount == 1, random.chance(7, in: 8) { return outcome }
    if let point {
      probes[.crashedAtStep] += 1
      try goOn(with: point)
    }
    try crash(kind, draw: random.next())
    return nil
  }

  /// Keeps the files as they are, and uses those of another moment.
  private func goOn(with other: MemoryStorage) throws(HarnessError) {
    try datastore.crash(.kill)
    pastDigest = (pastDigest ^ storage.digest) &* 0x0000_0100_0000_01b3
    storage.onStep = nil
    storage = other
    datastore = Self.datastore(on: storage)
    applyCondition()
  }

  // MARK: The disk

  public func setStorage(_ condition: Directive.StorageCondition, draw: UInt64) -> Bool {
    self.condition = (condition, draw)
    applyCondition()
    return true
  }

  public func neglectSyncs() -> Bool {
    neglectsSyncs = true
    return true
  }

  private func applyCondition() {
    storage.plan.faults = []
    storage.capacityBytes = nil
    storage.onStep = nil
    switch condition.0 {
    case .well: return
    case .full: storage.capacityBytes = capacity(draw: condition.draw)
    case .failing: storage.plan.faults = faults(draw: condition.draw)
    }
    storage.onStep = { [unowned self] _, effect in
      switch effect {
      case .full: probes[.storageFull] += 1
      case .io: probes[.storageFailing] += 1
      case .lie, nil: break
      }
    }
  }

  // MARK: Copies

  public func copy() -> Bool {
    saved = storage.copy()
    return true
  }

  public func restore() throws(HarnessError) -> Bool {
    guard let saved else { return false }
    try goOn(with: saved.copy())
    return true
  }

  public func witness(of store: StoreName) throws(HarnessError) -> any ImplementationUnderTest {
    let witness = Self.datastore(on: storage.copy())
    let environment = RunEnvironment(seed: 0)
    _ = try witness.perform(StoreOperation(store, .open()), environment)
    return witness
  }
}

extension StoreAction {
  /// True for a write of a client to one document.
  fileprivate var isEdit: Bool {
    switch self {
    case .create, .update, .delete: true
    case .attaching(_, let write): write.isEdit
    default: false
    }
  }
}
