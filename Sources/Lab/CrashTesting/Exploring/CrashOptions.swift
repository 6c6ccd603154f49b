public import Datastore
public import Storage

/// The options of an exploration of crashes.
public struct CrashOptions: Sendable {
  /// The number of outcomes of a power loss at a point, at least 2.
  public var outcomesMax = 32
  /// The seed that selects outcomes if there are more.
  public var seed: UInt64 = 1
  /// Only this point, or only this fault, counted from 1; nil for all.
  public var point: Int?
  /// Only this outcome at each point, 0 for a kill; nil for all.
  public var subset: Int?
  /// The number of losses of a scenario that are described.
  public var lossesMax = 5
  /// Creates the store under test on its files.
  public var makeStore: @Sendable (any Storage, CrashStoreSettings) -> any ImplementationUnderTest =
    {
      $1.makeStore(on: $0)
    }
  /// Permanent faults of the disk, to test that they are detected.
  public var faults: [StorageFault] = []

  public init() {}
}
