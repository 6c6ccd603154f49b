import Datastore
import JSON
import Replication
import Testing

/// The iteration over the changes of the source.
struct PagesTests {
  @Test func pagesAreAsLargeAsConfigured() {
    var stage = Stage {
      $0.pageRows = 4
      $0.diffRevisions = 3
      $0.batchRevisions = 2
    }
    stage.write(10)
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.stored.count == 10)
    let sizes = stage.requests(.source, "changes").map { request in
      if case .changes(let since, let limit, _) = request {
        "\(since.map { "\($0)" } ?? "-")/\(limit)"
      } else {
        ""
      }
    }
    #expect(sizes == ["-/4", "4/4", "8/4"])
    #expect(stage.requests(.target, "revsDiff").map { $0.revisions } == [3, 1, 3, 1, 2])
    #expect(
      stage.requests(.source, "getRevisions").map { $0.revisions }.sorted()
        == [1, 1, 1, 1, 2, 2, 2])
    #expect(stage.requests(.target, "insertRevisions").allSatisfy { $0.revisions <= 2 })
  }

  /// A request that is too large for one response or one call is halved, down to single revisions.
  @Test(arguments: [1, 2, 3, 7], [1, 2, 3, 7])
  func fetchesAndInsertsThatAreTooLargeAreHalved(fetchMax: Int, insertMax: Int) {
    var stage = Stage()
    (stage.fetchMax, stage.insertMax) = (fetchMax, insertMax)
    stage.write(20)
    stage.write("many", ["1-a", "1-b", "1-c", "1-d", "1-e"])
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.held.count == 25)
    #expect(stage.stored.count == 25)
    #expect(stage.report.total == 25)
    #expect(stage.report.processed == 25)
    #expect(stage.report.failures.isEmpty)
    #expect(stage.recorded(.source) == [21])
    // 25, then halves of it: at most twice as many requests as chunks.
    #expect(stage.count(.source, "getRevisions") < 2 * 25)
  }

  /// A single revision that is too large fails, and no checkpoint covers it; all others are stored.
  @Test func aRevisionThatIsTooLargeFailsAlone() {
    var stage = Stage()
    (stage.fetchMax, stage.insertMax) = (1, 0)
    stage.write(3)
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.report.failures.count == 3)
    #expect(stage.report.processed == 3)
    #expect(stage.recorded(.source).isEmpty)
  }

  /// A fetch of one revision cannot be divided.
  @Test func aFetchOfOneRevisionThatIsTooLargeFails() {
    var stage = Stage()
    stage.write(1)
    stage.rule(.source, "getRevisions", .refused(.tooLarge(limit: 1)), times: 50)
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.count(.source, "getRevisions") == 1)
    #expect(stage.report.failures.map { $0.id } == ["d1"])
  }

  @Test(arguments: 1...4)
  func onlySoManyPagesAreInFlight(pagesInFlight: Int) {
    var stage = Stage {
      $0.pageRows = 1
      $0.pagesInFlight = pagesInFlight
    }
    stage.write(9)
    stage.run(until: .source, "changes")
    // The target does not respond; pages arrive until enough of them are incomplete.
    while let place = stage.waiting.firstIndex(where: { $0.side == .source }) {
      let request = stage.waiting.remove(at: place)
      stage.tell(.response(request.number, stage.perform(request)))
    }
    #expect(stage.count(.source, "changes") == pagesInFlight)
    #expect(stage.waiting.count == pagesInFlight)
    stage.run()
    #expect(stage.held.count == 9)
  }

  @Test func laterPagesThatSettleFirstMoveNoCheckpoint() {
    var stage = Stage { $0.pageRows = 1 }
    stage.write(2)
    stage.run(until: .target, "revsDiff")
    let first = stage.waiting.removeFirst()
    stage.run()
    #expect(stage.held == ["d2 1-a"])
    stage.tell(.timer(.checkpoint))
    #expect(stage.count(.target, "writeLocal") == 0)
    #expect(stage.state == .started)
    stage.waiting.append(first)
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.recorded(.source) == [2])
  }

  @Test func theCheckpointStaysBeforeAPageThatFailed() {
    var stage = Stage {
      $0.pageRows = 1
      $0.pagesInFlight = 1
    }
    stage.write(4)
    stage.run(until: .target, "insertRevisions")
    stage.step()
    stage.rule(.target, "insertRevisions", .ok(.inserted([DatastoreError(.badBody)])))
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.held == ["d1 1-a", "d3 1-a", "d4 1-a"])
    #expect(stage.recorded(.source) == [1])
    #expect(stage.report.recorded == .integer(1))
  }

  @Test func pagesBeforeOneThatCouldNotBeHadCount() {
    var stage = Stage { $0.pageRows = 1 }
    stage.write(2)
    // The second page is rejected while the first is in transit.
    stage.run(until: .target, "revsDiff")
    stage.rule(.source, "changes", .status(400))
    let first = stage.waiting.removeFirst()
    stage.run()
    stage.waiting.append(first)
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.held == ["d1 1-a"])
    #expect(stage.recorded(.source) == [1])
  }

  // MARK: Positions unknown to the source

  @Test func anUnknownPositionIsGivenUpOnce() {
    var stage = Stage()
    let entry: JSONValue = ["session": "old", "recorded": 7]
    stage.locals[.source] = ["side": "source", "history": [entry]]
    stage.locals[.target] = ["side": "target", "history": [entry]]
    stage.write(2)
    stage.rule(.source, "changes", .refused(.badSequence))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.held.count == 2)
    #expect(stage.recorded(.source) == [2, 7])
  }

  @Test func aSecondOneIsAFailure() {
    var stage = Stage { $0.pageRows = 1 }
    stage.write(3)
    stage.run(until: .source, "changes")
    stage.step()
    stage.rule(.source, "changes", .refused(.badSequence))
    stage.run(until: .source, "changes")
    stage.step()
    stage.run(until: .source, "changes")
    guard case .changes(nil, _, _)? = stage.requests(.source, "changes").last else {
      Issue.record("it did not restart from the beginning")
      return
    }
    stage.step()
    stage.rule(.source, "changes", .refused(.badSequence))
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.count(.source, "changes") == 4)
  }

  @Test func theBeginningIsNeverUnknown() {
    var stage = Stage()
    stage.rule(.source, "changes", .refused(.badSequence), times: 9)
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.count(.source, "changes") == 1)
  }

  @Test func aContinuousReplicatorDoesNotReturnToAnUnknownPosition() {
    var stage = Stage { $0.isContinuous = true }
    let entry: JSONValue = ["session": "old", "recorded": 7]
    stage.locals[.source] = ["side": "source", "history": [entry]]
    stage.locals[.target] = ["side": "target", "history": [entry]]
    stage.write(1)
    stage.rule(.source, "changes", .refused(.badSequence))
    stage.rule(.target, "insertRevisions", .ok(.inserted([DatastoreError(.badBody)])))
    stage.run()
    stage.tell(.poke)
    stage.run()
    #expect(stage.held == ["d1 1-a"])
    #expect(stage.recorded(.source) == [1, 7])
    let positions = stage.requests(.source, "changes").map { request -> UpdateSequence? in
      if case .changes(let since, _, _) = request { since } else { nil }
    }
    #expect(positions == [.integer(7), nil, nil])
  }

  // MARK: Revisions that the source lists but does not return

  @Test func aRevisionThatVanishedIsPassed() {
    var stage = Stage()
    stage.write(2)
    let gone = RevisionAnswer(id: "d1", rev: "1-a", found: .missing)
    let there = RevisionAnswer(id: "d2", rev: "1-a", found: .records([.standIn("d2", "1-a")]))
    stage.rule(.source, "getRevisions", .ok(.revisions([gone, there])))
    let unknown = Difference(id: "d1", missing: ["1-a"], possibleAncestors: [])
    stage.rule(.source, "revsDiff", .ok(.revsDiff([unknown])))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.report.vanished == 1)
    #expect(stage.report.processed == 2)
    #expect(
      stage.requests(.source, "revsDiff") == [.revsDiff([RevisionQuery(id: "d1", revs: ["1-a"])])])
    #expect(stage.recorded(.source) == [2])
  }

  @Test func aRevisionThatTheSourceKnowsAndDoesNotGiveIsAFailure() {
    var stage = Stage()
    stage.write(2)
    let gone = RevisionAnswer(id: "d1", rev: "1-a", found: .missing)
    let there = RevisionAnswer(id: "d2", rev: "1-a", found: .records([.standIn("d2", "1-a")]))
    stage.rule(.source, "getRevisions", .ok(.revisions([gone, there])))
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.report.vanished == 0)
    #expect(stage.report.failures.map { $0.id } == ["d1"])
    #expect(stage.report.processed == 2)
    #expect(stage.held == ["d2 1-a"])
    #expect(stage.report.recorded == nil)
  }

  @Test func aNameWithoutABodyIsAFailure() {
    var stage = Stage()
    stage.write(1)
    let bare = RevisionAnswer(id: "d1", rev: "1-a", found: .bodyMissing)
    stage.rule(.source, "getRevisions", .ok(.revisions([bare])))
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.count(.source, "revsDiff") == 0)
    #expect(stage.report.failures.map { $0.rev } == ["1-a"])
    #expect(stage.report.processed == 1)
    #expect(stage.report.recorded == nil)
  }

  @Test func onlyWhatIsMissingIsFetched() {
    var stage = Stage()
    stage.write("c", ["2-a", "2-b", "2-c"])
    stage.held = ["c 2-b"]
    stage.run()
    #expect(stage.report.total == 2)
    #expect(stage.stored.map { $0.path } == [["2-a"], ["2-c"]])
    let asked = RevisionQuery(
      id: "c", revs: ["2-a", "2-c"], latest: true, attachmentsSince: [])
    #expect(stage.requests(.source, "getRevisions") == [.getRevisions([asked])])
  }

  /// The order of the missing revisions is unspecified, and a document may occur several times.
  @Test(arguments: [
    [("c", ["2-a", "2-b"]), ("d", ["1-d"]), ("e", ["1-e"])],
    [("c", ["2-b", "2-a"]), ("d", ["1-d"]), ("e", ["1-e"])],
    [("e", ["1-e"]), ("d", ["1-d"]), ("c", ["2-a", "2-b"])],
    [("c", ["2-a"]), ("c", ["2-b"]), ("d", ["1-d"]), ("e", ["1-e"])],
    [("c", ["2-a"]), ("d", ["1-d"]), ("c", ["2-b"]), ("e", ["1-e"])],
    [("c", ["2-a", "9-z"]), ("x", ["1-x"]), ("d", ["1-d"]), ("c", ["2-b"]), ("e", ["1-e"])],
  ])
  func whatIsMissingIsFetchedInWhateverOrderItIsTold(told: [(id: String, revs: [String])]) {
    var stage = Stage()
    stage.write("c", ["2-a", "2-b"])
    stage.write("d", ["1-d"])
    stage.write("e", ["1-e"])
    let missing = told.map { told in
      Difference(
        id: DocumentID(JSONString(told.id)), missing: told.revs.map { RevisionID(JSONString($0)) },
        possibleAncestors: [RevisionID(JSONString("0-\(told.id)"))])
    }
    stage.rule(.target, "revsDiff", .ok(.revsDiff(missing)))
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.report.total == 4)
    #expect(stage.held == ["c 2-a", "c 2-b", "d 1-d", "e 1-e"])
    guard case .getRevisions(let asked)? = stage.requests(.source, "getRevisions").first else {
      Issue.record("no revisions were fetched")
      return
    }
    #expect(asked.map { $0.id } == ["c", "d", "e"])
    for query in asked {
      let names = Set(query.attachmentsSince?.map { $0.text } ?? [])
      #expect(names == [JSONString("0-\(query.id)")])
    }
  }

  @Test func aDocumentThatAPageListsTwiceIsFetchedAsOftenAsItTakes() {
    var stage = Stage()
    stage.write("c", ["2-a"])
    stage.write("c", ["2-b"])
    // A target that groups requests by document has one answer for both.
    let both = Difference(id: "c", missing: ["2-a", "2-b"], possibleAncestors: [])
    stage.rule(.target, "revsDiff", .ok(.revsDiff([both])))
    stage.run()
    #expect(stage.report.total == 2)
    #expect(stage.held == ["c 2-a", "c 2-b"])
  }

  @Test func whatNobodyAskedAboutIsNotFetched() {
    var stage = Stage()
    stage.write(1)
    let much = [
      Difference(id: "d1", missing: ["1-a", "9-z"], possibleAncestors: []),
      Difference(id: "x", missing: ["1-a"], possibleAncestors: []),
    ]
    stage.rule(.target, "revsDiff", .ok(.revsDiff(much)))
    stage.run()
    #expect(stage.report.total == 1)
    #expect(stage.stored.map { $0.id } == ["d1"])
  }
}

extension PeerRequest {
  /// The number of revisions in the request.
  fileprivate var revisions: Int {
    switch self {
    case .revsDiff(let queries), .getRevisions(let queries):
      queries.reduce(0) { $0 + $1.revs.count }
    case .insertRevisions(let records): records.count
    default: 0
    }
  }
}
