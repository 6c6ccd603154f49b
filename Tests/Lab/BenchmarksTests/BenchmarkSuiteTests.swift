import Benchmarks
import Testing

struct BenchmarkSuiteTests {
  /// The runner fails if the baseline's results or rows differ from the store's.
  @Test(arguments: BenchmarkSuite.benchmarks.map { $0.name }, BenchmarkStorage.allCases)
  func everyBenchmarkRunsAndItsFloorAgrees(name: String, storage: BenchmarkStorage) throws {
    let benchmark = try #require(BenchmarkSuite.benchmarks.first { $0.name == name })
    let runner = BenchmarkRunner(storage: storage, scale: .small, runs: 1)
    var done: [Int] = []
    let measurement = try runner.run(benchmark) { run, count in
      #expect(count == 2)
      done.append(run)
    }
    #expect(done == [1, 2])
    #expect(measurement.name == name)
    #expect(measurement.unit == benchmark.unit)
    // Events are counted; the other figures are computed.
    if benchmark.unit == "events" || name == "histories" {
      #expect(measurement.count > 100 && measurement.floorCount > 100)
    } else {
      #expect(measurement.count == benchmark.count(.small))
      #expect(measurement.floorCount == measurement.count)
    }
    #expect(measurement.store.nanoseconds.count == 1)
    #expect(measurement.store.min > 0)
    #expect(measurement.floor.min > 0)
  }

  @Test func namesAreUniqueAndSentencesEnd() {
    let benchmarks = BenchmarkSuite.benchmarks
    #expect(Set(benchmarks.map { $0.name }).count == benchmarks.count)
    for benchmark in benchmarks {
      #expect(benchmark.sentence.last == ".")
      #expect(benchmark.sentence.count <= 80)
      #expect(benchmark.count(.small) <= benchmark.count(.standard))
    }
  }
}
