/// One operation of the bundled store, measured against a baseline.
///
/// The *baseline* is a hand-written loop on the C interface of SQLite: the schema of the store, the
/// transactions and look-ups that the semantics require, one text written or parsed by Jansson for
/// each body, and nothing else. Store and baseline do the same work in the same run, and the
/// reported figure is the ratio of their times: 1.0 is the lower bound.
public struct Benchmark: Sendable {
  /// The name that selects it, such as `insert-1000`.
  public let name: String
  /// One sentence that describes the work.
  public let sentence: String
  /// The unit of one operation, in the plural, such as `records`.
  public let unit: String

  private let standardCount: Int
  private let smallCount: Int
  /// Sets up the contest with the given number of operations per run.
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

  /// The number of operations in one run.
  public func count(_ scale: BenchmarkScale) -> Int {
    scale == .small ? smallCount : standardCount
  }
}

/// The amount of work in a run.
public enum BenchmarkScale: String, CaseIterable, Sendable {
  /// Enough for figures; the whole suite takes a few minutes.
  case standard
  /// A smoke test of a second or two.
  case small
}

/// The storage of the stores of a benchmark.
public enum BenchmarkStorage: String, CaseIterable, Sendable {
  /// In a temporary folder, with real syncs.
  case disk
  /// In memory, where a sync costs nothing.
  case memory
}
