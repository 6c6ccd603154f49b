#if HTTP
  import CouchDBInterface
  import Datastore
  import HTTPClient
  import HTTPPeer
  import HTTPServer
  import JSON
  import ReferenceDatastore
  import Replication
  import Synchronization
  import Testing

  struct ServerPeerTests {
    private let environment = RunEnvironment(seed: 1)

    private func store() -> ReferenceDatastore {
      let store = ReferenceDatastore()
      _ = store.perform(StoreOperation("a", .open(revisionIDs: .couchdb)), environment)
      return store
    }

    @discardableResult
    private func perform(_ store: ReferenceDatastore, _ action: StoreAction) -> Outcome {
      store.perform(StoreOperation("a", action), environment)
    }

    /// A peer of a database that was just created.
    private func peer(_ served: ServedStore) throws -> ServerPeer {
      let (address, _) = try ServerAddress.reading(served.url)
      let created = try HTTPClient(address).send(HTTPRequest("PUT", ""))
      #expect(created.status == 201)
      return try ServerPeer(url: served.url)
    }

    private func fill(_ store: ReferenceDatastore) {
      for number in 0..<120 {
        perform(
          store,
          .create(id: DocumentID(JSONString("d\(number)")), body: ["n": .integer(Int64(number))]))
      }
      perform(
        store,
        .insertRevisions([
          RevisionRecord(id: "c/ü", path: ["2-b", "1-a"], body: [:]),
          RevisionRecord(id: "c/ü", path: ["2-c", "1-a"], deleted: true, body: [:]),
          RevisionRecord(
            id: "with", path: ["1-a"], body: ["x": 1],
            attachments: [RevisionAttachment("hello.txt", .data("aGVsbG8="), type: "text/plain")]),
        ]))
    }

    /// Documents, conflicts and attachments arrive at the server, and from there at a third store.
    @Test func aServerIsTargetAndSource() throws {
      let served = try ServedStore()
      let server = try peer(served)
      let (here, there) = (store(), store())
      fill(here)
      let push = LocalReplication(from: Peer(here, store: "a"), to: server)
      let first = try push.run(ReplicatorConfiguration(), environment)
      #expect(first.state == .complete)
      #expect(first.report.processed == 123)
      #expect(first.report.failures.isEmpty && first.report.unsavedCheckpoint == nil)
      let pull = LocalReplication(from: server, to: Peer(there, store: "a"))
      #expect(try pull.run(ReplicatorConfiguration(), environment).report.processed == 123)
      for id: DocumentID in ["d0", "d119", "c/ü", "with"] {
        #expect(perform(there, .leaves(id: id)) == perform(here, .leaves(id: id)))
      }
      let content = StoreAction.readAttachment(
        id: "with", rev: nil, name: "hello.txt", offset: nil, limit: nil)
      guard case .ok(.attachment(let piece)) = perform(there, content) else {
        Issue.record("the attachment did not arrive")
        return
      }
      #expect(piece.bytes == "aGVsbG8=")
      // The checkpoints are at the server, too.
      let again = try push.run(ReplicatorConfiguration(), environment)
      #expect(again.state == .complete && again.report.total == 0)
    }

    /// Content is bytes, also that of type JSON.
    @Test(arguments: ["text/plain", "application/json"] as [JSONString])
    func contentIsBytes(type: JSONString) throws {
      let served = try ServedStore()
      let server = try peer(served)
      let record = RevisionRecord(
        id: "d", path: ["1-a"], body: [:],
        attachments: [RevisionAttachment("a", .data("eyAiYSI6IDEgfQ=="), type: type)])
      #expect(
        try server.answer(.insertRevisions([record]), environment) == .ok(.inserted([nil])))
      let request = PeerRequest.readAttachment(
        id: "d", rev: nil, name: "a", offset: nil, limit: nil)
      guard case .ok(.attachment(let piece))? = try server.answer(request, environment) else {
        Issue.record("no content")
        return
      }
      #expect(piece.bytes == "eyAiYSI6IDEgfQ==")
      #expect(served.requestCount == 3)
    }

    /// Whether the server performed an interrupted request is unknown; a repetition is harmless.
    @Test(arguments: [true, false])
    func interruptedRequestsAreRepeated(isPerformed: Bool) throws {
      let seen = Mutex<[String: Int]>([:])
      let served = try ServedStore { line, _ in
        let kind = String(line.prefix { $0 != "?" })
        if kind == "PUT /notes" { return .answered }
        // libcurl itself repeats a request whose open connection was closed.
        let count = seen.withLock { seen in
          seen[kind, default: 0] += 1
          return seen[kind, default: 0]
        }
        return count <= 3 ? .cut(isPerformed: isPerformed) : .answered
      }
      let server = try peer(served)
      let here = store()
      fill(here)
      let pauses = Mutex<[UInt64]>([])
      let push = LocalReplication(from: Peer(here, store: "a"), to: server) { nanoseconds in
        pauses.withLock { $0.append(nanoseconds) }
      }
      let (state, report) = try push.run(ReplicatorConfiguration(), environment)
      #expect(state == .complete, "\(report)")
      #expect(report.processed == 123)
      #expect(pauses.withLock { $0.count } >= 5)
      #expect(pauses.withLock { $0.allSatisfy { (100_000_000...800_000_000).contains($0) } })
      #expect(server.lastFailure != nil)
      guard case .ok(.info(let info))? = try server.answer(.info, environment) else {
        Issue.record("the server has no identity")
        return
      }
      #expect(info.documents == 122)
    }

    @Test(arguments: [429, 502, 503, 504])
    func theStatusOfAProxyIsAStatus(status: Int) throws {
      let served = try ServedStore { _, _ in
        .replaced(
          ServerResponse(
            status, headers: [("Content-Type", "text/html")], body: Array("<html>".utf8)))
      }
      let server = try ServerPeer(url: served.url)
      #expect(try server.answer(.info, environment) == .status(status))
    }

    @Test func anErrorOfTheStoreIsRefused() throws {
      let served = try ServedStore()
      let server = try ServerPeer(url: served.url)
      guard case .refused(let error)? = try server.answer(.info, environment) else {
        Issue.record("expected an error")
        return
      }
      #expect(error.kind == .noSuchStore)
      #expect(try server.answer(.readLocal(id: "x"), environment) != nil)
    }

    /// A response that is not valid is as good as none.
    @Test func anInvalidResponseIsLost() throws {
      let served = try ServedStore { _, ordinal in
        ordinal == 1
          ? .replaced(
            ServerResponse(
              200, headers: [("Content-Type", "text/html")], body: Array("<html>".utf8)))
          : .cut(isPerformed: false)
      }
      let server = try ServerPeer(url: served.url)
      for _ in 0..<2 { #expect(try server.answer(.info, environment) == nil) }
      guard case .interrupted? = server.lastFailure else {
        Issue.record("expected an interruption, found \(String(describing: server.lastFailure))")
        return
      }
    }

    @Test func aServerThatIsDownHasAnUnknownOutcome() throws {
      // The port is free again as soon as its server has ended.
      let url: String
      do { url = try ServedStore().url }
      let server = try ServerPeer(url: url)
      #expect(try server.answer(.info, environment) == nil)
      guard case .notConnected? = server.lastFailure else {
        Issue.record("expected no connection, found \(String(describing: server.lastFailure))")
        return
      }
    }

    @Test func credentialsAreInTheURL() throws {
      var options = CouchDBService.Options()
      options.credentials = ("ann", "secret:1")
      let served = try ServedStore(options)
      let url = served.url.replacing("http://", with: "http://ann:secret%3A1@")
      let known = try ServerPeer(url: url)
      let unknown = try ServerPeer(url: served.url)
      guard case .refused(let missing)? = try known.answer(.info, environment),
        case .refused(let forbidden)? = try unknown.answer(.info, environment)
      else {
        Issue.record("expected errors")
        return
      }
      #expect(missing.kind == .noSuchStore)
      #expect(forbidden.kind == .forbidden)
    }

    /// Such a body cannot be encoded; a repetition would not help.
    @Test func aRequestThatCannotBeEncodedIsRefused() throws {
      let served = try ServedStore()
      let server = try ServerPeer(url: served.url)
      let record = RevisionRecord(id: "d", path: ["1-a"], body: [1])
      guard case .refused(let error)? = try server.answer(.insertRevisions([record]), environment)
      else {
        Issue.record("expected an error")
        return
      }
      #expect(error.kind == .badRequest(path: "records[0]"))
      #expect(served.requestCount == 0)
    }

    @Test(arguments: ["http://127.0.0.1:5984", "http://127.0.0.1:5984/", "notes"])
    func thisIsNoURLOfADatabase(url: String) {
      #expect(throws: HTTPFailure.self) { try ServerPeer(url: url) }
    }

    @Test func aPauseTakesItsTime() {
      let clock = ContinuousClock()
      let time = clock.measure { ServerPeer.pause(nanoseconds: 30_000_000) }
      #expect(time >= .milliseconds(30))
    }
  }
#endif
