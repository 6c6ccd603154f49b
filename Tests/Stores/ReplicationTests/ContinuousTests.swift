import Datastore
import JSON
import Replication
import Testing

/// A replicator that continues until it is cancelled.
struct ContinuousTests {
  private static func resting(_ change: (inout ReplicatorConfiguration) -> Void = { _ in }) -> Stage
  {
    var stage = Stage {
      $0.isContinuous = true
      change(&$0)
    }
    stage.write(2)
    stage.run()
    return stage
  }

  private static func polls(_ stage: Stage) -> [ClosedRange<UInt64>] {
    stage.timers.filter { $0.timer == .poll }.map { $0.range }
  }

  @Test func itRestsWhenThereIsNothingToDo() {
    let stage = Self.resting { $0.pollInterval = 77 }
    #expect(stage.state == .started)
    #expect(stage.waiting.isEmpty)
    #expect(Self.polls(stage) == [77...77])
    #expect(stage.recorded(.source) == [2])
  }

  @Test(arguments: [ReplicatorEvent.timer(.poll), .poke])
  func itLooksForNewChanges(event: ReplicatorEvent) {
    var stage = Self.resting()
    stage.write(1)
    let saves = stage.count(.source, "writeLocal")
    stage.tell(event)
    stage.run()
    #expect(stage.state == .started)
    #expect(stage.held.count == 3)
    #expect(stage.recorded(.source) == [3, 2])
    #expect(stage.count(.source, "writeLocal") == saves + 1)
    guard case .changes(.integer(2), _, _)? = stage.requests(.source, "changes").last else {
      Issue.record("it did not continue from its position")
      return
    }
  }

  @Test func onePollIsEnough() {
    var stage = Self.resting()
    stage.tell(.poke)
    stage.run()
    // The first idle pause is not over.
    #expect(Self.polls(stage).count == 1)
    stage.tell(.timer(.poll))
    stage.run()
    #expect(Self.polls(stage).count == 2)
  }

  @Test func aPokeWhileItWorksChangesNothing() {
    var stage = Stage { $0.isContinuous = true }
    stage.write(1)
    stage.run(until: .target, "insertRevisions")
    #expect(stage.ignores(.poke))
  }

  @Test func aPokeOfAOneShotReplicatorChangesNothing() {
    var stage = Stage()
    stage.run(until: .source, "changes")
    #expect(stage.ignores(.poke))
    #expect(stage.ignores(.timer(.poll)))
  }

  @Test func aPageThatFailedIsTriedAgain() {
    var stage = Stage {
      $0.isContinuous = true
      $0.pageRows = 1
      $0.pagesInFlight = 1
    }
    stage.write(3)
    stage.run(until: .target, "insertRevisions")
    stage.step()
    stage.rule(.target, "insertRevisions", .ok(.inserted([DatastoreError(.badBody)])))
    stage.run()
    #expect(stage.state == .started)
    #expect(stage.recorded(.source) == [1])
    stage.tell(.timer(.poll))
    stage.run()
    #expect(stage.held.count == 3)
    #expect(stage.recorded(.source) == [3, 1])
    #expect(stage.report.failures.count == 1)
  }

  @Test func theFirstPageAfterACheckpointIsTriedAgainFromThere() {
    var stage = Stage { $0.isContinuous = true }
    let entry: JSONValue = ["session": "old", "recorded": 1]
    stage.locals[.source] = ["side": "source", "history": [entry]]
    stage.locals[.target] = ["side": "target", "history": [entry]]
    stage.write(2)
    stage.rule(.target, "insertRevisions", .ok(.inserted([DatastoreError(.badBody)])))
    stage.run()
    stage.tell(.poke)
    stage.run()
    let again = PeerRequest.changes(since: .integer(1), limit: 100, filter: nil)
    #expect(stage.requests(.source, "changes") == [again, again])
    #expect(stage.held == ["d2 1-a"])
  }

  @Test func aPageThatCouldNotBeHadIsTriedAgain() {
    var stage = Self.resting()
    stage.write(1)
    stage.rule(.source, "changes", .status(400))
    stage.tell(.poke)
    stage.run()
    #expect(stage.state == .started)
    stage.tell(.poke)
    stage.run()
    #expect(stage.held.count == 3)
    #expect(stage.recorded(.source) == [3, 2])
  }

  @Test(arguments: ReplicationSide.allCases)
  func itEndsWhenAStoreBecomesAnother(side: ReplicationSide) {
    var stage = Self.resting()
    stage.incarnations[side] = "other"
    stage.tell(.timer(.poll))
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.count(.source, "changes") == 1)
  }

  @Test func cancelEndsItsRest() {
    var stage = Self.resting()
    stage.tell(.cancel)
    #expect(stage.state == .stopped)
    #expect(stage.report.recorded == .integer(2))
  }
}
