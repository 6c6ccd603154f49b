public import Datastore
internal import ReferenceDatastore

/// A store as the simulation holds it: an implementation whose life can end and whose data can be
/// set back.
public protocol SimulatedStore: AnyObject {
  var implementation: any ImplementationUnderTest { get }

  /// Whether the store is the model, which has nothing to be compared with.
  var isModel: Bool { get }

  /// Whether it does what the model does wherever the contract leaves a choice.
  var followsModel: Bool { get }

  /// Performs an operation in the midst of which the replica crashes; what came of it is unknown.
  ///
  /// The point is chosen by `draw`: a store that can be stopped anywhere stops there, others
  /// perform all of the operation or nothing. Returns whether the store can say so.
  func performCrashing(
    _ operation: Operation, _ environment: inout Environment, _ kind: CrashKind, draw: UInt64
  ) throws(HarnessError)

  /// Keeps a copy of all data; false when the store cannot be copied.
  func copy() throws(HarnessError) -> Bool

  /// Becomes what the last copy holds, with all stores closed; false when there is none.
  func restore() throws(HarnessError) -> Bool
}

extension SimulatedStore {
  public var isModel: Bool { false }

  public var followsModel: Bool { false }

  public func performCrashing(
    _ operation: Operation, _ environment: inout Environment, _ kind: CrashKind, draw: UInt64
  ) throws(HarnessError) {
    if draw & 1 == 0 { _ = try implementation.perform(operation, &environment) }
    try implementation.crash(kind)
  }

  public func copy() throws(HarnessError) -> Bool { false }

  public func restore() throws(HarnessError) -> Bool { false }
}

/// Any implementation, of which nothing more is known.
public final class PlainStore: SimulatedStore {
  public let implementation: any ImplementationUnderTest
  public let followsModel: Bool

  public init(_ implementation: any ImplementationUnderTest, followsModel: Bool = false) {
    self.implementation = implementation
    self.followsModel = followsModel
  }
}

/// The model as a replica.
public final class ModelReplica: SimulatedStore {
  private let model = ReferenceDatastore()
  private var saved: ReferenceDatastore.Snapshot?

  public init() {}

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
