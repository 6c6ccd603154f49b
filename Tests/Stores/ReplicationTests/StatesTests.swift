import Datastore
import JSON
import Replication
import Testing

/// The start and the end of a replicator: the states of CDTReplicator, without its intermediate
/// ones.
struct StatesTests {
  @Test func aRunStartsAndCompletes() {
    var stage = Stage()
    #expect(stage.state == .pending)
    stage.tell(.start(session: "s"))
    #expect(stage.state == .started)
    stage.write(3)
    stage.run()
    #expect(stage.state == .complete)
    #expect(stage.stored.count == 3)
    #expect(stage.report.total == 3)
    #expect(stage.report.processed == 3)
  }

  @Test func aSecondStartChangesNothing() {
    var stage = Stage()
    stage.write(1)
    stage.tell(.start(session: "s"))
    #expect(stage.ignores(.start(session: "t")))
    stage.run()
    #expect(stage.locals[.source]?.serialized().contains(#""session":"s""#) == true)
  }

  @Test(arguments: [ReplicatorState.complete, .stopped, .error])
  func aReplicatorLivesOnce(end: ReplicatorState) {
    var stage = Stage()
    switch end {
    case .stopped: stage.tell(.cancel)
    case .error:
      stage.rule(.source, "info", .status(404))
      stage.run()
    default: stage.run()
    }
    #expect(stage.state == end)
    for event: ReplicatorEvent in [
      .start(session: "t"), .cancel, .poke, .timer(.poll), .timer(.checkpoint), .timer(.retry(1)),
      .lost(1, reason: ""), .response(1, .ok(.done)),
    ] {
      #expect(stage.ignores(event))
    }
  }

  @Test func cancelBeforeTheStartStops() {
    var stage = Stage()
    stage.tell(.cancel)
    #expect(stage.state == .stopped)
    stage.tell(.start(session: "s"))
    #expect(stage.state == .stopped)
    #expect(stage.sent.isEmpty)
  }

  /// The requests during which a run is cancelled, and whether the replicator waits for the
  /// response: only for requests that store data.
  static let cancellations: [(ReplicationSide, String, waits: Bool, stored: Int)] = [
    (.source, "info", false, 0), (.target, "info", false, 0), (.source, "readLocal", false, 0),
    (.source, "changes", false, 0), (.target, "revsDiff", false, 0),
    (.source, "getRevisions", false, 0), (.target, "insertRevisions", true, 1),
    (.target, "writeLocal", true, 1), (.source, "writeLocal", true, 1),
  ]

  @Test(arguments: cancellations)
  func cancelStops(side: ReplicationSide, kind: String, waits: Bool, stored: Int) {
    var stage = Stage()
    stage.write(1)
    stage.run(until: side, kind)
    stage.tell(.cancel)
    #expect(stage.state == (waits ? .stopping : .stopped))
    let requests = stage.sent.count
    stage.tell(.cancel)
    #expect(stage.sent.count == requests)
    stage.run()
    #expect(stage.state == .stopped)
    #expect(stage.stored.count == stored)
    #expect(stage.report.failures.isEmpty)
    // The checkpoint covers the stored data on both sides.
    #expect(stage.recorded(.source) == (stored == 0 ? [] : [1]))
    #expect(stage.recorded(.target) == (stored == 0 ? [] : [1]))
    #expect(stage.report.recorded == (stored == 0 ? nil : .integer(1)))
  }

  @Test func cancelWhileVerifyingStops() {
    var stage = Stage()
    stage.run(until: .source, "changes")
    stage.run(until: .source, "info")
    stage.tell(.cancel)
    #expect(stage.state == .stopped)
  }

  @Test func cancelForgetsWhatWaitsForItsRepetition() {
    var stage = Stage()
    stage.write(2)
    stage.rule(.target, "insertRevisions", .refused(.busy))
    stage.run(until: .target, "insertRevisions")
    stage.step()
    stage.tell(.cancel)
    #expect(stage.state == .stopped)
    #expect(stage.report.failures.isEmpty)
    #expect(stage.report.recorded == nil)
  }

  @Test func aCheckpointThatWaitsForItsRepetitionIsReportedUnsaved() {
    var stage = Stage()
    stage.write(1)
    stage.rule(.target, "writeLocal", .refused(.busy))
    stage.run(until: .target, "writeLocal")
    stage.step()
    stage.tell(.cancel)
    #expect(stage.state == .stopped)
    #expect(stage.report.unsavedCheckpoint != nil)
  }

  @Test func aPageThatWasCancelledInTheMidstIsNotPassed() {
    var stage = Stage { $0.batchRevisions = 1 }
    stage.write(2)
    stage.run(until: .source, "getRevisions")
    stage.step()
    // One record is in transit to the target, and the other has been requested.
    #expect(stage.waiting.map { $0.side } == [.source, .target])
    stage.tell(.cancel)
    #expect(stage.state == .stopping)
    stage.run()
    #expect(stage.state == .stopped)
    #expect(stage.stored.count == 1)
    #expect(stage.report.recorded == nil)
    #expect(stage.count(.target, "writeLocal") == 0)
  }

  @Test func whatFailsWhileStoppingEndsInError() {
    var stage = Stage()
    stage.write(1)
    stage.rule(.target, "insertRevisions", .refused(.storage(.io)))
    stage.run(until: .target, "insertRevisions")
    stage.tell(.cancel)
    stage.run()
    #expect(stage.state == .error)
    #expect(stage.count(.target, "insertRevisions") == 1)
    #expect(stage.report.failures.count == 1)
  }

  @Test func whatFailedBeforeTheCancelEndsInError() {
    var stage = Stage { $0.pageRows = 1 }
    stage.write(3)
    stage.rule(.source, "getRevisions", .status(400))
    stage.run(until: .target, "insertRevisions")
    stage.tell(.cancel)
    stage.run()
    #expect(stage.state == .error)
  }
}
