@testable import Benchmarks

/// A contest that records its calls.
final class FakeContest: Contest {
  private(set) var calls: [String] = []
  private let failure: BenchmarkError?
  private let floorRows: Int

  init(floorRows: Int = 1, failure: BenchmarkError? = nil) {
    self.floorRows = floorRows
    self.failure = failure
  }

  func prepareStore(run: Int) { calls.append("prepare store \(run)") }

  func runStore() throws(BenchmarkError) -> Tally {
    calls.append("store")
    if let failure { throw failure }
    return tally(1)
  }

  func prepareFloor(run: Int) { calls.append("prepare floor \(run)") }

  func runFloor() -> Tally {
    calls.append("floor")
    return tally(floorRows)
  }

  private func tally(_ rows: Int) -> Tally {
    var tally = Tally()
    for _ in 0..<rows { tally.addRow() }
    return tally
  }
}

/// A contest that is passed into a `Sendable` closure; one thread uses it.
struct FakeBenchmark: @unchecked Sendable {
  let contest: FakeContest

  var benchmark: Benchmark {
    Benchmark("fake", "Does nothing.", unit: "nothings", count: 1, smallCount: 1) {
      workbench, _ throws(BenchmarkError) in
      try workbench.begin()
      return contest
    }
  }
}
