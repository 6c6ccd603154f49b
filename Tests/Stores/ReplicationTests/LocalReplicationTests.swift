import Datastore
import JSON
import ReferenceDatastore
import Replication
import Testing

/// Two stores in one process, and a session between them.
struct Pair {
  let left: ReferenceDatastore
  let right: ReferenceDatastore
  let environment = RunEnvironment(seed: 1)

  init(inlineBytesMax: Int? = nil, right other: Int? = nil) {
    left = ReferenceDatastore(inlineBytesMax: inlineBytesMax)
    right = ReferenceDatastore(inlineBytesMax: other ?? inlineBytesMax)
    _ = left.perform(StoreOperation("a", .open()), environment)
    _ = right.perform(StoreOperation("a", .open()), environment)
  }

  @discardableResult
  mutating func left(_ action: StoreAction) -> Outcome {
    left.perform(StoreOperation("a", action), environment)
  }

  @discardableResult
  mutating func right(_ action: StoreAction) -> Outcome {
    right.perform(StoreOperation("a", action), environment)
  }

  /// Replicates from the left to the right.
  mutating func replicate(
    _ configuration: ReplicatorConfiguration = ReplicatorConfiguration()
  ) throws -> (state: ReplicatorState, report: ReplicationReport) {
    try LocalReplication(
      from: Peer(left, store: "a"), to: Peer(right, store: "a")
    ).run(configuration, environment)
  }
}

struct LocalReplicationTests {
  @Test func everythingArrivesOnce() throws {
    var pair = Pair()
    for number in 0..<250 {
      pair.left(
        .create(id: DocumentID(JSONString("d\(number)")), body: ["n": .integer(Int64(number))]))
    }
    pair.left(
      .insertRevisions([
        RevisionRecord(id: "c", path: ["2-b", "1-a"], body: [:]),
        RevisionRecord(id: "c", path: ["2-c", "1-a"], deleted: true, body: [:]),
      ]))
    let first = try pair.replicate()
    #expect(first.state == .complete)
    #expect(first.report.processed == 252)
    #expect(first.report.total == 252)
    #expect(pair.right(.leaves(id: "c")) == pair.left(.leaves(id: "c")))
    #expect(pair.right(.list()) == pair.left(.list()))
    let before = pair.right(.info)
    let second = try pair.replicate()
    #expect(second.state == .complete)
    #expect(second.report.total == 0)
    #expect(second.report.recorded == first.report.recorded)
    #expect(pair.right(.info) == before)
  }

  @Test func aRefusedRecordIsCountedAndPassed() throws {
    var pair = Pair()
    pair.right(.setValidation(refuse: .bodyFieldEquals(field: "x", value: 1)))
    pair.left(.create(id: "no", body: ["x": 1]))
    pair.left(.create(id: "yes", body: ["x": 2]))
    let run = try pair.replicate()
    #expect(run.state == .complete)
    #expect(run.report.refused == 1)
    #expect(pair.right(.read(id: "yes")).result != nil)
    #expect(try pair.replicate().report.total == 0)
  }

  @Test func aFilterHasACheckpointOfItsOwn() throws {
    var pair = Pair()
    pair.left(.create(id: "d", body: ["x": 1]))
    pair.left(.create(id: "e", body: ["x": 2]))
    var filtered = ReplicatorConfiguration()
    filtered.filter = .bodyFieldEquals(field: "x", value: 2)
    #expect(try pair.replicate(filtered).state == .complete)
    #expect(pair.right(.read(id: "d")).errorKind == .notFound(.missing))
    #expect(pair.right(.read(id: "e")).result != nil)
    #expect(try pair.replicate().state == .complete)
    #expect(pair.right(.read(id: "d")).result != nil)
  }
}
