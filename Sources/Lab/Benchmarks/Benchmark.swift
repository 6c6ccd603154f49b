/// Something that the bundled store does, measured against the least that it could take.
///
/// The *floor* is a loop written by hand on the C interface of SQLite: the schema that the store
/// really has, the transactions and the look-ups that the semantics force, one text written or read
/// by Jansson for each body, and nothing else. Store and floor do the same work in the same run, and
/// the figure that lasts is the ratio of their times: 1.0 cannot be beaten.
public struct Benchmark: Sendable {
  /// The name by which it is chosen, such as `insert-1000`.
  public let name: String
  /// One sentence on what is done.
  public let sentence: String
  /// What one operation is, in the plural, such as `records`.
  public let unit: String

  private let standardCount: Int
  private let smallCount: Int
  /// Sets up the contest, with the operations per run that it is given.
  let contest: @Sendable (Workbench, _ count: Int) throws(BenchmarkError) -> any Contest

  init(
    _ name: String, _ sentence: String, unit: String, count: Int, smallCount: Int,
    contest:
      @escaping @Sendable (Workbench, _ count: Int) throws(BenchmarkError) -> any Contest
  ) {
    self.name = name
    self.sentence = sentence
    self.unit = unit
    standardCount = count
    self.smallCount = smallCount
    self.contest = contest
  }

  /// How many operations one run has.
  public func count(_ scale: BenchmarkScale) -> Int {
    scale == .small ? smallCount : standardCount
  }
}

/// How much work a run is.
public enum BenchmarkScale: String, CaseIterable, Sendable {
  /// Enough for figures; the whole suite takes a few minutes.
  case standard
  /// Enough to see that everything runs; a second or two.
  case small
}

/// Where the stores of a benchmark lie.
public enum BenchmarkStorage: String, CaseIterable, Sendable {
  /// In a temporary folder, with real syncs.
  case disk
  /// In memory, where a sync costs nothing.
  case memory
}
