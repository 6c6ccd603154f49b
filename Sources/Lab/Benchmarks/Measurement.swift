/// The times of a benchmark's runs: pairs of the store's and the floor's, one after the other.
public struct Measurement: Hashable, Sendable {
  /// The name of the benchmark.
  public let name: String
  /// What one operation is, in the plural.
  public let unit: String
  /// How many operations each run had.
  public let count: Int
  /// How many operations each run of the floor had: as many, but where it does something else.
  public let floorCount: Int
  /// The most memory that the process held in a run of the store, in bytes; nil when unknown.
  public let memory: Int64?
  /// The store's times.
  public let store: Samples
  /// The floor's times, each taken just after the store's at its place.
  public let floor: Samples

  /// The times of as many runs of the store as of the floor; nil when they are not as many.
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

  /// How many times longer than its floor the store took for one operation, pair by pair.
  ///
  /// Pairs are taken seconds apart at most, so that what slows down the machine slows both.
  public var ratio: RatioSpread {
    let scale = Double(floorCount) / Double(count)
    return RatioSpread(
      zip(store.nanoseconds, floor.nanoseconds).map { Double($0) / Double(max(1, $1)) * scale })
  }

  /// Nanoseconds per operation of the store's median run.
  public var storeNanosecondsEach: Double { Double(store.median) / Double(count) }

  /// Nanoseconds per operation of the floor's median run.
  public var floorNanosecondsEach: Double { Double(floor.median) / Double(floorCount) }
}

/// The times of some runs, in nanoseconds.
public struct Samples: Hashable, Sendable {
  /// The times in the order of the runs; at least one, none negative.
  public let nanoseconds: [Int64]

  /// Some times; nil when there is none, or a negative one.
  public init?(nanoseconds: [Int64]) {
    guard !nanoseconds.isEmpty, nanoseconds.allSatisfy({ $0 >= 0 }) else { return nil }
    self.nanoseconds = nanoseconds
  }

  /// The shortest time.
  public var min: Int64 { nanoseconds.min() ?? 0 }
  /// The longest time.
  public var max: Int64 { nanoseconds.max() ?? 0 }
  /// The time in the middle; of an even number of times halfway between the middle two.
  public var median: Int64 {
    let sorted = nanoseconds.sorted()
    let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    return low + (high - low) / 2
  }
}

/// Where some ratios lie.
public struct RatioSpread: Hashable, Sendable {
  /// The ratio in the middle.
  public let median: Double
  /// The smallest ratio.
  public let min: Double
  /// The greatest ratio.
  public let max: Double

  /// The spread of the ratios; all zero when there is none.
  init(_ ratios: [Double]) {
    let sorted = ratios.sorted()
    min = sorted.first ?? 0
    max = sorted.last ?? 0
    median =
      sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
