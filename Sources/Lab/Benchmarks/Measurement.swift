/// The times of a benchmark's runs: pairs of store and baseline, one after the other.
public struct Measurement: Hashable, Sendable {
  /// The name of the benchmark.
  public let name: String
  /// The unit of one operation, in the plural.
  public let unit: String
  /// The number of operations in each run.
  public let count: Int
  /// The number of operations in each run of the baseline: the same unless it does other
  /// operations.
  public let floorCount: Int
  /// The peak memory of the process in a run of the store, in bytes; nil if unknown.
  public let memory: Int64?
  /// The store's times.
  public let store: Samples
  /// The baseline's times, each measured just after the store's.
  public let floor: Samples

  /// Creates the times of equally many runs of store and baseline; nil if the counts differ.
  public init?(
    name: String, unit: String, count: Int, floorCount: Int? = nil, memory: Int64? = nil,
    store: Samples, floor: Samples
  ) {
    guard count > 0, floorCount ?? count > 0, store.nanoseconds.count == floor.nanoseconds.count
    else { return nil }
    self.name = name
    self.unit = unit
    self.count = count
    self.floorCount = floorCount ?? count
    self.memory = memory
    self.store = store
    self.floor = floor
  }

  /// The overhead: the store's time for one operation divided by the baseline's, pair by pair.
  ///
  /// The runs of a pair are seconds apart at most, so a slow machine affects both.
  public var ratio: RatioSpread {
    let scale = Double(floorCount) / Double(count)
    return RatioSpread(
      zip(store.nanoseconds, floor.nanoseconds).map { Double($0) / Double(max(1, $1)) * scale })
  }

  /// Nanoseconds per operation of the store's median run.
  public var storeNanosecondsEach: Double { Double(store.median) / Double(count) }

  /// Nanoseconds per operation of the baseline's median run.
  public var floorNanosecondsEach: Double { Double(floor.median) / Double(floorCount) }
}

/// The times of some runs, in nanoseconds.
public struct Samples: Hashable, Sendable {
  /// The times in the order of the runs; at least one, none negative.
  public let nanoseconds: [Int64]

  /// Creates a list of times; nil if it is empty or has a negative time.
  public init?(nanoseconds: [Int64]) {
    guard !nanoseconds.isEmpty, nanoseconds.allSatisfy({ $0 >= 0 }) else { return nil }
    self.nanoseconds = nanoseconds
  }

  /// The shortest time.
  public var min: Int64 { nanoseconds.min() ?? 0 }
  /// The longest time.
  public var max: Int64 { nanoseconds.max() ?? 0 }
  /// The median; for an even number of times halfway between the middle two.
  public var median: Int64 {
    let sorted = nanoseconds.sorted()
    let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    return low + (high - low) / 2
  }
}

/// The spread of some ratios.
public struct RatioSpread: Hashable, Sendable {
  /// The median ratio.
  public let median: Double
  /// The smallest ratio.
  public let min: Double
  /// The greatest ratio.
  public let max: Double

  /// The spread of the ratios; all zero for an empty list.
  init(_ ratios: [Double]) {
    let sorted = ratios.sorted()
    min = sorted.first ?? 0
    max = sorted.last ?? 0
    median =
      sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
