public import Datastore
public import JSON
internal import ReferenceDatastore
public import Scenarios

/// A store as the simulation holds it: an implementation whose life can end, whose disk can fail and
/// whose data can be set back.
public protocol SimulatedStore: AnyObject {
  /// The implementation that performs the operations.
  var implementation: any ImplementationUnderTest { get }

  /// Whether the store is the model, which has nothing to be compared with.
  var isModel: Bool { get }

  /// Whether it does what the model does wherever the contract leaves a choice.
  var followsModel: Bool { get }

  /// The ways in which a replica with this store can crash.
  var crashes: Set<CrashKind> { get }

  /// A run begins, which the label names for logs; there is no store yet.
  func beginRun(_ label: JSONString) throws(HarnessError)

  /// The replica crashes between two operations; `draw` decides what is left of what was not safe.
  func crash(_ kind: CrashKind, draw: UInt64) throws(HarnessError)

  /// Performs an operation in the midst of which the replica crashes; what came of it is unknown.
  ///
  /// The point is chosen by `draw`: a store that can be stopped anywhere stops there, others
  /// perform all of the operation or nothing. Answers the outcome when the operation ended before
  /// that point and the replica lives on, and nil after the crash.
  func performCrashing(
    _ operation: StoreOperation, _ environment: RunEnvironment, kind: CrashKind,
    draw: UInt64
  ) throws(HarnessError) -> Outcome?

  /// Puts the disk under the store into a condition, in a way that `draw` decides; false when the
  /// store has no disk, so that the simulation has to refuse what one would refuse.
  func setStorage(
    _ condition: Directive.StorageCondition, draw: UInt64
  ) throws(HarnessError) -> Bool

  /// From now on writes of clients are acknowledged before they are safe; false when the store has
  /// no disk to leave behind.
  func neglectSyncs() -> Bool

  /// Keeps a copy of all data; false when the store cannot be copied.
  func copy() throws(HarnessError) -> Bool

  /// Becomes what the last copy holds, with all stores closed; false when there is none.
  func restore() throws(HarnessError) -> Bool

  /// What can be asked about the open store of this name, until the next operation, without changing
  /// anything that this store will do.
  func witness(of store: StoreName) throws(HarnessError) -> any ImplementationUnderTest

  /// Rare things that happened inside the store so far.
  var probes: ProbeCounts { get }

  /// A number that follows from what the store did to its disk; 0 without one.
  var digest: UInt64 { get }
}

extension SimulatedStore {
  public var isModel: Bool { false }

  public var followsModel: Bool { false }

  public var crashes: Set<CrashKind> { implementation.description.crashes }

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

/// Any implementation, of which nothing more is known.
public final class PlainStore: SimulatedStore {
  /// The implementation that performs the operations.
  public let implementation: any ImplementationUnderTest
  public let followsModel: Bool

  /// Creates a store of an implementation.
  ///
  /// - Parameter followsModel: true if the implementation does what the model does wherever the
  ///   contract leaves a choice.
  public init(_ implementation: any ImplementationUnderTest, followsModel: Bool = false) {
    self.implementation = implementation
    self.followsModel = followsModel
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

  /// So little stands in one message that a few kilobytes travel in several pieces.
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
