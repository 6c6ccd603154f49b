/// The measurements of one run of the suite, and what they were taken on.
///
/// For people it is `text`, for machines `json`; an earlier report is read back from its JSON to be
/// compared with.
public struct BenchmarkReport: Hashable, Sendable {
  public var machine: Machine
  /// Where the stores lay.
  public var storage: BenchmarkStorage
  /// How much work a run was.
  public var scale: BenchmarkScale
  /// The measurements in the order in which they were taken.
  public var measurements: [Measurement]

  public init(
    machine: Machine, storage: BenchmarkStorage, scale: BenchmarkScale,
    measurements: [Measurement]
  ) {
    self.machine = machine
    self.storage = storage
    self.scale = scale
    self.measurements = measurements
  }

  /// What became of each benchmark that both reports have, in the order of this one.
  public func changes(since earlier: BenchmarkReport) -> [Change] {
    measurements.compactMap { now in
      earlier.measurements.first { $0.name == now.name }.map { Change(now: now, then: $0) }
    }
  }

  /// A benchmark in two reports.
  public struct Change: Hashable, Sendable {
    public let now: Measurement
    public let then: Measurement

    /// The store's time per operation divided by the earlier one: below 1 is faster.
    public var store: Double { now.storeNanosecondsEach / Swift.max(1, then.storeNanosecondsEach) }

    /// The same for the floor: far from 1 it says that the machine is another or was busy.
    public var floor: Double { now.floorNanosecondsEach / Swift.max(1, then.floorNanosecondsEach) }
  }
}
