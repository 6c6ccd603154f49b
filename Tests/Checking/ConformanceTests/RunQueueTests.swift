import Datastore
import JSON
import Synchronization
import Testing

@testable import Conformance

@Suite struct RunQueueTests {
  private func vectors() throws -> [CorpusVector] {
    [
      try Fixtures.passing("tree-a"), try Fixtures.conflicting("edit-b"),
      try Fixtures.passing("tree-c"), try Fixtures.conflicting("edit-d"),
      try Fixtures.passing("tree-e"),
    ]
  }

  private func result(_ vector: CorpusVector) -> RunReport.Result {
    let runner = Runner(FakeDatastore(.noConflicts))
    return RunReport.Result(vector: vector, verdict: runner.verdict(on: vector))
  }

  @Test func eachVectorIsHandedOutOnceAndInOrder() throws {
    let queue = RunQueue(Fixtures.corpus(try vectors()))
    #expect((0..<7).map { _ in queue.take() } == [0, 1, 2, 3, 4, nil, nil])
  }

  /// The report lists results in the order of the corpus, whatever the order in which they arrive.
  @Test func theReportHasTheOrderOfTheCorpus() throws {
    let vectors = try vectors()
    let queue = RunQueue(Fixtures.corpus(vectors))
    for _ in vectors { _ = queue.take() }
    for (done, place) in [3, 0, 4, 2, 1].enumerated() {
      let progress = queue.put(result(vectors[place]), at: place)
      #expect(progress.done == done + 1)
      #expect(progress.count == 5)
      // The two conflicting vectors are finished first and last.
      #expect(progress.failures == (done == 4 ? 2 : 1))
    }
    let report = queue.report(on: FakeDatastore().description)
    #expect(report.results.map(\.vector.id) == vectors.map(\.id))
    #expect(
      report.results
        == Fixtures.report(vectors, FakeDatastore(.noConflicts)).results.map {
          RunReport.Result(vector: $0.vector, verdict: result($0.vector).verdict)
        })
  }

  /// Vectors before the first failure still run; the report omits the vectors after it.
  @Test func aRunThatFailsFastEndsAtTheFirstFailureOfTheCorpus() throws {
    let vectors = try vectors()
    let queue = RunQueue(Fixtures.corpus(vectors), failsFast: true)
    for place in 0..<4 { #expect(queue.take() == place) }
    _ = queue.put(result(vectors[3]), at: 3)
    #expect(queue.take() == nil)
    _ = queue.put(result(vectors[2]), at: 2)
    _ = queue.put(result(vectors[1]), at: 1)
    _ = queue.put(result(vectors[0]), at: 0)
    let report = queue.report(on: FakeDatastore().description)
    #expect(report.results.map(\.vector.id) == vectors[...1].map(\.id))
  }

  // MARK: Runs that end early

  /// The verdict of a vector whose response was malformed.
  private func malformed(_ vector: CorpusVector, _ text: String) -> RunReport.Result {
    let error = HarnessError(
      "malformed response: not JSON: \(text)", breakdown: .init(shape: "garbage"))
    let runner = Runner(FakeDatastore(.breakdown(error)))
    return RunReport.Result(vector: vector, verdict: runner.verdict(on: vector))
  }

  /// The vectors run in the given order until the time is over; the report has that of the corpus, and
  /// names no reason to continue.
  @Test func aLimitedRunTakesTheFirstVectorsOfItsOrder() throws {
    let vectors = try vectors()
    let taken = Mutex(0)
    let queue = RunQueue(
      Fixtures.corpus(vectors), .all, places: [4, 2, 0, 1, 3], product: nil,
      failsFast: false, isInterrupted: { false },
      isOver: {
        taken.withLock {
          $0 += 1
          return $0 > 3
        }
      })
    while let place = queue.take() { _ = queue.put(result(queue.vectors[place]), at: place) }
    let report = queue.report(on: FakeDatastore().description)
    #expect(report.results.map(\.vector.id) == [0, 2, 4].map { vectors[$0].id })
    #expect(report.stop == nil)
    #expect(RunSummary(report).conclusion == .selectionPassed)
  }

  private func manyVectors() throws -> [CorpusVector] {
    try (100..<160).map { try Fixtures.passing("tree-\($0)") }
  }

  @Test func equalProtocolErrorsInARowEndTheRun() throws {
    let vectors = try manyVectors()
    let queue = RunQueue(Fixtures.corpus(vectors))
    while let place = queue.take() {
      // A debug output with a counter is the same error.
      _ = queue.put(malformed(vectors[place], "request \(place)"), at: place)
    }
    let report = queue.report(on: FakeDatastore().description)
    #expect(report.results.count == RunQueue.equalErrorsMax + 1)
    #expect(report.selectedCount == 60)
    #expect(
      RunSummary(report).conclusion.reasons == [
        "51 vectors failed",
        "stopped with 9 of 60 vectors left: more than 50 vectors in a row ended with the same error: "
          + "malformed response: not JSON: request 50",
      ])
  }

  @Test func oneOtherResultKeepsTheRunGoing() throws {
    let vectors = try manyVectors()
    let queue = RunQueue(Fixtures.corpus(vectors))
    while let place = queue.take() {
      let result =
        place == 30 ? result(vectors[place]) : malformed(vectors[place], "request \(place)")
      _ = queue.put(result, at: place)
    }
    let report = queue.report(on: FakeDatastore().description)
    #expect(report.results.count == 60)
    #expect(report.stop == nil)
  }

  /// A store that crashes in every vector fails each of them.
  @Test func crashesDoNotEndTheRun() throws {
    let vectors = try manyVectors()
    let error = HarnessError(
      "the adapter exited with code 1",
      breakdown: .init(shape: "exit 1", isProtocolError: false))
    let queue = RunQueue(Fixtures.corpus(vectors))
    Runner(FakeDatastore(.breakdown(error))).work(on: queue)
    #expect(queue.report(on: FakeDatastore().description).results.count == 60)
  }

  @Test func anInterruptedRunHasNoVerdict() throws {
    let vectors = try manyVectors()
    let queue = RunQueue(Fixtures.corpus(vectors), isInterrupted: Countdown(from: 20).isOver)
    Runner(FakeDatastore()).work(on: queue)
    let report = queue.report(on: FakeDatastore().description)
    #expect(report.results.map(\.vector.id) == vectors[..<20].map(\.id))
    #expect(
      RunSummary(report).conclusion
        == .harnessFailed(reasons: ["stopped with 40 of 60 vectors left: interrupted"]))
  }

  @Test func aRunContinuesAfterAVector() throws {
    let vectors = try vectors()
    let queue = RunQueue(Fixtures.corpus(vectors), after: "tree-c")
    #expect(queue.vectors.map(\.id) == ["edit-d", "tree-e"])
    Runner(FakeDatastore()).work(on: queue)
    let report = queue.report(on: FakeDatastore().description)
    // A part of the corpus does not prove conformance.
    #expect(RunSummary(report).conclusion == .selectionPassed)
  }

  /// A list of known failures must apply although an adapter prints the time.
  @Test func messagesHaveNoTextOfTheAdapter() throws {
    let error = HarnessError(
      "malformed response: not JSON: 12:00:17",
      breakdown: .init(shape: "garbage", form: "malformed response: not JSON"))
    let report = Fixtures.report([try Fixtures.passing()], FakeDatastore(.breakdown(error)))
    guard case .fail(let witness) = report.results[0].verdict else {
      Issue.record("\(report.results[0].verdict)")
      return
    }
    #expect(witness.message == "step 1 create: malformed response: not JSON")
    #expect(witness.form == "create: malformed response: not JSON")
  }
}

/// A condition that holds after a number of calls.
private final class Countdown: Sendable {
  private let left: Mutex<Int>

  init(from count: Int) { left = Mutex(count) }

  @Sendable func isOver() -> Bool {
    left.withLock { left in
      left -= 1
      return left < 0
    }
  }
}
