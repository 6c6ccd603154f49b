import Datastore
import JSON
import Replication
import Testing

/// The checkpoints on both sides, and their use.
struct CheckpointTests {
  private static func history(
    _ side: ReplicationSide, _ entries: [(JSONString, Int64)]
  ) -> JSONValue {
    let entries = entries.map { entry -> JSONValue in
      ["session": .string(entry.0), "recorded": .integer(entry.1)]
    }
    return ["version": 1, "side": .text(side.rawValue), "history": .array(entries)]
  }

  private static func start(
    _ source: JSONValue?, _ target: JSONValue?
  ) -> UpdateSequence? {
    var stage = Stage()
    stage.locals[.source] = source
    stage.locals[.target] = target
    stage.run(until: .source, "changes")
    guard case .changes(let since, _, _)? = stage.requests(.source, "changes").first else {
      Issue.record("changes were not requested")
      return nil
    }
    return since
  }

  @Test func theNewestEntryThatBothRememberDecides() {
    let source = Self.history(.source, [("c", 30), ("b", 20), ("a", 10)])
    #expect(Self.start(source, Self.history(.target, [("c", 30), ("a", 10)])) == .integer(30))
    #expect(Self.start(source, Self.history(.target, [("d", 40), ("b", 20)])) == .integer(20))
    #expect(Self.start(source, Self.history(.target, [("a", 10), ("b", 20)])) == .integer(20))
    #expect(Self.start(source, Self.history(.target, [("d", 40)])) == nil)
    #expect(Self.start(source, nil) == nil)
    #expect(Self.start(nil, source) == nil)
  }

  @Test func sessionAndSequenceMustAgree() {
    let source = Self.history(.source, [("s", 30), ("s", 20), ("r", 10)])
    #expect(Self.start(source, Self.history(.target, [("s", 40), ("s", 20)])) == .integer(20))
    #expect(Self.start(source, Self.history(.target, [("s", 40), ("r", 10)])) == .integer(10))
    #expect(Self.start(source, Self.history(.target, [("x", 30)])) == nil)
  }

  @Test func theOtherDirectionIsNoneOfOurs() {
    // Two copies of one store, of which one has replicated to the other: they have the same
    // incarnation and therefore the same local document, whose sequences belong to the former
    // source.
    let source = Self.history(.source, [("s", 30)])
    let target = Self.history(.target, [("s", 30)])
    #expect(Self.start(source, target) == .integer(30))
    #expect(Self.start(target, source) == nil)
  }

  @Test(arguments: [
    #"{}"#, #"{"history":7}"#, #"{"side":"source","history":[7,{},{"session":"s"}]}"#,
    #"{"side":"source","history":[{"session":"s","recorded":1.5}]}"#, "[]", "null",
  ])
  func whatIsNoHistoryCostsOnlyWork(body: String) throws {
    let target = Self.history(.target, [("s", 1)])
    #expect(Self.start(try JSONValue.parse(body), target) == nil)
  }

  @Test func aSessionLeavesItsEntryOnBothSides() {
    var stage = Stage()
    stage.write(2)
    stage.run(session: "one")
    #expect(stage.locals[.source] == Self.history(.source, [("one", 2)]))
    #expect(stage.locals[.target] == Self.history(.target, [("one", 2)]))
    var next = Stage()
    next.locals = stage.locals
    next.rows = stage.rows
    next.write(1)
    next.run(session: "two")
    #expect(next.recorded(.source) == [3, 2])
    #expect(next.recorded(.target) == [3, 2])
    #expect(next.stored.map { $0.id } == ["d3"])
  }

  @Test func nothingNewSavesNothing() {
    var stage = Stage()
    stage.write(1)
    stage.run()
    var next = Stage()
    next.locals = stage.locals
    next.rows = stage.rows
    next.run()
    #expect(next.state == .complete)
    #expect(next.count(.target, "writeLocal") == 0)
    #expect(next.report.recorded == .integer(1))
  }

  @Test func theTargetIsWrittenFirst() {
    var stage = Stage { $0.flushesTarget = true }
    stage.write(1)
    stage.run(until: .target, "flush")
    #expect(stage.waiting.count == 1)
    stage.run(until: .target, "writeLocal")
    #expect(stage.waiting.count == 1)
    #expect(stage.locals.isEmpty)
    stage.run(until: .source, "writeLocal")
    #expect(stage.waiting.count == 1)
    #expect(stage.recorded(.target) == [1])
    stage.run()
    #expect(stage.recorded(.source) == [1])
  }

  @Test func aTargetThatIsDurableIsNotFlushed() {
    var stage = Stage()
    stage.write(1)
    stage.run()
    #expect(stage.count(.target, "flush") == 0)
  }

  @Test func atMostFiftyEntriesAreKept() {
    let entries = (0..<50).map { (JSONString("s\($0)"), Int64(100 - $0)) }
    var stage = Stage()
    stage.locals[.source] = Self.history(.source, entries)
    stage.locals[.target] = Self.history(.target, entries)
    for _ in 0..<200 { stage.write(1) }
    stage.run()
    #expect(stage.recorded(.source).count == 50)
    #expect(stage.recorded(.source).first == 200)
    #expect(stage.recorded(.source).last == 52)
    #expect(stage.recorded(.target) == stage.recorded(.source))
  }

  @Test func aSessionKeepsItsNewestTwo() {
    var stage = Stage {
      $0.pageRows = 1
      $0.pagesInFlight = 1
    }
    stage.locals[.source] = Self.history(.source, [("old", 0)])
    stage.locals[.target] = Self.history(.target, [("old", 0)])
    stage.write(5)
    stage.tell(.start(session: "s"))
    var savedAt: [[JSONValue]] = []
    while stage.step() {
      if let place = stage.timers.firstIndex(where: { $0.timer == .checkpoint }) {
        stage.timers.remove(at: place)
        stage.tell(.timer(.checkpoint))
      }
      if savedAt.last != stage.recorded(.source) { savedAt.append(stage.recorded(.source)) }
    }
    #expect(stage.state == .complete)
    #expect(savedAt == [[0], [1, 0], [2, 1, 0], [3, 2, 0], [4, 3, 0], [5, 4, 0]])
  }

  @Test func betweenTwoCheckpointsThereIsAPause() {
    var stage = Stage { $0.pageRows = 1 }
    stage.write(5)
    stage.run(until: .source, "writeLocal")
    let pauses = stage.timers.filter { $0.timer == .checkpoint }
    #expect(pauses.map { $0.range } == [5_000_000_000...5_000_000_000])
  }

  @Test(arguments: [
    (ReplicationSide.target, "flush"), (.target, "writeLocal"), (.source, "writeLocal"),
  ])
  func aCheckpointThatCannotBeSavedIsReported(side: ReplicationSide, kind: String) {
    var stage = Stage { $0.flushesTarget = true }
    stage.write(2)
    stage.rule(side, kind, .refused(.storage(.full)), times: 99)
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.count(side, kind) == 7)
    #expect(stage.report.unsavedCheckpoint?.string.contains("refused") == true)
    #expect(stage.report.recorded == nil)
    #expect(stage.recorded(.source).isEmpty)
    #expect(stage.held.count == 2)
  }

  @Test func aLaterCheckpointMakesUpForOneThatWasNotSaved() {
    var stage = Stage {
      $0.pageRows = 1
      $0.pagesInFlight = 1
    }
    stage.write(3)
    stage.rule(.target, "writeLocal", .status(400))
    stage.run(until: .source, "changes")
    stage.passCheckpointPause()
    stage.run()
    #expect(stage.count(.target, "writeLocal") == 2)
    #expect(stage.report.unsavedCheckpoint == nil)
    #expect(stage.report.recorded == .integer(3))
    #expect(stage.recorded(.target) == [3])
  }

  @Test func anEntryThatOnlyTheTargetHasStaysBelowTheNextOne() {
    var stage = Stage {
      $0.pageRows = 1
      $0.pagesInFlight = 1
    }
    stage.write(3)
    stage.rule(.source, "writeLocal", .status(400))
    stage.run(until: .source, "changes")
    stage.passCheckpointPause()
    stage.run()
    #expect(stage.recorded(.target) == [3, 1])
    #expect(stage.recorded(.source) == [3])
  }

  @Test func theNameIsMadeOfEverythingThatMatters() {
    func name(
      _ source: JSONString = "S", _ target: JSONString = "T", _ filter: Filter? = nil,
      batch: Int = 50
    ) -> PeerRequest? {
      var stage = Stage {
        $0.filter = filter
        $0.batchRevisions = batch
      }
      stage.incarnations = [.source: source, .target: target]
      stage.run()
      let asked = stage.requests(.source, "readLocal")
      #expect(stage.requests(.target, "readLocal") == asked)
      return asked.first
    }
    #expect(name() == name(batch: 7))
    let names = [
      name(), name("T", "S"), name("S2"), name("S", "T2"), name("S", "T", .live),
      name("S", "T", .documentIDs(["a"])), name("S", "T", .documentIDs(["a", "b"])),
      name("S", "T", .bodyFieldEquals(field: "x", value: 1)),
      name("S", "T", .bodyFieldEquals(field: "x", value: "1")),
    ]
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: ReplicationSide.allCases)
  func aStoreThatBecameAnotherFailsTheRun(side: ReplicationSide) {
    var stage = Stage()
    stage.write(1)
    stage.run(until: .target, "insertRevisions")
    stage.incarnations[side] = "other"
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.report.failures.map { $0.reason.string.contains(side.rawValue) } == [true])
  }
}
