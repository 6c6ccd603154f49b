import Datastore
import JSON
import Scenarios

/// A run of two replicas in which a write is lost, in the form that a recorder writes.
enum SampleTrace {
  /// - Parameter id: the document, with any name.
  static func lostWrite(of id: DocumentID = "d", replica: ReplicaName = "a") -> Trace {
    var trace = Trace(scenario(of: id, replica: replica))
    let record = RevisionRecord(id: id, path: ["1-aaaaaaaa"], body: ["v": 1])
    let insert = StoreOperation("notes", .insertRevisions([record]))
    let fate = Trace.Mishap.fate(key: "s2/1/target/insertRevisions/d/1/response", .lost)
    let events: [(UInt64, ReplicaName?, Trace.Event, StepID)] = [
      (
        0, replica,
        .performed(
          StoreOperation("notes", .create(id: id, body: ["v": 1])),
          .ok(.written(id: id, rev: "1-aaaaaaaa"))), "s1"
      ),
      (0, replica, .holds(id, [Trace.Branch(path: ["1-aaaaaaaa"])]), "s1"),
      (1000, replica, .sessionBegan(session: "s2/1", push(from: replica)), "s2"),
      (
        1000, replica,
        .sent(
          Trace.Request(message: 1, session: "s2/1", to: "b", operation: "insertRevisions")), "s2"
      ),
      (1020, "b", .arrived(message: 1, insert, .ok(.inserted([nil]))), "s2"),
      (1020, "b", .holds(id, [Trace.Branch(path: ["1-aaaaaaaa"])]), "s2"),
      (1020, "b", .spoilt(message: 1, .answer, fate), "s2"),
      (2000, nil, .directed(.partition([[replica], ["b"]])), "s3"),
      (2100, "b", .crashed(.kill), "s4"),
      (2500, nil, .directed(.heal), "s5"),
      (2600, "b", .restarted, "s6"),
      (2600, "b", .holds(id, []), "s6"),
      (3000, replica, .sessionEnded(session: "s2/1", state: "error", reason: "no answer"), "s2"),
    ]
    trace.entries = events.map { time, replica, event, step in
      Trace.Entry(time: time * 1_000_000, replica: replica, event: event, step: step)
    }
    trace.findings = [
      Trace.Finding(
        oracle: "fate", shape: "lost write",
        sentence: JSONString(
          "b does not know 1-aaaaaaaa of \(id), which step s1 wrote with success"),
        time: 3_000_000_000, document: id)
    ]
    trace.writes = [
      Trace.Write(
        step: "s1", replica: replica, id: id, rev: "1-aaaaaaaa", fate: "lost", missing: ["b"])
    ]
    return trace
  }

  private static func push(from replica: ReplicaName) -> Replicate {
    Replicate(source: replica, target: "b", by: replica)
  }

  private static func scenario(of id: DocumentID, replica: ReplicaName) -> Scenario {
    Scenario(
      seed: 7, replicas: [replica, "b"],
      steps: [
        ScenarioStep(
          "s1", when: 0,
          .perform(at: replica, ClientOperation(.create(id: id, body: ["v": 1])))),
        ScenarioStep("s2", when: 1000, .replicate(push(from: replica))),
        ScenarioStep("s3", when: 2000, .partition([[replica], ["b"]])),
        ScenarioStep("s4", when: 2100, .crash("b", .kill)),
        ScenarioStep("s5", when: 2500, .heal),
        ScenarioStep("s6", when: 2600, .restart("b")),
      ])
  }

  /// Returns a long run with updates of many documents, one of which has the finding.
  static func long(_ count: Int) -> Trace {
    var trace = lostWrite()
    var entries: [Trace.Entry] = []
    for place in 0..<count {
      let id = DocumentID(JSONString(place % 20 == 0 ? "d" : "e\(place % 7)"))
      let rev = RevisionID(JSONString("1-\(place)"))
      let time = UInt64(place)
      let write = StoreOperation("notes", .create(id: id, body: [:]))
      entries.append(
        Trace.Entry(
          time: time, replica: "a", event: .performed(write, .ok(.written(id: id, rev: rev))),
          step: "s1"))
      entries.append(
        Trace.Entry(
          time: time, replica: "a", event: .holds(id, [Trace.Branch(path: [rev])]), step: "s1"))
    }
    trace.entries = entries + trace.entries
    return trace
  }
}
