#if HTTP
  public import Datastore
  internal import Compression
  internal import Digest
  public import HTTPServer
  internal import JSON
  internal import Replication

  /// CouchDB's interface over HTTP for any store.
  ///
  /// Requests may come from several threads; the store performs them one after the other. Views and
  /// everything else that needs JavaScript is not offered: 501 `not_implemented`.
  public final class CouchDBService: @unchecked Sendable {
    let gate: StoreGate
    let signal = ChangeSignal()
    let options: Options
    let sessions: SessionKeys
    /// Memory for decompressed bodies.
    private let decodedBytes = ByteBudget(512 << 20)
    let uuid: String
    /// Replication runs of `_replicate` and `_replicator`.
    let replications = ReplicationJobs()
    /// The jobs of the database `_replicator`.
    let replicator = ReplicatorDatabase()
    /// Used only while the gate is closed for others.
    var registry: DatabaseRegistry

    /// How a service answers.
    public struct Options: Sendable {
      /// The user and the password of all requests; nil if everyone is an administrator.
      public var credentials: (user: String, password: String)?
      /// The number that random ids and keys are derived from.
      public var seed: UInt64 = 0

      /// The default options.
      public init() {}
    }

    /// Opens the databases of a store that earlier services on it created.
    ///
    /// - Throws: the reason that the store cannot be used.
    public init(
      _ implementation: any ImplementationUnderTest, _ options: Options = Options()
    ) throws(HarnessError) {
      self.options = options
      gate = StoreGate(implementation, seed: options.seed)
      var random = RandomGenerator(seed: options.seed &+ 1)
      uuid = random.bytes(16).hexadecimal
      sessions = SessionKeys(secret: random.bytes(32))
      do throws(ServiceError) {
        registry = try gate.exclusively { (session) throws(ServiceError) in
          try DatabaseRegistry(session)
        }
        for name in ReplicatorDatabase.systemDatabases where registry.entries[name] == nil {
          try createDatabase(name)
        }
      } catch {
        throw HarnessError("the store cannot be served: \(error.reason)")
      }
      replicator.start(self)
    }

    /// Ends waiting feeds and replication runs, so that their connections are free.
    public func endFeeds() {
      signal.close()
      replications.stop()
    }

    /// Closes the store; no request may follow.
    public func stop() throws(HarnessError) {
      endFeeds()
      var failure: HarnessError?
      try? gate.exclusively { (session) throws(ServiceError) in
        do throws(HarnessError) { try session.shutdown() } catch { failure = error }
      }
      if let failure { throw failure }
    }

    /// The response to a request.
    public func response(to request: ServerRequest) -> ServerResponse {
      var response: ServerResponse
      let reserved = Self.decodedMax(of: request)
      guard decodedBytes.reserve(reserved) else {
        return ServiceError(
          503, "service_unavailable", reason: "too many compressed bodies at a time"
        ).response
      }
      defer { decodedBytes.release(reserved) }
      do throws(ServiceError) {
        response = try perform(request)
      } catch {
        response = error.response
      }
      if !response.headers.contains(where: { $0.name.utf8.elementsEqual("Cache-Control".utf8) }) {
        response.headers.append(("Cache-Control", "must-revalidate"))
      }
      return response
    }

    private func perform(_ request: ServerRequest) throws(ServiceError) -> ServerResponse {
      let target = request.target.split(
        separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      guard
        let parameters = Parameters(query: target.count > 1 ? JSONString(String(target[1])) : nil)
      else { throw .badRequest("the query has an invalid escape") }
      let path = try RoutePath(String(target.first ?? "/"))
      let (route, names) = try Route.find(request.method, path)
      // The content of an attachment has an encoding of its own.
      let hasOwnEncoding = names["name"] != nil
      var call = ServiceCall(
        service: self, request: hasOwnEncoding ? request : try Self.decoded(request),
        parameters: parameters, names: names)
      call.user = try user(of: request)
      if call.user == nil, !route.isOpen {
        throw ServiceError(401, "unauthorized", reason: "You are not a server admin.")
      }
      return try route.perform(call)
    }

    /// The request with its body as it was before the client compressed it.
    private static func decoded(_ request: ServerRequest) throws(ServiceError) -> ServerRequest {
      switch request.headers["content-encoding"] {
      case nil, "identity": return request
      case "gzip":
        let limit = Int64(decodedMax(of: request))
        guard let body = try? GzipEncoding.decode(request.body, limit: limit) else {
          throw .badRequest("the body is not gzip, or too large")
        }
        return ServerRequest(
          method: request.method, target: request.target, headers: request.headers, body: body,
          connection: request.connection)
      case let other?:
        throw ServiceError(
          415, "bad_content_type", reason: JSONString("the encoding \(other) is not supported"))
      }
    }

    /// The largest size of a decompressed body: small bodies that become very large are an attack.
    private static func decodedMax(of request: ServerRequest) -> Int {
      guard request.headers["content-encoding"] != nil else { return 0 }
      return min(max(1 << 20, request.body.count * 100), 64 << 20)
    }

    // MARK: Databases

    /// Runs operations on a database, which must exist, at one moment.
    func withDatabase<Result>(
      _ name: StoreName, _ body: (OpenDatabase) throws(ServiceError) -> Result
    ) throws(ServiceError) -> Result {
      try gate.exclusively { (session) throws(ServiceError) in
        guard let entry = registry.entries[name] else { throw .noDatabase }
        if !entry.isOpen { try open(name, session) }
        return try body(OpenDatabase(name, session))
      }
    }

    /// Opens a database with CouchDB's revision ids, if the store offers them.
    func open(_ name: StoreName, _ session: StoreGate.Handle) throws(ServiceError) {
      let offersOwn = gate.description.profiles.contains(.couchdb)
      let wanted = StoreAction.open(
        revisionIDs: offersOwn ? .couchdb : nil, collation: offersOwn ? .couchdb : nil)
      // An existing store may have others.
      let store = DatabaseRegistry.store(of: name)
      if case .error = try session.outcome(store, wanted) {
        _ = try session.perform(store, .open())
      }
      registry.update(name) { $0.isOpen = true }
    }
  }
#endif
