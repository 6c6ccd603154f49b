public import ObjectMapping

/// The complete state of a context as one value, which can be stored, compared and restored.
public struct ContextState: Hashable, Sendable {
  /// The identity map: the registered objects, each once.
  public var objects: [ObjectID: ContextObject]
  /// The notification of the last save; nil before the first.
  public var lastNotification: SaveNotification?
  /// The steps of the last save or attempt, in order.
  public var events: [SaveEvent]
  /// The conflicts reported last, by a failed save or after a pull.
  public var conflicts: [MergeConflict]
  /// The violated constraints reported last, by a failed save; empty once conflicts were reported
  /// after them.
  public var constraints: [ConstraintConflict]
  /// The error of the last save or resolution; nil if it succeeded.
  public var failure: ContextError?
  /// Conflicting leaves of documents that the next save resolves, by object.
  public var settlements: [ObjectID: PendingSettlement]

  /// Creates the state of a context without objects.
  public init() {
    objects = [:]
    events = []
    conflicts = []
    constraints = []
    settlements = [:]
  }

  /// Takes the report on the last save or resolution from another state.
  public mutating func keepReport(of other: ContextState) {
    (events, failure) = (other.events, other.failure)
    (conflicts, constraints) = (other.conflicts, other.constraints)
  }
}
