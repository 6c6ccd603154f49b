public import Datastore
public import Storage

/// How crashes are explored.
public struct CrashOptions: Sendable {
  /// How many outcomes of a power loss are tried at a point, at least 2.
  public var outcomesMax = 32
  /// Decides what is picked where there is more than that.
  public var seed: UInt64 = 1
  /// Looks at this point, or at this fault, only, counted from 1; nil for all.
  public var point: Int?
  /// Tries this outcome at each point only, 0 for a kill; nil for all.
  public var subset: Int?
  /// How many losses of a scenario are described.
  public var lossesMax = 5
  /// Makes the store that is crashed, on its files.
  public var makeStore: @Sendable (any Storage, CrashStoreSettings) -> any ImplementationUnderTest =
    {
      $1.makeStore(on: $0)
    }
  /// What is wrong with the disk all the time, to see that it is noticed.
  public var faults: [StorageFault] = []

  public init() {}
}
