/// The measurements of one run of the suite, and the machine.
///
/// `text` is the form for people, `json` the form for programs; an earlier report is read from its
/// JSON for comparison.
public struct BenchmarkReport: Hashable, Sendable {
  public var machine: Machine
  /// The storage of the stores.
  public var storage: BenchmarkStorage
  /// The amount of work in a run.
  public var scale: BenchmarkScale
  /// The measurements in order.
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

  /// The change of each benchmark that both reports have, in the order of this one.
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

    /// The same for the baseline: a value far from 1 means another or a busy machine.
    public var floor: Double { now.floorNanosecondsEach / Swift.max(1, then.floorNanosecondsEach) }
  }
}
