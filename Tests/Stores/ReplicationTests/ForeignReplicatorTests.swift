import Datastore
import JSON
import ReferenceDatastore
import Replication
import Testing

/// An implementation with its own replicator, and a remote store that it reaches by requests.
struct ForeignReplicatorTests {
  private final class Both {
    let own = ReplicatingDatastore(ReferenceDatastore()) { configuration in
      var configuration = configuration
      configuration.retryPause = 7
      return Replicator(configuration)
    }
    let other = ReferenceDatastore()
    let environment = RunEnvironment(seed: 1)
    /// The environment of the own store; a turn runs while the other one is in use.
    let ownEnvironment = RunEnvironment(seed: 2)
    /// The events passed to the replicator, as JSON.
    var turns: [String] = []

    init() throws {
      _ = try own.perform(StoreOperation("a", .open()), ownEnvironment)
      _ = other.perform(StoreOperation("b", .open()), environment)
    }

    func own(_ action: StoreAction) throws -> Outcome {
      try own.perform(StoreOperation("a", action), ownEnvironment)
    }

    func other(_ action: StoreAction) -> Outcome {
      other.perform(StoreOperation("b", action), environment)
    }

    func machine(
      _ direction: ReplicationTurn.Direction, filter: Filter? = nil, isContinuous: Bool = false
    ) -> ForeignReplicator {
      let start = ReplicationTurn.Start(
        direction, "/b", filter: filter, isContinuous: isContinuous)
      return ForeignReplicator(start) { [self] turn throws(HarnessError) in
        // A round trip through JSON, as with an adapter process.
        let operation = StoreOperation("a", .replicate(turn))
        turns.append(turn.name)
        do {
          let read = try StoreOperation(JSONValue.parse(operation.json.serializedBytes()))
          #expect(read == operation)
          let outcome = try own.perform(read, ownEnvironment)
          return try Outcome(
            JSONValue.parse(outcome.json.serializedBytes()), of: read.action)
        } catch {
          throw HarnessError("\(error)")
        }
      }
    }

    /// Requests are sent only to the remote side, in either direction.
    func run(_ machine: inout ForeignReplicator) throws {
      let there = Peer(other, store: "b")
      try LocalReplication(from: there, to: there).run(&machine, environment)
    }
  }

  private static let records = [
    RevisionRecord(id: "c", path: ["2-b", "1-a"], body: ["x": 1]),
    RevisionRecord(id: "c", path: ["3-c", "2-c", "1-a"], deleted: true, body: [:]),
    RevisionRecord(id: "ä/ö %", path: ["1-a"], body: ["x": 2]),
  ]

  @Test func itPushes() throws {
    let both = try Both()
    _ = try both.own(.insertRevisions(Self.records))
    var machine = both.machine(.push)
    try both.run(&machine)
    #expect(machine.state == .complete)
    #expect(machine.report.processed == 3)
    #expect(try both.own(.leaves(id: "c")) == both.other(.leaves(id: "c")))
    #expect(try both.own(.list()) == both.other(.list()))
  }

  @Test func itPulls() throws {
    let both = try Both()
    _ = both.other(.insertRevisions(Self.records))
    var machine = both.machine(.pull)
    try both.run(&machine)
    #expect(machine.state == .complete)
    #expect(machine.report.processed == 3)
    #expect(machine.report.total == 3)
    #expect(try both.own(.leaves(id: "c")) == both.other(.leaves(id: "c")))
    // A second session has nothing to do.
    var again = both.machine(.pull)
    try both.run(&again)
    #expect(again.state == .complete)
    #expect(again.report.processed == 0)
  }

  @Test func itFilters() throws {
    let both = try Both()
    _ = try both.own(.insertRevisions(Self.records))
    var machine = both.machine(.push, filter: .bodyFieldEquals(field: "x", value: 2))
    try both.run(&machine)
    #expect(machine.state == .complete)
    #expect(both.other(.leaves(id: "c")).errorKind == .notFound(.missing))
    #expect(both.other(.read(id: "ä/ö %")).result != nil)
  }

  @Test func aContinuousOneIsCancelled() throws {
    let both = try Both()
    _ = try both.own(.insertRevisions(Self.records))
    var machine = both.machine(.push, isContinuous: true)
    var queue = machine.handle(.start(session: "s"))[...]
    let there = Peer(both.other, store: "b")
    var pauses = 0
    while !machine.state.isFinal, let effect = queue.popFirst() {
      switch effect {
      case .send(let number, _, let request, _):
        let answer = try #require(try there.answer(request, both.environment))
        queue += machine.handle(.response(number, answer))
      case .wait(let timer, _):
        pauses += 1
        queue += machine.handle(both.turns.count > 30 ? .cancel : .timer(timer))
      }
    }
    #expect(machine.state == .stopped)
    #expect(pauses > 2)
    #expect(both.other(.leaves(id: "c")).result != nil)
  }

  @Test func lostAnswersAreItsOwnConcern() throws {
    let both = try Both()
    _ = try both.own(.insertRevisions(Self.records))
    var machine = both.machine(.push)
    let there = Peer(both.other, store: "b")
    var queue = machine.handle(.start(session: "s"))[...]
    var requests = 0
    while !machine.state.isFinal, let effect = queue.popFirst() {
      switch effect {
      case .send(let number, _, let request, _):
        requests += 1
        let answer = try #require(try there.answer(request, both.environment))
        // Every second response is lost, and every third is duplicated.
        queue += machine.handle(
          requests % 2 == 0 ? .lost(number, reason: "") : .response(number, answer))
        if requests % 3 == 0 { #expect(machine.handle(.response(number, answer)).isEmpty) }
      case .wait(let timer, _): queue += machine.handle(.timer(timer))
      }
    }
    #expect(machine.state == .complete)
    #expect(both.turns.contains("lost"))
    #expect(both.turns.contains("timer"))
    #expect(try both.own(.leaves(id: "c")) == both.other(.leaves(id: "c")))
  }

  @Test func aTimerThatWasReplacedIsNone() {
    var turns = 0
    var machine = ForeignReplicator(ReplicationTurn.Start(.push, "/b")) { _ in
      turns += 1
      return .ok(.turn(ReplicationTurn.Answer([], wakeAfter: 5, state: .started)))
    }
    #expect(
      machine.handle(.start(session: "s")) == [.wait(.retry(1), nanoseconds: 5...5)])
    #expect(machine.handle(.timer(.retry(1))) == [.wait(.retry(2), nanoseconds: 5...5)])
    #expect(machine.handle(.timer(.retry(1))).isEmpty)
    #expect(machine.handle(.start(session: "t")).isEmpty)
    #expect(turns == 2)
  }

  @Test func whatIsNoRequestIsRefusedAtOnce() {
    var events: [ReplicationTurn.Event] = []
    var machine = ForeignReplicator(ReplicationTurn.Start(.pull, "/b")) { turn in
      events.append(turn.event)
      let strange = ReplicationTurn.Request(number: 1, HTTPRequest("GET", "/b/_all_docs"))
      let isFirst = events.count == 1
      return .ok(
        .turn(
          ReplicationTurn.Answer(
            isFirst ? [strange] : [], state: isFirst ? .started : .error, message: "no")))
    }
    #expect(machine.handle(.start(session: "s")).isEmpty)
    guard case .response(1, let response)? = events.last else {
      Issue.record("the failure was not reported")
      return
    }
    #expect(response.status == 404)
    #expect(machine.state == .error)
    #expect(machine.report.failures.map { $0.reason } == ["no"])
  }

  @Test(arguments: [
    Outcome.unknown, .error(DatastoreError(.unsupported(what: "replicate"))), .ok(.done),
    .ok(
      .turn(
        ReplicationTurn.Answer(
          [
            ReplicationTurn.Request(number: 1, HTTPRequest("GET", "/b")),
            ReplicationTurn.Request(number: 1, HTTPRequest("GET", "/b")),
          ], state: .started))),
  ])
  func whatIsNoTurnEndsInError(outcome: Outcome) {
    var machine = ForeignReplicator(ReplicationTurn.Start(.pull, "/b")) { _ in outcome }
    #expect(machine.handle(.start(session: "s")).isEmpty)
    #expect(machine.state == .error)
    #expect(machine.report.failures.count == 1)
  }

  @Test func whoAsksForeverForWhatIsRefusedIsStopped() {
    var number: Int64 = 0
    var machine = ForeignReplicator(ReplicationTurn.Start(.pull, "/b")) { _ in
      number += 1
      let request = ReplicationTurn.Request(number: number, HTTPRequest("GET", "/x"))
      return .ok(.turn(ReplicationTurn.Answer([request], state: .started)))
    }
    #expect(machine.handle(.start(session: "s")).isEmpty)
    #expect(machine.state == .error)
    #expect(number == 101)
  }

  @Test func aCancelBeforeTheStartNeedsNoTurn() {
    var machine = ForeignReplicator(ReplicationTurn.Start(.pull, "/b")) { _ in .unknown }
    #expect(machine.handle(.cancel).isEmpty)
    #expect(machine.state == .stopped)
  }
}

extension ReplicationTurn {
  /// The event as a word.
  fileprivate var name: String {
    switch event {
    case .start: "start"
    case .response: "response"
    case .lost: "lost"
    case .timer: "timer"
    case .cancel: "cancel"
    }
  }
}
