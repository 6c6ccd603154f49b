#if HTTP
  public import Datastore
  public import HTTPClient
  internal import JSON
  internal import Replication

  /// The databases of a server with CouchDB's interface, as stores.
  ///
  /// Each store is a database of its own, whose name begins with a prefix that no other run has. All
  /// other databases of the server stay untouched, and `shutdown` removes its own. What the server
  /// does differently from the rules is not corrected here: product files declare it.
  ///
  /// The interface cannot express a few arguments; for these the server is not asked:
  /// * ids that begin with `_` outside `_design/`, and empty ones, which are other endpoints: `badID`;
  /// * names that do not begin with a letter, which a prefix would make valid: `badName`;
  /// * bodies with the members `_id`, `_rev`, `_revisions`, `_deleted` and `_attachments`, which have
  ///   another meaning: `badBody`;
  /// * paths whose generations do not decrease by one: `badRevision`.
  ///
  /// An atomic `resolve` does not exist: the leaves are read, and one `_bulk_docs` writes all
  /// revisions.
  public final class CouchDBDatastore: ImplementationUnderTest {
    public let description: ImplementationDescription
    let client: any HTTPTransport
    /// Kills and starts the server; nil if it cannot be crashed.
    let control: (any ServerControl)?
    /// The number of copies of each document. A feed shows what one of them has; requests for a
    /// document, and writes, ask for an answer of all.
    public let copies: Int64
    /// The beginning of the names of all databases.
    let prefix: String
    /// The databases of the present stores.
    var databases: [StoreName: Database] = [:]
    /// Whether another connection made the databases, and removes them.
    private let isJoined: Bool
    /// Whether other connections use the databases at the same time, so that two requests may see
    /// different states.
    package var isShared = false
    /// The number of databases that were created so far.
    var createdCount = 0
    /// Databases without a store, which remain to be removed.
    var abandoned: [JSONString] = []
    /// The sessions of the server's own replicator; nil before the first one.
    var replication: ServerReplication?

    /// The database of a store.
    struct Database {
      /// The path, such as `/touchstone-1f-2-notes`.
      let path: JSONString
      /// Distinguishes databases that are created within one second: no other one has it.
      let label: JSONString
      let number: Int
      var isOpen = true
    }

    /// Connects to a server, and asks for its name and version.
    ///
    /// - Parameters:
    ///   - label: a text of `[a-z0-9-]` that no other run has; a part of all names of databases.
    ///   - capabilities: what is tested of the server's offer.
    ///   - control: kills and starts the server; nil if it cannot be crashed.
    public init(
      _ client: any HTTPTransport, label: String,
      capabilities: Set<Capability> = standardCapabilities, control: (any ServerControl)? = nil
    ) throws(HarnessError) {
      (self.client, self.control, isJoined) = (client, control, false)
      prefix = "touchstone-\(label)"
      let greeting = try Self.send(HTTPRequest("GET", "/"), through: client)
      guard greeting.status != 401 else {
        throw HarnessError(
          "\(client.address) rejects the user: \(greeting.body?.serialized() ?? "status 401")")
      }
      guard greeting.status == 200, let object = greeting.body?.objectValue,
        object["couchdb"] != nil || object["version"] != nil || object["express-pouchdb"] != nil
      else {
        throw HarnessError(
          "\(client.address) does not answer as a server of the CouchDB family: status "
            + "\(greeting.status) \(greeting.body?.serialized() ?? "")")
      }
      let layout = try Self.layout("/\(prefix)-0", of: client)
      copies = layout.copies
      let vendor = object["vendor"]?.objectValue?["name"]?.textValue
      description = ImplementationDescription(
        name: vendor == "The Apache Software Foundation" || vendor == nil
          ? "Apache CouchDB" : vendor?.string ?? "",
        version: object["version"]?.textValue?.string ?? "unknown",
        // The server's replicator has to reach a proxy on this machine.
        capabilities: client.address.isLoopback
          ? capabilities : capabilities.subtracting([.replicate]),
        // The feed of one shard has exactly the order of its changes.
        profiles: layout == (shards: 1, copies: 1) ? [.couchdb, .denseChanges] : [.couchdb],
        limits: Self.limits, crashes: control == nil ? [] : [.kill],
        defaults: ImplementationDescription.Defaults(revisionIDs: .couchdb, collation: .couchdb),
        restrictions: Self.restrictions.filter {
          $0.capability.map { capabilities.contains($0) } ?? true
        })
    }

    /// A further connection to the present stores of another one, which removes them at the end.
    public init(joining other: CouchDBDatastore, _ client: any HTTPTransport) {
      (self.client, control, isJoined) = (client, nil, true)
      (description, copies, prefix) = (other.description, other.copies, other.prefix)
      (databases, createdCount) = (other.databases, other.createdCount)
      isShared = true
    }

    /// The numbers of shards and copies of a new database; 0 if the server does not say.
    ///
    /// - Parameter path: the path of a database that does not exist yet.
    private static func layout(
      _ path: String, of client: any HTTPTransport
    ) throws(HarnessError) -> (shards: Int64, copies: Int64) {
      let path = JSONString(path)
      let created = try send(HTTPRequest("PUT", path), through: client)
      guard (200...299).contains(created.status) else {
        throw HarnessError(
          "\(client.address) creates no database; it needs an administrator: status \(created.status) "
            + (created.body?.serialized() ?? "without a body"))
      }
      let info = try send(HTTPRequest("GET", path), through: client)
      _ = try send(HTTPRequest("DELETE", path), through: client)
      let cluster = info.body?.objectValue?["cluster"]?.objectValue
      return (cluster?["q"]?.integerValue ?? 0, cluster?["n"]?.integerValue ?? 0)
    }

    private static var limits: ImplementationDescription.Limits {
      var limits = ImplementationDescription.Limits.minimum
      limits.bodyBytesMax = 8_000_000
      limits.declared = [.bodyBytes]
      return limits
    }

    /// The capabilities that every CouchDB offers, without its replicator (`replicate`).
    public static let standardCapabilities: Set<Capability> = [
      .resolve, .compact, .purge, .historyLimit, .flush, .tombstoneBodies, .attachment,
    ]

    /// The parts of these capabilities that the interface does not have.
    private static let restrictions: Set<Restriction> = [.ownDigests]

    deinit {
      // A caller that stops because of an error does not shut down.
      try? reset()
    }

    public func reset() throws(HarnessError) {
      endSessions()
      guard !isJoined else { return }
      abandoned += databases.values.sorted { $0.number < $1.number }.map(\.path)
      databases = [:]
      try removeAbandoned()
    }

    public func shutdown() throws(HarnessError) { try reset() }

    func endSessions() {
      replication?.stop(through: client)
      replication = nil
    }

    public func perform(
      _ operation: StoreOperation, _ environment: RunEnvironment
    ) throws(HarnessError) -> Outcome {
      do throws(Refusal) {
        return .ok(try perform(operation))
      } catch {
        switch error {
        case .error(let error): return .error(error)
        case .harness(let error): throw error
        }
      }
    }

    private func perform(_ operation: StoreOperation) throws(Refusal) -> OperationResult {
      let store = operation.store
      switch operation.action {
      case .open(let revisionIDs, let collation):
        return try open(store, revisionIDs: revisionIDs, collation: collation)
      case .close:
        databases[store]?.isOpen = false
        return .done
      case .destroy: return try destroy(store)
      default: break
      }
      guard let database = databases[store], database.isOpen else {
        throw .error(DatastoreError(.noSuchStore))
      }
      if case .replicate(let turn) = operation.action {
        return .turn(try perform(turn, on: database))
      }
      let session = CouchDBSession(self, database)
      return try session.perform(operation.action)
    }

    /// A turn of the server's own replicator.
    private func perform(
      _ turn: ReplicationTurn, on database: Database
    ) throws(Refusal) -> ReplicationTurn.Answer {
      do {
        let replication = try replication ?? ServerReplication()
        self.replication = replication
        return try replication.perform(turn, on: database.path, through: client)
      } catch {
        throw .harness(HarnessError("_replicate: \(error)"))
      }
    }

    /// The path of a new database for a store.
    func newPath(of store: StoreName) -> JSONString {
      createdCount += 1
      let name = JSONString("\(prefix)-\(createdCount)-\(store.text)")
      return JSONString("/\(name.percentEncoded)")
    }

    // MARK: Requests

    /// The reason that an operation has no result.
    enum Refusal: Error {
      case error(DatastoreError)
      case harness(HarnessError)
    }

    /// Sends a request to the server; a response with an error is returned, too.
    func send(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
      do throws(HTTPFailure) {
        return try client.send(request)
      } catch {
        throw .harness(Self.harnessError(error, to: request, client))
      }
    }

    private static func send(
      _ request: HTTPRequest, through client: any HTTPTransport
    ) throws(HarnessError) -> HTTPResponse {
      do throws(HTTPFailure) {
        return try client.send(request)
      } catch {
        throw harnessError(error, to: request, client)
      }
    }

    /// Whether the server answers on another connection.
    private static func answers(_ client: any HTTPTransport) -> Bool {
      guard let other = try? client.another(limitSeconds: 10) else { return true }
      return (try? other.send(HTTPRequest("GET", "/"))) != nil
    }

    private static func harnessError(
      _ failure: HTTPFailure, to request: HTTPRequest, _ client: any HTTPTransport
    ) -> HarnessError {
      let message = "\(request.method) \(client.address)\(request.path): \(failure)"
      switch failure {
      case .notConnected, .unknownHost, .invalidAddress, .outOfMemory:
        // Equal for all requests, so that a run ends early if the server has stopped.
        return HarnessError("\(client.address): \(failure)")
      case .invalidRequest: return HarnessError(message)
      case .interrupted, .timedOut:
        // A server that has stopped gives no verdict; one that still answers has failed.
        guard answers(client) else { return HarnessError("\(message); the server has stopped") }
        return HarnessError(message, breakdown: .init(shape: "unanswered", form: "no response"))
      case .invalidResponse:
        return HarnessError(
          message, breakdown: .init(shape: "malformed", form: "a malformed response"))
      }
    }
  }
#endif
