import Datastore
import JSON
import Replication
import Testing

/// The counts in the report of an implementation's own replicator, and the end of its turns.
struct ForeignReportTests {
  private static func answer(
    _ requests: [ReplicationTurn.Request] = [], _ state: ReplicatorState
  ) -> Outcome { .ok(.turn(ReplicationTurn.Answer(requests, state: state))) }

  @Test func whatTheOtherStoreTookAndRefusedIsCounted() throws {
    let records = (["a", "b", "c"] as [DocumentID]).map { RevisionRecord.standIn($0, "1-a") }
    let request = try HTTPForm(database: "/b").request(.insertRevisions(records))
    var machine = ForeignReplicator(ReplicationTurn.Start(.push, "/b")) { turn in
      guard case .start = turn.event else { return Self.answer([], .complete) }
      return Self.answer([ReplicationTurn.Request(number: 1, request)], .started)
    }
    #expect(machine.handle(.start(session: "s")).count == 1)
    let errors = [nil, DatastoreError(.forbidden), DatastoreError(.badBody)]
    #expect(machine.handle(.response(1, .ok(.inserted(errors)))).isEmpty)
    #expect(machine.state == .complete)
    #expect(machine.report.total == 3)
    #expect(machine.report.processed == 3)
    #expect(machine.report.refused == 1)
  }

  @Test(arguments: [ReplicatorState.complete, .stopped, .error])
  func aReplicatorThatHasEndedGetsNoTurn(state: ReplicatorState) throws {
    let record = RevisionRecord.standIn("a", "1-a")
    let request = try HTTPForm(database: "/b").request(.insertRevisions([record]))
    var turns = 0
    var machine = ForeignReplicator(ReplicationTurn.Start(.pull, "/b")) { _ in
      turns += 1
      return turns == 1
        ? Self.answer([ReplicationTurn.Request(number: 1, request)], .started)
        : Self.answer([], state)
    }
    _ = machine.handle(.start(session: "s"))
    _ = machine.handle(.cancel)
    #expect(machine.state == state)
    let report = machine.report
    // Responses to requests in progress at the end are not counted either.
    for event in [
      ReplicatorEvent.cancel, .timer(.retry(2)), .start(session: "t"),
      .response(1, .ok(.inserted([nil]))),
    ] {
      #expect(machine.handle(event).isEmpty)
    }
    #expect(turns == 2)
    #expect(machine.state == state)
    #expect(machine.report == report)
  }
}
