import Foundation
import Testing

@testable import Benchmarks

struct BenchmarkRunnerTests {
  @Test func storeAndFloorTakeTurnsAfterTheWarmUp() throws {
    let contest = FakeContest()
    let runner = BenchmarkRunner(storage: .memory, runs: 2, warmUps: 1)
    let measurement = try runner.run(FakeBenchmark(contest: contest).benchmark)
    #expect(measurement.store.nanoseconds.count == 2)
    #expect(
      contest.calls
        == (0..<3).flatMap { ["prepare store \($0)", "store", "prepare floor \($0)", "floor"] })
  }

  @Test func differentAnswersAreNoMeasurement() {
    let benchmark = FakeBenchmark(contest: FakeContest(floorRows: 2)).benchmark
    let error = #expect(throws: BenchmarkError.self) {
      try BenchmarkRunner(storage: .memory).run(benchmark)
    }
    guard case .disagreement = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [nil, BenchmarkError.disagreement("on purpose")])
  func noFileStays(failure: BenchmarkError?) throws {
    let parent = NSTemporaryDirectory() + "touchstone-bench-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: parent) }
    let runner = BenchmarkRunner(storage: .disk, runs: 1, folder: parent)
    let benchmark = FakeBenchmark(contest: FakeContest(failure: failure)).benchmark
    if let failure {
      #expect(throws: failure) { try runner.run(benchmark) }
    } else {
      _ = try runner.run(benchmark)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent) == [])
  }

  @Test func whoIsStoppedLeavesNoFile() throws {
    let parent = NSTemporaryDirectory() + "touchstone-bench-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: parent) }
    let contest = FakeContest()
    let runner = BenchmarkRunner(storage: .disk, folder: parent)
    var done = 0
    #expect(throws: BenchmarkError.stopped) {
      try runner.run(
        FakeBenchmark(contest: contest).benchmark, progress: { count, _ in done = count },
        isStopped: { done == 2 })
    }
    #expect(contest.calls.count == 8)
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent) == [])
  }

  @Test func aFolderThatIsNotThereIsAnError() {
    let runner = BenchmarkRunner(storage: .disk, folder: "/nowhere/at/all")
    let error = #expect(throws: BenchmarkError.self) {
      try runner.run(FakeBenchmark(contest: FakeContest()).benchmark)
    }
    guard case .storage = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func thereIsAtLeastOneRun() throws {
    #expect(BenchmarkRunner(runs: 0, warmUps: -1).runCount == 1)
    #expect(BenchmarkRunner(runs: 0, warmUps: -1).warmUpCount == 0)
  }
}
