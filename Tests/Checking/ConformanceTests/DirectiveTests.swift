import Datastore
import JSON
import Scenarios
import Testing

@testable import Conformance

/// Steps that the runner performs itself.
struct DirectiveTests {
  private func verdict(
    _ steps: String, _ misbehaviour: FakeDatastore.Misbehaviour? = nil
  ) throws -> (verdict: Verdict, asked: [String]) {
    let store = FakeDatastore(misbehaviour)
    let vector = try Fixtures.vector(#"{"steps": [\#(steps)]}"#)
    return (Runner(store).verdict(on: vector), store.asked)
  }

  @Test func aSessionThatFailsFailsTheVectorAndSaysWhy() throws {
    // The fake store does not support local documents.
    let (verdict, asked) = try verdict(#"{"replicate": {"source": "a", "target": "b"}}"#)
    #expect(asked.prefix(4) == ["reset", "open a", "open b", "info a"])
    guard case .fail(let witness) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(witness.step == 1)
    #expect(witness.exchange.outcome.serialized().contains(#""state":"error""#))
    #expect(witness.diagnosis.contains { $0.contains("readLocal") })
    #expect(witness.description.contains(#"{"replicate": {"source": "a", "target": "b"}}"#))
  }

  @Test func whatIsExpectedOfASessionIsCompared() throws {
    let replicate = #"{"replicate": {"source": "a", "target": "b"}"#
    let error = try verdict(replicate + #", "expect": {"ok": {"state": "error", "processed": 0}}}"#)
    #expect(error.verdict == .pass)
    let other = try verdict(replicate + #", "expect": {"ok": {"state": "error", "processed": 1}}}"#)
    guard case .fail = other.verdict else {
      Issue.record("\(other.verdict)")
      return
    }
  }

  @Test(arguments: [(false, ["info a"]), (true, ["info a", "info b"])])
  func aSessionIsCutOff(performed: Bool, infos: [String]) throws {
    let (verdict, asked) = try verdict(
      """
      {"replicate": {"source": "a", "target": "b", "batch": 1, "cutOff":
        {"at": "target", "op": "info", "nth": 1, "performed": \(performed)}},
       "expect": {"ok": {"state": "gone"}}}
      """)
    #expect(verdict == .pass)
    #expect(asked.filter { $0.hasPrefix("info") } == infos)
    #expect(!asked.contains("readLocal a"))
  }

  @Test func aSessionIsStopped() throws {
    let (verdict, asked) = try verdict(
      """
      {"replicate": {"source": "a", "target": "b", "stop":
        {"at": "target", "op": "info", "nth": 1}},
       "expect": {"ok": {"state": "stopped", "processed": 0}}}
      """)
    #expect(verdict == .pass)
    #expect(asked.suffix(2) == ["info a", "info b"])
  }

  @Test func somebodyElseComesBetween() throws {
    let (verdict, asked) = try verdict(
      """
      {"replicate": {"source": "a", "target": "b", "meanwhile":
        {"at": "target", "op": "info", "nth": 1, "do": [
          {"op": "close", "store": "c"}, {"op": "open", "store": "c"}]}},
       "expect": {"ok": {"state": "error"}}}
      """)
    #expect(verdict == .pass)
    #expect(asked.prefix(8).suffix(4) == ["info a", "close c", "open c", "info b"])
  }

  @Test(arguments: [
    (#""filter": {"live": true}"#, ["push /b at a of live"]),
    (#""batch": 3"#, ["push /b at a by 3"]),
    (#""stop": {"at": "target", "op": "info", "nth": 1}"#, ["push /b at a"]),
    (#""stop": {"at": "source", "op": "info", "nth": 1}"#, ["pull /a at b"]),
    (#""by": "target""#, ["pull /a at b"]),
  ])
  func aReplicatorOfItsOwnIsAsked(arguments: String, starts: [String]) throws {
    let store = TurnTaker()
    let vector = try Fixtures.vector(
      #"""
      {"steps": [{"replicate": {"source": "a", "target": "b", \#(arguments)},
        "expect": {"ok": {"state": "complete", "processed": 0}}}]}
      """#)
    #expect(Runner(store).verdict(on: vector) == .pass)
    #expect(store.starts == starts)
  }

  @Test func aSessionThatIsNeverCutOffMayEndAsItLikes() throws {
    let (verdict, _) = try verdict(
      """
      {"replicate": {"source": "a", "target": "b", "cutOff":
        {"at": "source", "op": "changes", "nth": 7, "performed": true}}}
      """)
    #expect(verdict == .pass)
  }

  @Test func nothingIsForgottenWhereNothingIsRemembered() throws {
    let (verdict, asked) = try verdict(#"{"loseCheckpoint": {"store": "a"}}"#)
    #expect(verdict == .pass)
    #expect(asked == ["reset", "open a"])
  }

  @Test func theLocalDocumentsOfSessionsAreForgotten() throws {
    // The store returns an error, which the vector must report.
    let (verdict, asked) = try verdict(
      #"""
      {"replicate": {"source": "a", "target": "b"}, "expect": {"ok": {"state": "error"}}},
      {"loseCheckpoint": {"store": "b"}}
      """#)
    guard case .fail(let witness) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(witness.step == 2)
    #expect(asked.last == "writeLocal b")
    #expect(!asked.contains("writeLocal a"))
  }

  @Test func aStoreThatCannotBeAskedIsNotBlamed() throws {
    let (verdict, _) = try verdict(
      #"{"replicate": {"source": "a", "target": "b"}}"#, .harnessError("info"))
    guard case .harnessError(let failure) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(failure.step == 1)
  }
}

/// A store whose own replicator always reports completion; records the start events.
private final class TurnTaker: ImplementationUnderTest {
  private(set) var starts: [String] = []

  var description: ImplementationDescription {
    ImplementationDescription(name: "Turns", version: "1", capabilities: [.replicate])
  }

  func reset() {}
  func crash(_ kind: CrashKind) {}
  func shutdown() {}

  func perform(_ operation: StoreOperation, _ environment: RunEnvironment) -> Outcome {
    guard case .replicate(let turn) = operation.action, case .start(let start) = turn.event else {
      return .ok(.done)
    }
    starts.append(
      "\(start.direction) \(start.remote) at \(operation.store)"
        + (start.filter == .live ? " of live" : "") + (start.batch.map { " by \($0)" } ?? ""))
    return .ok(.turn(ReplicationTurn.Answer([], state: .complete)))
  }
}
