import Datastore
import JSON
import Replication
import Testing

/// The effect of late, duplicate, malformed and wrong responses on a replicator.
struct AnswersTests {
  static let kinds: [(ReplicationSide, String)] = [
    (.source, "info"), (.target, "info"), (.source, "readLocal"), (.target, "readLocal"),
    (.source, "changes"), (.target, "revsDiff"), (.source, "getRevisions"),
    (.target, "insertRevisions"), (.target, "flush"), (.target, "writeLocal"),
    (.source, "writeLocal"),
  ]

  @Test(arguments: kinds)
  func anAnswerCountsOnce(side: ReplicationSide, kind: String) {
    var stage = Stage { $0.flushesTarget = true }
    stage.write(2)
    stage.run(until: side, kind)
    let first = stage.waiting.removeFirst()
    let answer = stage.perform(first)
    stage.tell(.response(first.number, answer))
    #expect(stage.ignores(.response(first.number, answer)))
    #expect(stage.ignores(.lost(first.number, reason: "late")))
    #expect(stage.ignores(.timer(.retry(first.number))))
    #expect(stage.ignores(.response(99, .ok(.done))))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.stored.count == 2)
    #expect(stage.count(.target, "flush") == 1)
  }

  @Test(arguments: kinds)
  func aLostAnswerIsAskedForAgain(side: ReplicationSide, kind: String) {
    for acts in [false, true] {
      var stage = Stage { $0.flushesTarget = true }
      stage.write(2)
      stage.rule(side, kind, nil, times: 2, acts: acts)
      stage.run()
      #expect(stage.state == .complete)
      #expect(stage.held == ["d1 1-a", "d2 1-a"])
      #expect(stage.report.processed == 2)
      #expect(stage.recorded(.source) == [2])
      #expect(stage.recorded(.target) == [2])
      let attempts = stage.sent.filter { $0.side == side && $0.request.action.name == kind }
      #expect(attempts.prefix(3).map { $0.attempt } == [1, 2, 3])
      #expect(Set(attempts.prefix(3).map { $0.number }).count == 3)
    }
  }

  @Test(arguments: kinds)
  func theAnswerToAnEarlierAttemptIsNone(side: ReplicationSide, kind: String) {
    var stage = Stage { $0.flushesTarget = true }
    stage.write(1)
    stage.run(until: side, kind)
    let first = stage.waiting.removeFirst()
    stage.tell(.lost(first.number, reason: "late"))
    let answer = stage.perform(first)
    #expect(stage.ignores(.response(first.number, answer)))
    stage.run()
    #expect(stage.state == .complete)
  }

  @Test(arguments: kinds)
  func anAnswerToSomethingElseIsAskedForAgain(side: ReplicationSide, kind: String) {
    var stage = Stage { $0.flushesTarget = true }
    stage.write(1)
    stage.rule(side, kind, .ok(.leaves([])))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.held == ["d1 1-a"])
    #expect(stage.recorded(.source) == [1])
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504, 507], kinds)
  func whatMayPassIsAskedAgain(code: Int, kind: (side: ReplicationSide, name: String)) {
    var stage = Stage { $0.flushesTarget = true }
    stage.write(1)
    stage.rule(kind.side, kind.name, .status(code), times: 6)
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.report.failures.isEmpty)
    #expect(stage.report.unsavedCheckpoint == nil)
  }

  @Test(arguments: [400, 401, 403, 404, 409, 412, 413, 415])
  func whatDoesNotPassIsAskedOnce(code: Int) {
    for (side, kind) in Self.kinds {
      var stage = Stage { $0.flushesTarget = true }
      stage.write(1)
      stage.rule(side, kind, .status(code), times: 9)
      stage.run()
      #expect(stage.count(side, kind) == 1)
      let isSave = kind == "flush" || kind == "writeLocal"
      #expect(stage.state == (isSave ? .complete : .error), "\(kind)")
      #expect(stage.report.failures.isEmpty == isSave)
      #expect((stage.report.unsavedCheckpoint != nil) == isSave)
      #expect(stage.report.recorded == nil)
      #expect(stage.report.processed == stage.report.total)
    }
  }

  @Test func whatNeverPassesIsGivenUp() {
    for (side, kind) in Self.kinds {
      var stage = Stage {
        $0.flushesTarget = true
        $0.attemptsMax = 4
      }
      stage.write(1)
      stage.rule(side, kind, .refused(.busy), times: 99)
      stage.run()
      #expect(stage.count(side, kind) == 4)
      #expect(stage.state.isFinal)
      #expect(stage.report.recorded == nil)
      #expect(stage.report.failures.isEmpty == (stage.report.unsavedCheckpoint != nil))
    }
  }

  @Test func pausesGrowUpToTheirLimit() {
    var stage = Stage {
      $0.attemptsMax = 12
      $0.retryPause = 200
      $0.retryPauseMax = 1000
    }
    stage.rule(.source, "info", nil, times: 12)
    stage.tell(.start(session: "s"))
    var ranges: [ClosedRange<UInt64>] = []
    while stage.step() { if let range = stage.timers.last?.range { ranges.append(range) } }
    var seen: [ClosedRange<UInt64>] = []
    for range in ranges where seen.last != range { seen.append(range) }
    #expect(seen == [100...200, 200...400, 400...800, 500...1000])
    #expect(stage.count(.source, "info") == 12)
    #expect(stage.state == .error)
  }

  @Test func aPageThatDoesNotMoveIsNone() {
    var stage = Stage { $0.attemptsMax = 3 }
    let still = ChangesPage(rows: [], last: .integer(1), more: true)
    stage.write(2)
    stage.rule(.source, "changes", .ok(.changes(still)), times: 9)
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.count(.source, "changes") == 4)
  }

  // MARK: Bulk responses

  @Test func whatTheSourceLeavesOutIsAskedForAgain() {
    var stage = Stage()
    stage.write(3)
    let one = RevisionAnswer(id: "d2", rev: "1-a", found: .records([.standIn("d2", "1-a")]))
    stage.rule(.source, "getRevisions", .ok(.revisions([one])))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.held.count == 3)
    #expect(stage.report.processed == 3)
    guard case .getRevisions(let rest)? = stage.requests(.source, "getRevisions").last else {
      Issue.record("no request was repeated")
      return
    }
    #expect(rest.map { $0.id } == ["d1", "d3"])
    #expect(rest.allSatisfy { $0.latest })
  }

  @Test func whatTheSourceNeverAnswersIsAFailure() {
    var stage = Stage()
    stage.write(2)
    let one = RevisionAnswer(id: "d2", rev: "1-a", found: .records([.standIn("d2", "1-a")]))
    stage.rule(.source, "getRevisions", .ok(.revisions([one])), times: 9)
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.held == ["d2 1-a"])
    #expect(stage.report.processed == 2)
    #expect(stage.report.failures.map { $0.id } == ["d1"])
    #expect(stage.report.recorded == nil)
  }

  @Test(arguments: [
    RevisionAnswer.Found.records([]),
    .records([.standIn("other", "1-a")]),
    .records([RevisionRecord(id: "d1", path: [], body: [:])]),
  ])
  func recordsThatAnswerSomethingElseAreNone(found: RevisionAnswer.Found) {
    var stage = Stage()
    stage.write(1)
    let answer = RevisionAnswer(id: "d1", rev: "1-a", found: found)
    stage.rule(.source, "getRevisions", .ok(.revisions([answer])))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.stored == [.standIn("d1", "1-a")])
  }

  @Test func aShortAnswerOfTheTargetIsAskedForAgain() {
    var stage = Stage()
    stage.write(2)
    stage.rule(.target, "insertRevisions", .ok(.inserted([nil])), acts: true)
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.count(.target, "insertRevisions") == 2)
    #expect(stage.report.processed == 2)
  }

  @Test func onlyWhatTheTargetCouldNotStoreIsRepeated() {
    var stage = Stage()
    stage.write(4)
    stage.rule(
      .target, "insertRevisions",
      .ok(
        .inserted([
          nil, DatastoreError(.busy), DatastoreError(.storage(.full)), DatastoreError(.forbidden),
        ])))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.stored.map { $0.id } == ["d2", "d3"])
    #expect(stage.report.refused == 1)
    #expect(stage.report.processed == 4)
  }

  @Test(arguments: [
    DatastoreError.Kind.badID, .badRevision, .badBody, .conflict, .tooLarge(limit: 9),
    .missingStub, .unsupported(what: "it"), .noSuchStore,
  ])
  func whatTheTargetRefusesOtherwiseIsAFailure(kind: DatastoreError.Kind) {
    var stage = Stage { $0.pageRows = 1 }
    stage.write(2)
    stage.rule(.target, "insertRevisions", .ok(.inserted([DatastoreError(kind)])))
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.report.failures.map { $0.id } == ["d1"])
    #expect(stage.report.failures.map { $0.rev } == ["1-a"])
    #expect(stage.report.processed == 2)
    #expect(stage.held == ["d2 1-a"])
    #expect(stage.report.recorded == nil)
  }

  @Test func onlyTheFirstHundredFailuresAreKept() {
    var stage = Stage()
    stage.write(120)
    stage.rule(
      .target, "insertRevisions",
      .ok(.inserted(Array(repeating: DatastoreError(.badBody), count: 50))), times: 2)
    stage.rule(
      .target, "insertRevisions",
      .ok(.inserted(Array(repeating: DatastoreError(.badBody), count: 20))))
    stage.run()
    #expect(stage.report.failures.count == 100)
    #expect(stage.report.processed == 120)
  }
}
