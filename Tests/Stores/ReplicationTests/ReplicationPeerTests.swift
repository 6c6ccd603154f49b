import Datastore
import JSON
import Replication
import Testing

/// A peer whose first request of each kind fails, and which declares its capabilities.
private final class FailingPeer: ReplicationPeer {
  let peer: Peer
  let failure: PeerResponse?
  var capabilities: Set<Capability> { peer.capabilities }
  var restrictions: Set<Restriction> = []
  /// The requests in their order.
  private(set) var requests: [PeerRequest] = []
  private var failed: Set<String> = []

  init(_ peer: Peer, failure: PeerResponse?) {
    self.peer = peer
    self.failure = failure
  }

  func answer(
    _ request: PeerRequest, _ environment: RunEnvironment
  ) throws(HarnessError) -> PeerResponse? {
    requests.append(request)
    guard !failed.insert(request.action.name).inserted else { return failure }
    return try peer.answer(request, environment)
  }
}

struct ReplicationPeerTests {
  private func pair() -> Pair {
    var pair = Pair()
    for number in 0..<120 {
      pair.left(.create(id: DocumentID(JSONString("d\(number)")), body: [:]))
    }
    return pair
  }

  @Test(arguments: [nil, .status(503), .refused(DatastoreError(.busy))] as [PeerResponse?])
  func failuresArePausesInRealTime(failure: PeerResponse?) throws {
    let pair = pair()
    let source = FailingPeer(Peer(pair.left, store: "a"), failure: failure)
    let target = FailingPeer(Peer(pair.right, store: "a"), failure: failure)
    var pauses: [UInt64] = []
    let session = LocalReplication(from: source, to: target) { pauses.append($0) }
    let (state, report) = try session.run(ReplicatorConfiguration(), pair.environment)
    #expect(state == .complete, "\(report)")
    #expect(report.processed == 120)
    // info, readLocal, changes, getRevisions and writeLocal here; info, readLocal, revsDiff,
    // insertRevisions and writeLocal there.
    #expect(pauses.count == 10)
    #expect(pauses.allSatisfy { (100_000_000...200_000_000).contains($0) })
    #expect(Set(pauses).count > 1)
  }

  /// The first request is repeated after its pause, before the pause of the second one.
  @Test func requestsDoNotWaitForThePauseOfAnother() throws {
    let pair = pair()
    let source = FailingPeer(Peer(pair.left, store: "a"), failure: .status(429))
    let target = FailingPeer(Peer(pair.right, store: "a"), failure: .status(429))
    var sent: [Int] = []
    let session = LocalReplication(from: source, to: target) { _ in
      sent.append(source.requests.count + target.requests.count)
    }
    _ = try session.run(ReplicatorConfiguration(), pair.environment)
    #expect(sent.prefix(2) == [2, 3])
  }

  /// The configuration follows the peers, whatever they are.
  @Test func aRestrictedSourceReadsTheWholeFeed() throws {
    let pair = pair()
    let source = FailingPeer(Peer(pair.left, store: "a"), failure: .status(429))
    source.restrictions = [.changesFromStart]
    let session = LocalReplication(from: source, to: Peer(pair.right, store: "a"))
    #expect(try session.run(ReplicatorConfiguration(), pair.environment).state == .complete)
    let pages = source.requests.filter { if case .changes = $0 { true } else { false } }
    // The first one failed.
    #expect(pages.count == 2)
  }

  /// Other clients of a server are not those of the driver.
  @Test func anotherClientNeedsAStoreOfThisProcess() throws {
    let pair = pair()
    let source = FailingPeer(Peer(pair.left, store: "a"), failure: nil)
    let session = LocalReplication(from: source, to: Peer(pair.right, store: "a"))
    let interruption = LocalReplication.Interruption(
      .source, "info", nth: 1, event: .meanwhile([StoreOperation("a", .compact)]))
    #expect(throws: HarnessError.self) {
      try session.run(
        ReplicatorConfiguration(), interruption: interruption, pair.environment)
    }
  }
}
