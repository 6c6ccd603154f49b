public import ObjectMapping

/// All that a context knows: one value, which can be kept, compared and put back.
public struct ContextState: Hashable, Sendable {
  /// The identity map: the registered objects, each once.
  public var objects: [ObjectID: ContextObject]
  /// What the last save did; nil before the first.
  public var lastNotification: SaveNotification?
  /// What the last save did, or tried to do, in its order.
  public var events: [SaveEvent]
  /// The conflicts that were handed over last, by a save that failed or after a pull.
  public var conflicts: [MergeConflict]
  /// Why the last save, or the last resolution, failed; nil when it did not.
  public var failure: ContextError?
  /// Leaves of documents that the next save settles, by object.
  public var settlements: [ObjectID: PendingSettlement]

  public init() {
    objects = [:]
    events = []
    conflicts = []
    settlements = [:]
  }
}
