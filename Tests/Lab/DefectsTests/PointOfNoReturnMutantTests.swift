import Datastore
import Defects
import JSON
import ReferenceDatastore
import Scenarios
import Testing

@testable import Simulation

/// The point of no return of known mutants is the event that the error needs.
struct PointOfNoReturnMutantTests {
  private struct Found {
    let point: Trace.PointOfNoReturn
    let entries: [Trace.Entry]
    let trace: Trace
  }

  private func search(_ mutant: String, _ directives: [Directive]) throws -> Found {
    let defect = try #require(ReplicationDefect.all.first { $0.name == mutant })
    let participants = defect.applied(to: .model)
    let scenario = Scenario(
      seed: 3, replicas: ["a", "b", "c"], conditions: Conditions(latencyMin: 10, latencyMax: 10),
      steps: directives.enumerated().map { place, directive in
        ScenarioStep(
          StepID(JSONString("s\(place + 1)")), when: Int64(place + 1) * 1000, directive)
      })
    var world = try World(scenario, participants, records: true)
    let trace = try #require(try world.run().trace)
    let point = try PointOfNoReturnSearch.point(of: scenario, participants).get()
    guard case .event(let range) = point.place else {
      return Found(point: point, entries: [], trace: trace)
    }
    return Found(point: point, entries: Array(trace.entries[range]), trace: trace)
  }

  private static func create(
    _ id: DocumentID, at replica: ReplicaName, _ value: Int64 = 0
  ) -> Directive {
    .perform(at: replica, ClientOperation(.create(id: id, body: ["v": .integer(value)])))
  }

  private static func pull(
    _ source: ReplicaName, _ target: ReplicaName, batch: Int64? = nil
  ) -> Directive {
    .replicate(Replicate(source: source, target: target, by: target, batch: batch))
  }

  /// The checkpoint that is ahead of the documents. The run that saved it can still store them.
  @Test func checkpointAhead() throws {
    let found = try search(
      "checkpoint-ahead",
      [
        Self.create("d2", at: "c"), Self.create("d3", at: "b"), Self.pull("b", "c"),
        Self.pull("c", "a", batch: 1),
      ])
    #expect(found.trace.findings.first?.shape == "ahead")
    guard case .served(_, let operation, _)? = found.entries.first?.event else {
      Issue.record("\(found.entries)")
      return
    }
    #expect(operation.action.name == "writeLocal" && found.entries.first?.replica == "a")
    #expect(found.point.before.saving > 0 && found.point.after.saving == 0)
    #expect((found.point.whileRunning?.saving ?? 0) > 0)
    #expect(found.point.remedy == .allPairs)
  }

  /// From the conflicting write on, the losing leaf of `a` never reaches `c` through `b`.
  @Test func losingLeavesNotSent() throws {
    let found = try search(
      "losing-leaves-not-sent", [Self.create("d", at: "b", 1), Self.create("d", at: "a", 2)])
    #expect(found.trace.findings.first?.oracle == "checkpoint")
    #expect(found.entries.first?.step == "s2")
    #expect(found.point.remedy == nil && found.point.whileRunning?.saving == 0)
  }

  /// With a way from `a` to `c` the loss is not inevitable before the conflict has reached `a`.
  @Test func losingLeavesNotSentOnAnotherWay() throws {
    let found = try search(
      "losing-leaves-not-sent",
      [
        Self.create("d", at: "b", 1), Self.create("d", at: "a", 2), Self.pull("b", "a"),
        Self.pull("a", "c"),
      ])
    #expect(found.entries.first?.step == "s3" && found.entries.first?.replica == "a")
  }
}
