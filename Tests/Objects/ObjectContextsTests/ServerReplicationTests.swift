#if HTTP
  import CouchDBInterface
  import Datastore
  import HTTPClient
  import HTTPPeer
  import HTTPServer
  import JSON
  import ObjectContexts
  import ObjectMapping
  import ReferenceDatastore
  import Replication
  import Synchronization
  import Testing

  /// Two devices that synchronize their objects through a third store, which may be a server.
  struct ServerReplicationTests {
    private final class Countdown: Sendable {
      private let count: Mutex<Int>

      init(_ count: Int) { self.count = Mutex(count) }

      /// Counts down; true as long as the count was positive.
      func next() -> Bool {
        count.withLock { count in
          count -= 1
          return count >= 0
        }
      }

      var isOver: Bool { count.withLock { $0 <= 0 } }
    }

    /// Starts a server with a database.
    ///
    /// - Parameter cuts: the number of writes of documents that are performed and whose connection
    ///   is cut before the response.
    private func server(_ cuts: Countdown) throws -> (server: HTTPServer, url: JSONString) {
      let service = try CouchDBService(ReferenceDatastore())
      let server = try HTTPServer { request in
        let response = service.response(to: request)
        return request.target.hasPrefix("/objects/_bulk_docs") && cuts.next() ? nil : response
      }
      let url = "http://127.0.0.1:\(server.port)/objects"
      let (address, _) = try ServerAddress.reading(url)
      let created = try HTTPClient(address).send(HTTPRequest("PUT", ""))
      try #require(created.status == 201)
      return (server, JSONString(url))
    }

    private func run(
      _ direction: ReplicationTurn.Direction, _ replica: Replica, _ target: ReplicationTarget
    ) throws {
      let store = try #require(replica.cache.store as? IncrementalStore)
      let target = ReplicationTarget(
        pause: { ServerPeer.pause(nanoseconds: min($0, 1_000_000)) }, connect: target.connect)
      let replicator =
        direction == .push
        ? store.replicatorThatPushes(to: target) : store.replicatorThatPulls(from: target)
      #expect(try replicator.run().failures.isEmpty)
      #expect(replicator.state == .complete, "\(replicator.report)")
    }

    /// The leaves and the values at the end.
    private struct End: Equatable {
      var things: [[Int64?]?] = []
      var leaves: [OperationResult] = []
    }

    /// Both devices edit the same thing. One of them resolves the conflict, and both have the
    /// result.
    private func synchronize(
      _ policy: MergePolicy, _ target: ReplicationTarget
    ) throws -> End {
      let (here, there) = try Replica.pair()
      try here.context.set(Fixtures.numbers(2, 1), of: "t")
      try here.context.insert("Thing", id: "mine", Fixtures.numbers(5, 5))
      try here.context.save()
      try there.context.set(Fixtures.numbers(3, 9), of: "t")
      try there.context.save()
      try run(.push, here, target)
      try run(.pull, there, target)
      let conflicts = try there.context.processConflicts()
      #expect(conflicts.count == 1)
      try there.context.resolve(conflicts, by: policy)
      try there.context.save()
      try run(.push, there, target)
      try run(.pull, here, target)
      var end = End()
      for replica in [here, there] {
        #expect(try replica.live("t") == 1)
        for id: ObjectID in ["t", "mine"] {
          end.things.append(try replica.stored(id))
          end.leaves.append(try replica.ask(.leaves(id: id)))
        }
      }
      return end
    }

    @Test(arguments: [MergePolicy.storeTrump, .objectTrump])
    func aServerGivesTheStateOfALocalPeer(policy: MergePolicy) throws {
      let between = ReferenceDatastore()
      let local = try synchronize(
        policy, .store(Replica.name, in: between, RunEnvironment(seed: 9)))
      // libcurl itself repeats a request once, so a push pauses after every second cut.
      let cuts = Countdown(3)
      let (server, url) = try server(cuts)
      let remote = try synchronize(policy, .server(url))
      server.stop()
      #expect(cuts.isOver)
      #expect(remote == local)
      #expect(local.things[0] == local.things[2])
      // Policies decide by property, and only one of the devices edited the second one.
      #expect(local.things[0] == (policy == .storeTrump ? [2, 9] : [3, 9]))
      #expect(local.things[3] == [5, 5])
    }

    /// Without a server, the pauses take their time and the replication ends with an error.
    @Test func aServerThatIsDownIsAnError() throws {
      let (server, url) = try server(Countdown(0))
      server.stop()
      let (here, _) = try Replica.pair()
      let store = try #require(here.cache.store as? IncrementalStore)
      var pauses = 0
      let target = ReplicationTarget(
        pause: { _ in pauses += 1 }, connect: ReplicationTarget.server(url).connect)
      let push = store.replicatorThatPushes(to: target)
      let failure = #expect(throws: ObjectReplicatorError.self) { try push.run() }
      #expect(failure?.reason == .failed)
      #expect(push.state == .error)
      #expect(pauses == ReplicatorConfiguration().attemptsMax - 1)
    }

    @Test func aRemoteMustBeAURL() throws {
      let (here, _) = try Replica.pair()
      let store = try #require(here.cache.store as? IncrementalStore)
      let push = store.replicatorThatPushes(to: .server("ftp://ann:secret@example.com/objects"))
      let error = #expect(throws: ObjectReplicatorError.self) { try push.start() }
      #expect(error?.reason == .unreachable)
      #expect(error?.message.contains("secret") == false)
      #expect(!push.isActive)
    }
  }
#endif
