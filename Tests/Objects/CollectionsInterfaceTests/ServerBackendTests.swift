#if HTTP
  import Collections
  import CollectionsInterface
  import Datastore
  import HTTPClient
  import HTTPServer
  import JSON
  import Synchronization
  import Testing

  /// A client of collections whose backend is a server.
  struct ServerBackendTests {
    private let environment = RunEnvironment(seed: 7)

    private func session(_ options: CollectionOptions = CollectionOptions()) throws
      -> CollectionSession
    {
      var session = CollectionSession()
      session.client.open(
        try CollectionDescription("Recipe", properties: [MappedProperty("name")]), options)
      return session
    }

    private func stored(_ backend: CollectionBackend) throws -> [JSONValue] {
      try backend.answer(BackendRequest(0, .get, collection: "Recipe"), environment)?
        .body.arrayValue ?? []
    }

    /// The same calls, in this process and through a socket.
    @Test func aServerAnswersAsTheBackendDoes() throws {
      func run(_ endpoint: any BackendEndpoint) throws -> [CollectionSession.Report] {
        var session = try session()
        let environment = RunEnvironment(seed: 3)
        var query = QueryBuilder()
        try query.add("name", .notEqual, value: "ü & \"=\"")
        try query.sort(by: "name", descending: true)
        let calls: [CollectionCall] = [
          .save([
            CollectionObject(id: "1", ["name": "Stew"]),
            CollectionObject(id: "2/ü", ["name": "ü & \"=\""]),
            CollectionObject(id: "3", ["name": 0.1]),
          ]),
          .query(query.query), .load(["2/ü"]), .load(["1", "3"]), .count(query.query),
          .remove(.ids(["3"])), .remove(.query(query.query)), .query(CollectionQuery()),
        ]
        return try calls.map {
          try session.perform($0, on: "Recipe", endpoint, environment: environment)
        }
      }
      let (here, there) = (CollectionBackend.new(), CollectionBackend.new())
      let served = try ServedBackend(there)
      let (local, remote) = (try run(here), try run(try served.client()))
      #expect(remote == local)
      #expect(try stored(there) == stored(here))
      #expect(served.requests.count == local.reduce(0) { $0 + $1.requests.count })
    }

    private func failure(_ report: CollectionSession.Report) -> CollectionError.Reason? {
      guard case .error(let error)? = report.callbacks.last?.result else { return nil }
      return error.failures.first?.reason ?? error.reason
    }

    /// A request whose response is lost is not sent again, although the connection was open.
    @Test func aCreatedEntityIsCreatedOnce() throws {
      let backend = CollectionBackend.new()
      let served = try ServedBackend(backend) { $0.hasPrefix("POST ") }
      let endpoint = try served.client()
      var session = try session()
      // Opens the connection.
      _ = try session.perform(
        .query(CollectionQuery()), on: "Recipe", endpoint, environment: environment)
      let report = try session.perform(
        .save([CollectionObject(["name": "Stew"])]), on: "Recipe", endpoint,
        environment: environment)
      #expect(failure(report) == .network(.connectionLost))
      #expect(try stored(backend).count == 1)
    }

    @Test func aRemovedEntityIsRemovedOnce() throws {
      let backend = CollectionBackend.new()
      let served = try ServedBackend(backend) { $0.hasPrefix("DELETE ") }
      let endpoint = try served.client()
      let put = BackendRequest(1, .put, collection: "Recipe", path: "a", body: [:])
      #expect(try endpoint.reply(to: put, environment) == .response(.init(200, ["_id": "a"])))
      let delete = BackendRequest(2, .delete, collection: "Recipe", path: "a")
      #expect(try endpoint.reply(to: delete, environment) == .failure(.connectionLost))
      #expect(served.requests.filter { $0.hasPrefix("DELETE ") }.count == 1)
    }

    /// The offline queue has the saves of a client whose server is too slow, and sends them later.
    @Test func aTimeOutIsQueued() throws {
      let backend = CollectionBackend.new()
      let isSlow = Mutex(true)
      let service = CollectionService(backend)
      let server = try HTTPServer { request in
        if isSlow.withLock({ $0 }) { BackgroundThread.pause(microseconds: 1_300_000) }
        return isSlow.withLock { $0 } ? nil : service.response(to: request)
      }
      let endpoint = try ServerBackend(
        url: "http://127.0.0.1:\(server.port)", appKey: "kid_touchstone", limitSeconds: 1)
      var options = CollectionOptions()
      options.isOffline = true
      var session = try session(options)
      let report = try session.perform(
        .save([CollectionObject(["name": "Stew"])]), on: "Recipe", endpoint,
        environment: environment)
      #expect(failure(report) == .network(.timedOut))
      #expect(try stored(backend).isEmpty)
      isSlow.withLock { $0 = false }
      let drained = try session.drain(endpoint, environment)
      #expect(drained.queueEvents.count > 0)
      #expect(try stored(backend).count == 1)
      server.stop()
    }

    @Test func aServerThatIsDown() throws {
      let url: String
      do { url = try ServedBackend(.new()).url }
      let endpoint = try ServerBackend(url: url, appKey: "kid_touchstone")
      let request = BackendRequest(1, .get, collection: "Recipe")
      #expect(try endpoint.reply(to: request, environment) == .failure(.cannotConnect))
    }

    /// The error page of a proxy is a response with its status.
    @Test func aProxyThatFails() throws {
      let server = try HTTPServer { _ in
        ServerResponse(
          502, headers: [("Content-Type", "text/html")], body: Array("<html>".utf8))
      }
      let endpoint = try ServerBackend(
        url: "http://127.0.0.1:\(server.port)", appKey: "kid_touchstone")
      var session = try session()
      let report = try session.perform(
        .query(CollectionQuery()), on: "Recipe", endpoint, environment: environment)
      #expect(failure(report) == .backend(status: 502, name: "Unknown", field: nil))
      server.stop()
    }

    static let failures: [(HTTPFailure, NetworkFailure?)] = [
      (.unknownHost(""), .cannotResolveHost), (.notConnected(""), .cannotConnect),
      (.timedOut(""), .timedOut), (.interrupted(""), .connectionLost),
      (.invalidResponse(""), .connectionLost), (.invalidRequest(""), nil), (.outOfMemory, nil),
    ]

    @Test(arguments: failures)
    func whatIsQueued(failure: HTTPFailure, expected: NetworkFailure?) {
      #expect(NetworkFailure(failure) == expected)
    }
  }
#endif
