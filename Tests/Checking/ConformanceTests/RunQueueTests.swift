import Datastore
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

  /// The results come in any order, the report has that of the corpus.
  @Test func theReportHasTheOrderOfTheCorpus() throws {
    let vectors = try vectors()
    let queue = RunQueue(Fixtures.corpus(vectors))
    for _ in vectors { _ = queue.take() }
    for (done, place) in [3, 0, 4, 2, 1].enumerated() {
      #expect(queue.put(result(vectors[place]), at: place) == done + 1)
    }
    let report = queue.report(on: FakeDatastore().description)
    #expect(report.results.map(\.vector.id) == vectors.map(\.id))
    #expect(
      report.results
        == Fixtures.report(vectors, FakeDatastore(.noConflicts)).results.map {
          RunReport.Result(vector: $0.vector, verdict: result($0.vector).verdict)
        })
  }

  /// What stood before a failure is still asked, and what came after it is not in the report.
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
}
