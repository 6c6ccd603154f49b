#if HTTP
  import CouchDBInterface
  import Datastore
  import HTTPServer
  import JSON
  import ReferenceDatastore
  import Synchronization
  import Testing

  @testable import HostilePeer

  struct VerdictTests {
    /// A server of a correct store, which may also acknowledge a write that it does not perform.
    private static func peer(
      dropping isDropped: @escaping @Sendable (ServerRequest) -> Bool = { _ in false }
    ) throws -> (HostilePeer, ControlEndpoint) {
      let service = try CouchDBService(ReferenceDatastore())
      let peer = HostilePeer(FaultPlan(.friendly, seed: 0), log: ExchangeLog()) { request in
        guard isDropped(request) else { return service.response(to: request) }
        return .json(201, #"{"ok":true,"id":"x","rev":"9-lost"}"#)
      }
      return (peer, ControlEndpoint(peer))
    }

    private static func send(
      _ peer: HostilePeer, _ method: String, _ target: String, _ body: String = ""
    ) -> JSONValue {
      let bytes = peer.response(to: FaultTests.request(method, target, body))?.collected()
      return bytes.flatMap { try? JSONValue.parse($0) } ?? .null
    }

    @Test func finalStatesOfWrites() throws {
      let (peer, control) = try Self.peer()
      _ = Self.send(peer, "PUT", "/db")
      let first = Self.send(peer, "PUT", "/db/x", #"{"v":1}"#).objectValue?["rev"]?.textValue
      let rev = try #require(first)
      _ = Self.send(peer, "PUT", "/db/x", #"{"v":2,"_rev":"\#(rev)"}"#)
      let other = Self.send(peer, "PUT", "/db/y", #"{"v":1}"#).objectValue?["rev"]?.textValue
      _ = Self.send(peer, "DELETE", "/db/y?rev=\(try #require(other))")
      _ = Self.send(
        peer, "POST", "/db/_bulk_docs",
        #"{"new_edits":false,"docs":[{"_id":"x","_rev":"1-a"},{"_id":"z","_rev":"1-b"}]}"#)
      let verdict = control.verdict()
      #expect(verdict.isPassed)
      #expect(
        verdict.counts == [.current: 2, .superseded: 1, .deleted: 2, .inConflict: 1])
    }

    /// A store that loses what it acknowledged is found, with the write.
    @Test func aLostWriteIsFound() throws {
      let (peer, control) = try Self.peer { $0.method == "PUT" && $0.target == "/db/x" }
      _ = Self.send(peer, "PUT", "/db")
      _ = Self.send(peer, "PUT", "/db/x", "{}")
      _ = Self.send(peer, "PUT", "/db/y", "{}")
      let verdict = control.verdict()
      #expect(!verdict.isPassed)
      #expect(verdict.lost.map(\.rev) == ["9-lost"])
      #expect(verdict.text.contains("lost: db/x 9-lost"))
    }

    /// What a client removes itself is not lost: a database, a purged document, a long history.
    @Test func whatAClientRemoves() throws {
      let (peer, control) = try Self.peer()
      for name in ["gone", "purged", "short"] { _ = Self.send(peer, "PUT", "/\(name)") }
      _ = Self.send(peer, "PUT", "/gone/x", "{}")
      _ = Self.send(peer, "DELETE", "/gone")
      _ = Self.send(peer, "PUT", "/gone")
      let rev = Self.send(peer, "PUT", "/purged/x", "{}").objectValue?["rev"]?.textValue
      _ = Self.send(peer, "POST", "/purged/_purge", #"{"x":["\#(try #require(rev))"]}"#)
      _ = Self.send(peer, "PUT", "/short/_revs_limit", "2")
      var last = Self.send(peer, "PUT", "/short/x", "{}").objectValue?["rev"]?.textValue
      for _ in 0..<5 {
        let body = #"{"_rev":"\#(try #require(last))"}"#
        last = Self.send(peer, "PUT", "/short/x", body).objectValue?["rev"]?.textValue
      }
      let verdict = control.verdict()
      #expect(verdict.isPassed, "\(verdict.text)")
      #expect(verdict.counts[.superseded] == 5)
    }

    /// A database that disappears without a request of a client is a loss.
    @Test func aDatabaseThatDisappears() throws {
      let service = try CouchDBService(ReferenceDatastore())
      let peer = HostilePeer(FaultPlan(.friendly, seed: 0), log: ExchangeLog()) {
        service.response(to: $0)
      }
      _ = Self.send(peer, "PUT", "/db")
      _ = Self.send(peer, "PUT", "/db/x", "{}")
      _ = service.response(to: FaultTests.request("DELETE", "/db"))
      #expect(ControlEndpoint(peer).verdict().lost.map(\.id) == ["x"])
    }

    /// Without access to the databases there is no verdict.
    @Test func anUnreadableServerDoesNotPass() throws {
      var options = CouchDBService.Options()
      options.credentials = ("me", "word")
      let service = try CouchDBService(ReferenceDatastore(), options)
      let peer = HostilePeer(FaultPlan(.friendly, seed: 0), log: ExchangeLog()) { request in
        guard request.method == "PUT" else { return service.response(to: request) }
        return .json(201, #"{"ok":true,"id":"x","rev":"1-a"}"#)
      }
      _ = Self.send(peer, "PUT", "/db/x", "{}")
      let verdict = ControlEndpoint(peer).verdict()
      #expect(!verdict.isPassed)
      #expect(verdict.unread.count == 1)
    }

    /// Responses that the client did not receive acknowledge nothing.
    @Test(arguments: [WireFault.failedAfterwards, .cut, .truncated])
    func unansweredWritesAreNotAcknowledged(fault: WireFault) {
      var writes = AcknowledgedWrites()
      var exchange = Exchange(
        number: 1, client: "c", request: FaultTests.request("PUT", "/db/x", "{}"),
        startMilliseconds: 0, endMilliseconds: 0)
      exchange.response = .json(201, #"{"ok":true,"id":"x","rev":"1-a"}"#)
      exchange.fault = fault
      writes.add(exchange)
      #expect(writes.writes.isEmpty)
      exchange.fault = .delayed
      writes.add(exchange)
      #expect(writes.writes.count == 1)
    }

    private static func post(
      _ control: ControlEndpoint, _ target: String, _ body: String
    ) -> Int? {
      control.response(to: FaultTests.request("POST", target, body))?.status
    }

    /// What a client holds is compared with the server, and so are the writes that it made itself.
    @Test func whatAClientHolds() throws {
      let (peer, control) = try Self.peer()
      _ = Self.send(peer, "PUT", "/db")
      _ = Self.send(
        peer, "POST", "/db/_bulk_docs", #"{"new_edits":false,"docs":[{"_id":"x","_rev":"1-a"}]}"#)
      let equal = #"{"client":"phone","database":"db","leaves":{"x":["1-a"]}}"#
      #expect(Self.post(control, "/_touchstone/client", equal) == 201)
      #expect(control.verdict().isPassed)
      let more =
        #"{"client":"phone","database":"db","acknowledged":[{"id":"y","rev":"1-z"}],"leaves":{"x":["1-a"],"y":["1-z"]}}"#
      #expect(Self.post(control, "/_touchstone/client", more) == 201)
      let verdict = control.verdict()
      #expect(verdict.lost.map(\.source) == ["phone"])
      #expect(verdict.differences.map(\.id) == ["y"])
    }

    @Test(arguments: ["{", "[]", "{}", #"{"database":"db","leaves":[]}"#, #"{"database":1}"#])
    func invalidClients(body: String) throws {
      let (_, control) = try Self.peer()
      #expect(Self.post(control, "/_touchstone/client", body) == 400)
      #expect(Self.post(control, "/_touchstone/plan", body) == 400)
      #expect(Self.post(control, "/_touchstone/none", body) == 404)
      #expect(Self.post(control, "/other", body) == nil)
    }

    /// A recording has the exchange, and no credentials.
    @Test func recordings() throws {
      let lines = Lines()
      let log = ExchangeLog { lines.add($0) }
      let service = try CouchDBService(ReferenceDatastore())
      let peer = HostilePeer(FaultPlan(.friendly, seed: 0), log: log) {
        service.response(to: $0)
      }
      _ = Self.send(peer, "PUT", "/db")
      _ = Self.send(peer, "GET", "/db/_changes?style=all_docs")
      _ = Self.send(
        peer, "POST", "/_replicate",
        #"{"source":"http://me:hidden@h/a","target":{"url":"b","auth":{"basic":{"password":"hidden"}}}}"#
      )
      let found = try lines.all.withLock { $0.prefix(2) }.map { try JSONValue.parse($0.utf8) }
      #expect(found.count == 2)
      #expect(lines.all.withLock { $0.count } == 3)
      #expect(!lines.all.withLock { $0.joined() }.contains("hidden"))
      let second = try #require(found.last?.objectValue)
      #expect(second["request"]?.objectValue?["target"] == "/db/_changes?style=all_docs")
      #expect(second["response"]?.objectValue?["body"]?.objectValue?["results"] == [])
      #expect(!lines.all.withLock { $0.joined() }.contains("c2VjcmV0"))
    }

    private final class Lines: Sendable {
      let all = Mutex<[String]>([])
      func add(_ line: String) { all.withLock { $0.append(line) } }
    }

    /// The page needs nothing from elsewhere, and its data name the clients and conflicts.
    @Test func livePage() throws {
      let (peer, control) = try Self.peer()
      _ = Self.send(peer, "PUT", "/db")
      _ = Self.send(
        peer, "POST", "/db/_bulk_docs",
        #"{"new_edits":false,"docs":[{"_id":"x","_rev":"1-a"},{"_id":"x","_rev":"1-b"}]}"#)
      let page = try #require(
        control.response(to: FaultTests.request("GET", "/_touchstone"))?.bytes)
      let text = String(decoding: page, as: UTF8.self)
      #expect(text.contains("EventSource"))
      #expect(!text.contains("https://"))
      let events = control.response(to: FaultTests.request("GET", "/_touchstone/events"))
      guard case .stream(_, let next)? = events?.body, case .bytes(let bytes) = next() else {
        Issue.record("no event")
        return
      }
      let data = try JSONValue.parse(bytes.dropFirst("data: ".count).dropLast(2))
      let object = try #require(data.objectValue)
      #expect(object["lanes"]?.arrayValue?.count == 1)
      #expect(object["conflicts"]?.arrayValue?.first?.objectValue?["id"] == "x")
      peer.log.close()
      guard case .end = next() else {
        Issue.record("the page does not end")
        return
      }
    }
  }
#endif
