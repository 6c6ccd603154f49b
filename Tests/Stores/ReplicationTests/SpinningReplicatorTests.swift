import Datastore
import JSON
import ReferenceDatastore
import Replication
import Testing

/// Replicators of an implementation that never terminate, and invalid timers.
struct SpinningReplicatorTests {
  /// A session with a replicator that returns the given answer for every turn.
  private func session(
    _ answer: @escaping (Int) -> ReplicationTurn.Answer
  ) throws -> (state: ReplicatorState, reason: String, turns: Int) {
    let store = ReferenceDatastore()
    let environment = RunEnvironment(seed: 1)
    _ = store.perform(StoreOperation("b", .open()), environment)
    var turns = 0
    var machine = ForeignReplicator(ReplicationTurn.Start(.push, "/b")) {
      _ throws(HarnessError) in
      turns += 1
      return .ok(.turn(answer(turns)))
    }
    let there = Peer(store, store: "b")
    try LocalReplication(from: there, to: there).run(&machine, environment)
    return (
      machine.state, machine.report.failures.first?.reason.string ?? "", turns
    )
  }

  private static let info = HTTPRequest("GET", "/b")

  @Test(arguments: [0, 1, 999_999])
  func aTimerAtOnceAndForEver(wait: Int64) throws {
    let (state, reason, turns) = try session { _ in
      ReplicationTurn.Answer([], wakeAfter: wait, state: .started)
    }
    #expect(state == .error)
    #expect(reason.contains("1000 consecutive immediate timers"))
    #expect(turns < 1100)
  }

  /// A replicator with long waits or occasional requests is not treated as spinning.
  @Test func anHonestReplicatorMayWaitOften() throws {
    for wait in [0, 1_000_000] as [Int64] {
      let (state, reason, turns) = try session { turn in
        if turn == 3000 { return ReplicationTurn.Answer([], state: .complete) }
        let isRequest = wait == 0 && turn % 900 == 0
        let request = ReplicationTurn.Request(number: Int64(turn), Self.info)
        return ReplicationTurn.Answer(
          isRequest ? [request] : [], wakeAfter: wait, state: .started)
      }
      #expect(state == .complete && turns == 3000, "\(reason)")
    }
  }

  @Test(arguments: [-1, .min, 3_600_000_000_001, .max] as [Int64])
  func aWaitOutOfRange(wait: Int64) throws {
    let (state, reason, turns) = try session { _ in
      ReplicationTurn.Answer([], wakeAfter: wait, state: .started)
    }
    #expect(state == .error && turns == 1)
    #expect(reason.contains("\(wait)"))
    let turn = ReplicationTurn(session: "s", .timer)
    let json: JSONValue = [
      "ok": ["requests": [], "state": "started", "wakeAfter": .integer(wait)]
    ]
    let error = try #require(throws: DecodingFailure.self) {
      try Outcome(json, of: .replicate(turn))
    }
    #expect(error.description.contains("wakeAfter"))
  }

  /// Pauses take no time without a clock, nor do requests without an effect.
  @Test func aSessionWithoutAnEnd() throws {
    let waiting = try #require(throws: HarnessError.self) {
      try session { _ in ReplicationTurn.Answer([], wakeAfter: 1_000_000_000, state: .started) }
    }
    #expect(waiting.breakdown?.shape == "endless")
    let asking = try #require(throws: HarnessError.self) {
      try session { turn in
        let request = ReplicationTurn.Request(number: Int64(turn), Self.info)
        return ReplicationTurn.Answer([request], state: .started)
      }
    }
    #expect(asking.breakdown?.shape == "endless")
  }
}
