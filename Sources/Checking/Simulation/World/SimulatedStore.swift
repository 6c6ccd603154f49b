public import Datastore
public import JSON
public import ReferenceDatastore
public import Scenarios

/// A store in the simulation: an implementation that can crash, whose disk can fail, and whose data
/// can be restored from a copy.
public protocol SimulatedStore: AnyObject {
  /// The implementation that performs the operations.
  var implementation: any ImplementationUnderTest { get }

  /// Whether the store is the model, which is not compared with itself.
  var isModel: Bool { get }

  /// Whether it makes the model's choice where the contract permits several.
  var followsModel: Bool { get }

  /// The declared deviations of the store from the rules.
  var deviations: [Deviation] { get }

  /// The kinds of crashes that a replica with this store supports.
  var crashes: Set<CrashKind> { get }

  /// Whether copies of the data may differ since a node was killed, so that single answers show
  /// nothing; only the state after `settle` counts.
  var isDisturbed: Bool { get }

  /// Waits until all copies of the data are equal.
  func settle() throws(HarnessError)

  /// Begins a run without stores; the label identifies the run in logs.
  func beginRun(_ label: JSONString) throws(HarnessError)

  /// Crashes the replica between two operations; `draw` selects which unsynced data remain.
  func crash(_ kind: CrashKind, draw: UInt64) throws(HarnessError)

  /// Performs an operation during which the replica crashes; its outcome is unknown.
  ///
  /// `draw` selects the point: a store that can stop anywhere stops there, others perform all of
  /// the operation or nothing. Returns the outcome if the operation ended before that point,
  /// without a crash, and nil after the crash.
  func performCrashing(
    _ operation: StoreOperation, _ environment: RunEnvironment, kind: CrashKind,
    draw: UInt64
  ) throws(HarnessError) -> Outcome?

  /// Sets the condition of the store's disk; `draw` selects the details. False if the store has no
  /// disk; then the simulation rejects operations in place of the disk.
  func setStorage(
    _ condition: Directive.StorageCondition, draw: UInt64
  ) throws(HarnessError) -> Bool

  /// Acknowledges further client writes before they are synced; false if the store has no disk.
  func neglectSyncs() -> Bool

  /// Keeps a copy of all data; false if the store cannot be copied.
  func copy() throws(HarnessError) -> Bool

  /// Restores the last copy, with all stores closed; false if there is no copy.
  func restore() throws(HarnessError) -> Bool

  /// A reader of the open store of this name, valid until the next operation, that does not affect
  /// later behavior of this store.
  func witness(of store: StoreName) throws(HarnessError) -> any ImplementationUnderTest

  /// The counts of rare events inside the store so far.
  var probes: ProbeCounts { get }

  /// A hash of the store's disk operations; 0 without a disk.
  var digest: UInt64 { get }
}

extension SimulatedStore {
  public var isModel: Bool { false }

  public var followsModel: Bool { false }

  public var deviations: [Deviation] { [] }

  public var crashes: Set<CrashKind> { implementation.description.crashes }

  public var isDisturbed: Bool { false }

  public func settle() throws(HarnessError) {}

  public func beginRun(_ label: JSONString) throws(HarnessError) {}

  public func crash(_ kind: CrashKind, draw: UInt64) throws(HarnessError) {
    try implementation.crash(kind)
  }

  public func performCrashing(
    _ operation: StoreOperation, _ environment: RunEnvironment, kind: CrashKind,
    draw: UInt64
  ) throws(HarnessError) -> Outcome? {
    var random = KeyedRandom(seed: draw, key: 0)
    if random.chance(1, in: 2) { _ = try implementation.perform(operation, environment) }
    try crash(kind, draw: random.next())
    return nil
  }

  public func setStorage(
    _ condition: Directive.StorageCondition, draw: UInt64
  ) throws(HarnessError) -> Bool { false }

  public func neglectSyncs() -> Bool { false }

  public func copy() throws(HarnessError) -> Bool { false }

  public func restore() throws(HarnessError) -> Bool { false }

  /// Returns the implementation itself.
  public func witness(of store: StoreName) -> any ImplementationUnderTest { implementation }

  public var probes: ProbeCounts { ProbeCounts() }

  public var digest: UInt64 { 0 }
}

/// Any implementation, without support for disk faults or copies.
public final class PlainStore: SimulatedStore {
  /// The implementation that performs the operations.
  public let implementation: any ImplementationUnderTest
  public let followsModel: Bool
  public let deviations: [Deviation]

  /// Creates a store of an implementation.
  ///
  /// - Parameters:
  ///   - followsModel: true if the implementation makes the model's choice where the contract
  ///     permits several.
  ///   - deviations: the declared deviations of the implementation.
  public init(
    _ implementation: any ImplementationUnderTest, followsModel: Bool = false,
    deviations: [Deviation] = []
  ) {
    self.implementation = StaleAnswerLayer.over(implementation, deviations: deviations)
    self.followsModel = followsModel
    self.deviations = deviations
  }

  public func beginRun(_ label: JSONString) throws(HarnessError) {
    try implementation.begin(.run(label))
  }
}

/// The model as a replica.
public final class ModelReplica: SimulatedStore {
  private let model = ReferenceDatastore(inlineBytesMax: inlineBytesMax)
  private var saved: ReferenceDatastore.Snapshot?

  /// Creates a replica without stores.
  public init() {}

  /// Small, so that content of a few kilobytes is split into several pieces.
  public static let inlineBytesMax = 512

  /// The model.
  public var implementation: any ImplementationUnderTest { model }

  public var isModel: Bool { true }

  public func copy() -> Bool {
    saved = model.snapshot
    return true
  }

  public func restore() -> Bool {
    guard let saved else { return false }
    model.restore(saved)
    return true
  }
}
