import Datastore
import JSON
import ObjectContexts
import ObjectMapping
import ReferenceDatastore
import Replication
import Testing

/// Replication in the object layer.
struct ReplicatorTests {
  /// The connection to another replica, which may be down.
  private final class Line: ReplicationPeer {
    let replica: Replica
    var isDown = false
    /// The number of further responses that are lost.
    var losses = 0
    var sent = 0
    /// The number of pages of changes.
    var pages = 0
    var capabilities: Set<Capability>
    var restrictions: Set<Restriction> = []

    init(_ replica: Replica) {
      self.replica = replica
      capabilities = replica.datastore.description.capabilities
    }

    func target(pause: ((UInt64) -> Void)? = nil) -> ReplicationTarget {
      ReplicationTarget(pause: pause) { () throws(HarnessError) in
        guard !self.isDown else { throw HarnessError("the line is down") }
        return self
      }
    }

    func answer(
      _ request: PeerRequest, _ environment: RunEnvironment
    ) throws(HarnessError) -> PeerResponse? {
      sent += 1
      if case .changes = request { pages += 1 }
      losses -= 1
      let peer = Peer(replica.datastore, store: Replica.name)
      let answer = try peer.answer(request, replica.host.environment)
      return losses >= 0 ? nil : answer
    }
  }

  private final class Listener: ObjectReplicatorDelegate {
    var heard: [String] = []
    func replicatorDidChangeState(_ replicator: ObjectReplicator) {
      heard.append("\(replicator.state)")
    }
    func replicatorDidChangeProgress(_ replicator: ObjectReplicator) {
      heard.append("progress")
    }
    func replicatorDidComplete(_ replicator: ObjectReplicator) { heard.append("completed") }
    func replicatorDidFail(_ replicator: ObjectReplicator) { heard.append("failed") }
  }

  private func replicator(
    _ direction: ReplicationTurn.Direction, _ replica: Replica, _ line: Line
  ) throws -> ObjectReplicator {
    let store = try #require(replica.cache.store as? IncrementalStore)
    return switch direction {
    case .push: store.replicatorThatPushes(to: line.target())
    case .pull: store.replicatorThatPulls(from: line.target())
    }
  }

  private func finish(_ replicator: ObjectReplicator) throws {
    try replicator.start()
    while replicator.isActive { try replicator.step() }
  }

  @Test func aSyncIsAPushAndAPull() throws {
    let (here, there) = try Replica.pair()
    let line = Line(there)
    try here.context.insert("Thing", id: "mine", Fixtures.numbers(5, 5))
    try here.context.save()
    try there.context.insert("Thing", id: "yours", Fixtures.numbers(6, 6))
    try there.context.save()
    let listener = Listener()
    let push = try replicator(.push, here, line)
    push.delegate = listener
    #expect(!push.isActive)
    try finish(push)
    #expect(push.state == .complete && !push.isActive)
    #expect(listener.heard == ["started", "progress", "complete", "completed"])
    try finish(try replicator(.pull, here, line))
    #expect(try there.stored("mine") == [5, 5])
    #expect(try here.stored("yours") == [6, 6])
  }

  /// The checkpoint names the replication run by 16 random bytes in hexadecimal digits.
  @Test func aRunHasAnIDOf32Digits() throws {
    let (here, there) = try Replica.pair()
    try here.context.insert("Thing", id: "mine", Fixtures.numbers(5, 5))
    try here.context.save()
    let push = try replicator(.push, here, Line(there))
    try finish(push)
    let checkpoint = try #require(push.report.checkpoint)
    let answer = try Peer(there.datastore, store: Replica.name)
      .answer(.readLocal(id: checkpoint), there.host.environment)
    guard case .ok(.local(let body))? = answer else {
      Issue.record("the target has no checkpoint")
      return
    }
    let entry = body.objectValue?["history"]?.arrayValue?.first?.objectValue
    let session = try #require(entry?["session"]?.textValue).string
    #expect(session.wholeMatch(of: /[0-9a-f]{32}/) != nil, "\(session)")
  }

  /// Either order yields the same objects on both sides.
  @Test(arguments: [[ReplicationTurn.Direction.push, .pull], [.pull, .push]])
  func aSyncInEitherOrder(_ order: [ReplicationTurn.Direction]) throws {
    let (here, there) = try Replica.pair()
    let line = Line(there)
    try here.context.insert("Thing", id: "mine", Fixtures.numbers(5, 5))
    try here.context.save()
    try there.context.insert("Thing", id: "yours", Fixtures.numbers(6, 6))
    try there.context.save()
    for direction in order {
      let part = try replicator(direction, here, line)
      try finish(part)
      #expect(part.state == .complete && !part.isActive)
    }
    for replica in [here, there] {
      #expect(try replica.stored("mine") == [5, 5])
      #expect(try replica.stored("yours") == [6, 6])
    }
  }

  /// The replicator reads the whole feed in one page from a source that cannot continue it.
  @Test func theConfigurationFollowsTheRemote() throws {
    let (_, there) = try Replica.pair()
    for number in 0..<250 {
      let id = ObjectID(JSONString("o\(number)"))
      try there.context.insert("Thing", id: id, Fixtures.numbers(1, 1))
    }
    try there.context.save()
    var pages: [Int] = []
    for restrictions: Set<Restriction> in [[], [.changesFromStart]] {
      let line = Line(there)
      line.restrictions = restrictions
      let (here, _) = try Replica.pair()
      try finish(try replicator(.pull, here, line))
      #expect(try here.stored("o249") == [1, 1])
      pages.append(line.pages)
    }
    #expect(pages[0] > 1)
    #expect(pages[1] == 1)
  }

  /// With a pause, a continuous replicator polls.
  @Test func aContinuousReplicatorPolls() throws {
    let (here, there) = try Replica.pair()
    let line = Line(there)
    let store = try #require(here.cache.store as? IncrementalStore)
    var configuration = ReplicatorConfiguration()
    configuration.isContinuous = true
    var pauses = 0
    let pull = store.replicatorThatPulls(
      from: line.target(pause: { _ in pauses += 1 }), configuration)
    try pull.start()
    for _ in 0..<200 { try pull.step() }
    try there.context.insert("Thing", id: "yours", Fixtures.numbers(6, 6))
    try there.context.save()
    for _ in 0..<200 { try pull.step() }
    #expect(try here.stored("yours") == [6, 6])
    #expect(pauses > 2)
    pull.stop()
    while pull.isActive { try pull.step() }
    #expect(pull.state == .stopped)
  }

  /// Without a pause, a continuous replicator that waits for changes sends nothing.
  @Test func aContinuousReplicatorRests() throws {
    let (here, there) = try Replica.pair()
    try there.context.insert("Thing", id: "yours", Fixtures.numbers(6, 6))
    try there.context.save()
    let line = Line(there)
    let store = try #require(here.cache.store as? IncrementalStore)
    var configuration = ReplicatorConfiguration()
    configuration.isContinuous = true
    let pull = store.replicatorThatPulls(from: line.target(), configuration)
    try pull.start()
    for _ in 0..<200 { try pull.step() }
    #expect(try here.stored("yours") == [6, 6])
    let (sent, time) = (line.sent, here.host.environment.nowNanoseconds)
    for _ in 0..<50 { try pull.step() }
    #expect(pull.isActive)
    #expect(line.sent == sent && here.host.environment.nowNanoseconds == time)
    pull.stop()
    while pull.isActive { try pull.step() }
    #expect(pull.state == .stopped)
  }

  @Test func aRefusedStartSendsNothing() throws {
    let (here, there) = try Replica.pair()
    let line = Line(there)
    line.isDown = true
    let refused = try replicator(.push, here, line)
    #expect(throws: ObjectReplicatorError.self) { try refused.start() }
    #expect(line.sent == 0 && !refused.isActive && refused.state == .pending)
    line.isDown = false
    try refused.start()
    let again = #expect(throws: ObjectReplicatorError.self) { try refused.start() }
    #expect(again?.reason == .alreadyStarted)
  }

  @Test func itStopsWhenItIsAsked() throws {
    let (here, there) = try Replica.pair()
    let pull = try replicator(.pull, here, Line(there))
    try pull.start()
    try pull.step()
    pull.stop()
    while pull.isActive { try pull.step() }
    #expect(pull.state == .stopped && !pull.isActive)
  }

  @Test func aDeadLineEndsInAnError() throws {
    let (here, there) = try Replica.pair()
    let line = Line(there)
    line.losses = .max
    let listener = Listener()
    let pull = try replicator(.pull, here, line)
    pull.delegate = listener
    let before = here.host.environment.nowNanoseconds
    try finish(pull)
    #expect(pull.state == .error && !pull.isActive)
    #expect(listener.heard.suffix(2) == ["error", "failed"])
    // It has waited between its attempts, in simulated time.
    #expect(here.host.environment.nowNanoseconds > before)
  }

  @Test func contextsAreStaleAfterAPull() throws {
    let (here, there) = try Replica.pair()
    try there.context.set("a", 7, of: "t")
    try there.context.save()
    try finish(try replicator(.pull, here, Line(there)))
    #expect(try here.context.numbers("t") == [1, 1])
    try here.context.refresh("t", merging: true)
    #expect(try here.context.numbers("t") == [7, 1])
  }

  @Test func bestPractices() throws {
    let (here, there) = try Replica.pair()
    try here.context.set("a", 2, of: "t")
    #expect(
      try ReplicationAdvisory.warnings(before: .pull, of: here.cache, contexts: [here.context])
        == [.unsavedChanges(context: 0)])
    try here.context.save()
    try there.context.set("a", 3, of: "t")
    try there.context.save()
    try finish(try replicator(.pull, here, Line(there)))
    #expect(
      try ReplicationAdvisory.warnings(afterPullInto: here.cache) == [.unresolvedConflicts(["t"])])
    #expect(
      try ReplicationAdvisory.warnings(before: .push, of: here.cache, contexts: [here.context])
        == [.pushOfConflicts(["t"])])
    try here.context.resolve(try here.context.processConflicts(), by: .storeTrump)
    try here.context.save()
    #expect(try ReplicationAdvisory.warnings(afterPullInto: here.cache).isEmpty)
  }

  /// Two devices: pull, process conflicts, resolve with the store winning by property, save, push.
  @Test func twoDevices() throws {
    let (here, there) = try Replica.pair()
    try here.context.set(Fixtures.numbers(2, 1), of: "t")
    try here.context.save()
    try there.context.set(Fixtures.numbers(3, 9), of: "t")
    try there.context.save()
    let line = Line(there)
    try finish(try replicator(.pull, here, line))
    let conflicts = try here.context.processConflicts()
    #expect(conflicts.count == 1)
    try here.context.resolve(conflicts, by: .storeTrump)
    try here.context.save()
    try finish(try replicator(.push, here, line))
    #expect(try here.stored("t") == [3, 9])
    #expect(try there.stored("t") == [3, 9])
    #expect(try there.live("t") == 1)
  }
}
