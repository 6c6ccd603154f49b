#if HTTP
  import Compression
  import CouchDBDatastore
  import Datastore
  import Digest
  import Foundation
  import HTTPClient
  import JSON
  import Synchronization
  import Testing

  /// The server's own replicator, whose requests go through a proxy to the harness.
  @Suite struct ServerReplicationTests {
    /// The responses that a replicator received.
    private final class Received: Sendable {
      private let responses = Mutex<[Result<HTTPResponse, HTTPFailure>]>([])

      var all: [Result<HTTPResponse, HTTPFailure>] { responses.withLock { $0 } }

      /// The body of the first response.
      var firstText: String? {
        get throws {
          try #require(all.first).get().bytes.flatMap { Base64.decode($0.utf8) }.map {
            String(decoding: $0, as: UTF8.self)
          }
        }
      }

      func send(_ request: HTTPRequest, through client: HTTPClient) {
        let outcome: Result<HTTPResponse, HTTPFailure>
        do throws(HTTPFailure) { outcome = .success(try client.send(request)) } catch {
          outcome = .failure(error)
        }
        responses.withLock { $0.append(outcome) }
      }
    }

    /// A pushed document with attachments, whose boundary is `x`.
    private static func put(_ id: JSONString, _ parts: [UInt8]) -> HTTPRequest {
      HTTPRequest(
        "PUT", JSONString("/\(id)"), query: "new_edits=false",
        headers: ["content-type": "multipart/related; boundary=\"x\""],
        bytes: JSONString(Base64.encode(parts)))
    }

    private let done = HTTPResponse(200, body: ["ok": true])

    /// Runs a session, and returns the requests that the harness received with the last answer.
    private func run(
      _ server: FakeServer, _ start: ReplicationTurn.Start,
      reply: (HTTPRequest) -> HTTPResponse?
    ) throws -> (requests: [HTTPRequest], last: ReplicationTurn.Answer) {
      let store = try CouchDBDatastore(
        HTTPClient(server.address, limitSeconds: 30), label: "test",
        capabilities: CouchDBDatastore.standardCapabilities.union([.replicate]))
      defer { server.stop() }
      let environment = RunEnvironment(seed: 1)
      _ = try store.perform(StoreOperation("a", .open()), environment)
      var requests: [HTTPRequest] = []
      var events: [ReplicationTurn.Event] = [.start(start)]
      while true {
        let turn = ReplicationTurn(session: "one", events.removeFirst())
        let outcome = try store.perform(StoreOperation("a", .replicate(turn)), environment)
        guard case .ok(.turn(let answer)) = outcome else {
          throw HarnessError("\(outcome)")
        }
        if answer.state.isFinal {
          try store.shutdown()
          return (requests, answer)
        }
        for wanted in answer.requests {
          requests.append(wanted.request)
          events.append(
            reply(wanted.request).map { .response(number: wanted.number, $0) }
              ?? .lost(number: wanted.number))
        }
        if answer.wakeAfter != nil { events.append(.timer) }
        if events.isEmpty { events.append(.cancel) }
      }
    }

    @Test func aPushedDocumentBecomesABulkRequest() throws {
      let received = Received()
      let document = #"{"_id":"_design/d","_rev":"1-a","_revisions":{"start":1,"ids":["a"]}}"#
      let parts = """
        --x\r\nContent-Type: application/json\r\n\r\n\
        {"_id":"d","_rev":"1-a","_attachments":{"f":{"follows":true,"length":3}}}\r\n\
        --x\r\nContent-Length: 3\r\n\r\nabc\r\n--x--
        """
      let server = try FakeServer { [done] client in
        received.send(
          HTTPRequest(
            "PUT", "/_design%2Fd", query: "new_edits=false",
            headers: ["content-type": "application/json"],
            bytes: JSONString(Base64.encode(document.utf8))), through: client)
        received.send(Self.put("d", Array(parts.utf8)), through: client)
        return done
      }
      let (requests, last) = try run(server, ReplicationTurn.Start(.push, "/notes")) { request in
        let isDesign = request.body?.serialized().contains("_design/d") == true
        return isDesign
          ? HTTPResponse(201, body: [])
          : HTTPResponse(201, body: [["id": "d", "error": "forbidden", "reason": "no"]])
      }
      #expect(last.state == .complete)
      #expect(requests.map(\.path) == ["/notes/_bulk_docs", "/notes/_bulk_docs"])
      let docs = requests.compactMap { $0.body?.objectValue?["docs"]?.arrayValue?.first }
      #expect(docs.first == (try JSONValue.parse(document)))
      #expect(
        docs.last?.objectValue?["_attachments"]
          == ["f": ["length": 3, "data": .text(Base64.encode("abc".utf8))]])
      let statuses = try received.all.map { try $0.get().status }
      #expect(statuses == [201, 403])
      #expect(
        server.started.first?.objectValue?["target"]?.serialized().contains("/s1/notes") == true)
    }

    @Test func openRevisionsAreTheDocumentsOfABulkRequest() throws {
      let received = Received()
      let server = try FakeServer { [done] client in
        received.send(
          HTTPRequest(
            "GET", "/d", query: "revs=true&open_revs=%5B%221-a%22%2C%222-b%22%5D&latest=true",
            headers: ["accept": "multipart/mixed"]), through: client)
        return done
      }
      let (requests, last) = try run(server, ReplicationTurn.Start(.pull, "/notes")) { _ in
        HTTPResponse(
          200,
          body: [
            "results": [
              ["id": "d", "docs": [["ok": ["_id": "d", "_rev": "1-a"]]]],
              ["id": "d", "docs": [["error": ["id": "d", "rev": "2-b", "error": "not_found"]]]],
            ]
          ])
      }
      #expect(last.state == .complete)
      #expect(requests.first?.path == "/notes/_bulk_get")
      #expect(requests.first?.query == "revs=true&attachments=true&latest=true")
      #expect(
        requests.first?.body == ["docs": [["id": "d", "rev": "1-a"], ["id": "d", "rev": "2-b"]]])
      let text = try received.firstText
      #expect(text?.contains(#"{"_id":"d","_rev":"1-a"}"#) == true)
      #expect(text?.contains(#"error="true""#) == true)
      #expect(text?.contains(#"{"missing":"2-b"}"#) == true)
    }

    /// CouchDB sends text in gzip, which not every store can keep.
    @Test func pushedContentInGzipIsDecoded() throws {
      let received = Received()
      let document =
        #"{"_id":"d","_attachments":{"f":{"follows":true,"length":3,"encoding":"gzip","#
        + #""encoded_length":23,"digest":"md5-x"}}}"#
      let parts =
        Array("--x\r\nContent-Type: application/json\r\n\r\n\(document)\r\n--x\r\n\r\n".utf8)
        + GzipEncoding.encode(Array("abc".utf8), level: 8) + Array("\r\n--x--".utf8)
      let server = try FakeServer { [done] client in
        received.send(Self.put("d", parts), through: client)
        return done
      }
      let (requests, _) = try run(server, ReplicationTurn.Start(.push, "/notes")) { _ in
        HTTPResponse(201, body: [])
      }
      #expect(
        requests.first?.body?.objectValue?["docs"]
          == [["_id": "d", "_attachments": ["f": ["length": 3, "data": "YWJj"]]]])
    }

    /// The digest of a server is that of its compressed content, and another server would reject the
    /// content that follows.
    @Test func contentThatFollowsHasNoDigest() throws {
      let received = Received()
      let server = try FakeServer { [done] client in
        received.send(
          HTTPRequest(
            "GET", "/d", query: "revs=true&open_revs=%5B%221-a%22%5D",
            headers: ["accept": "multipart/mixed"]), through: client)
        return done
      }
      let document: JSONValue = [
        "_id": "d", "_rev": "1-a",
        "_attachments": [
          "f": [
            "content_type": "text/plain", "data": .text(Base64.encode("abc".utf8)),
            "digest": "md5-x", "revpos": 1,
          ],
          "g": ["stub": true, "digest": "md5-y", "revpos": 1, "length": 1],
        ],
      ]
      _ = try run(server, ReplicationTurn.Start(.pull, "/notes")) { _ in
        HTTPResponse(200, body: ["results": [["id": "d", "docs": [["ok": document]]]]])
      }
      let text = try received.firstText
      #expect(text?.contains("\r\n\r\nabc\r\n") == true)
      #expect(text?.contains("md5-x") == false)
      #expect(text?.contains("md5-y") == true)
    }

    /// Another session is not kept waiting while this one pauses.
    @Test func aPauseOfTheReplicatorIsATimer() throws {
      let received = Received()
      let server = try FakeServer { [done] client in
        Thread.sleep(forTimeInterval: 0.2)
        received.send(HTTPRequest("GET", "/"), through: client)
        return done
      }
      defer { server.stop() }
      let store = try CouchDBDatastore(
        HTTPClient(server.address, limitSeconds: 30), label: "test",
        capabilities: CouchDBDatastore.standardCapabilities.union([.replicate]))
      let environment = RunEnvironment(seed: 1)
      _ = try store.perform(StoreOperation("a", .open()), environment)
      var event = ReplicationTurn.Event.start(ReplicationTurn.Start(.pull, "/notes"))
      var pauses = 0
      while true {
        let turn = ReplicationTurn(session: "one", event)
        guard
          case .ok(.turn(let answer)) = try store.perform(
            StoreOperation("a", .replicate(turn)), environment)
        else { throw HarnessError("no answer") }
        if answer.state.isFinal { break }
        if let wanted = answer.requests.first {
          event = .response(number: wanted.number, HTTPResponse(200, body: [:]))
        } else {
          #expect(answer.wakeAfter != nil)
          pauses += 1
          event = .timer
        }
      }
      #expect(pauses > 1)
      #expect(received.all.count == 1)
      try store.shutdown()
    }

    /// CouchDB compares the incarnation in the response with that at the beginning.
    @Test func aCommitIsAnsweredWithTheIncarnation() throws {
      let received = Received()
      let server = try FakeServer { [done] client in
        received.send(HTTPRequest("POST", "/_ensure_full_commit"), through: client)
        return done
      }
      let (requests, last) = try run(server, ReplicationTurn.Start(.push, "/notes")) { request in
        request.method == "GET"
          ? HTTPResponse(200, body: ["instance_start_time": "77"])
          : HTTPResponse(201, body: ["ok": true])
      }
      #expect(last.state == .complete)
      #expect(requests.map(\.path) == ["/notes/_ensure_full_commit", "/notes"])
      #expect(
        try received.all.first?.get().body == ["ok": true, "instance_start_time": "77"])
    }

    @Test func aLostResponseCutsTheConnection() throws {
      let received = Received()
      let server = try FakeServer { client in
        received.send(HTTPRequest("GET", "/"), through: client)
        return HTTPResponse(500, body: ["error": "db_not_found"])
      }
      let (_, last) = try run(server, ReplicationTurn.Start(.pull, "/notes")) { _ in nil }
      #expect(last.state == .error)
      #expect(last.message?.string.contains("db_not_found") == true)
      guard case .failure(.interrupted)? = received.all.first else {
        Issue.record("the request has a response")
        return
      }
    }

    @Test func aCancelledSessionStops() throws {
      let received = Received()
      let server = try FakeServer { client in
        received.send(HTTPRequest("GET", "/"), through: client)
        received.send(HTTPRequest("GET", "/_changes"), through: client)
        return HTTPResponse(0)
      }
      let store = try CouchDBDatastore(
        HTTPClient(server.address, limitSeconds: 30), label: "test",
        capabilities: CouchDBDatastore.standardCapabilities.union([.replicate]))
      defer { server.stop() }
      let environment = RunEnvironment(seed: 1)
      func turn(_ event: ReplicationTurn.Event) throws -> ReplicationTurn.Answer? {
        let turn = ReplicationTurn(session: "one", event)
        guard
          case .ok(.turn(let answer)) = try store.perform(
            StoreOperation("a", .replicate(turn)), environment)
        else { return nil }
        return answer
      }
      _ = try store.perform(StoreOperation("a", .open()), environment)
      var first = try #require(try turn(.start(ReplicationTurn.Start(.pull, "/notes"))))
      while first.wakeAfter != nil { first = try #require(try turn(.timer)) }
      #expect(first.requests.count == 1)
      var last = try #require(try turn(.cancel))
      while last.wakeAfter != nil { last = try #require(try turn(.timer)) }
      #expect(last.state == .stopped)
      #expect(server.started.contains { $0.objectValue?["cancel"] == true })
      try store.shutdown()
    }

    @Test func filtersAreThoseOfTheServer() throws {
      let selector: [(Filter, JSONString, JSONValue)] = [
        (.documentIDs(["a", "b"]), "doc_ids", ["a", "b"]),
        (.live, "selector", ["_deleted": ["$exists": false]]),
        (.bodyFieldEquals(field: "a.b", value: 1), "selector", [#"a\.b"#: ["$eq": 1]]),
      ]
      for (filter, name, expected) in selector {
        let server = try FakeServer { [done] _ in done }
        _ = try run(server, ReplicationTurn.Start(.push, "/notes", filter: filter)) { _ in nil }
        #expect(server.started.first?.objectValue?[name] == expected)
      }
    }
  }
#endif
