#if HTTP
  internal import Datastore
  internal import HTTPClient
  internal import HTTPServer
  internal import JSON
  internal import Replication
  internal import Synchronization

  /// One session of the server's replicator.
  final class ServerSession {
    private let start: ReplicationTurn.Start
    private let database: JSONString
    /// The first part of the path of all requests to the proxy.
    private let label: String
    private(set) var isCancelled = false
    /// The number of turns since the last request for the harness that have waited for one.
    var silentTurns = 0
    /// The requests that the harness has, by number.
    private var open: [Int64: ReplicatorRequest] = [:]
    private var count: Int64 = 0
    private var followUps: [ReplicationTurn.Request] = []
    private let outcome = SessionOutcome()
    /// The response to the cancellation; CouchDB 3.5.0 then leaves the session without a response.
    private let cancellation = SessionOutcome()

    init(_ start: ReplicationTurn.Start, database: JSONString, label: String) {
      (self.start, self.database, self.label) = (start, database, label)
    }

    var hasOpenRequests: Bool { !open.isEmpty }

    func owns(_ request: HeldRequest) -> Bool {
      request.target.utf8.starts(with: "/\(label)/".utf8)
    }

    /// Starts the replicator, whose response comes at the end of the session.
    func begin(through client: any HTTPTransport, proxyPort: UInt16) throws(HTTPFailure) {
      guard let other = try client.another(limitSeconds: Self.limitSeconds) else {
        throw .invalidRequest("the server cannot be asked twice at a time")
      }
      let request = HTTPRequest(
        "POST", "/_replicate", body: .object(body(client, proxyPort: proxyPort)))
      let (outcome, connection) = (outcome, Connection(other))
      guard BackgroundThread.start({ outcome.set(connection.send(request)) }) else {
        throw .outOfMemory
      }
    }

    func cancel(through client: any HTTPTransport, proxyPort: UInt16) throws(HTTPFailure) {
      guard !isCancelled else { return }
      isCancelled = true
      var body = body(client, proxyPort: proxyPort)
      body["cancel"] = true
      guard let other = try client.another(limitSeconds: Self.limitSeconds) else { return }
      let (request, connection) = (
        HTTPRequest("POST", "/_replicate", body: .object(body)), Connection(other)
      )
      // The server responds when the session has ended, and the session waits for its requests.
      let cancellation = cancellation
      guard BackgroundThread.start({ cancellation.set(connection.send(request)) }) else {
        throw .outOfMemory
      }
      cutAll()
    }

    /// Ends the session on the server unless it has ended; a failure has no effect on the store.
    func abandon(through client: any HTTPTransport, proxyPort: UInt16) {
      guard outcome.result == nil else { return }
      try? cancel(through: client, proxyPort: proxyPort)
    }

    /// The time limit of a session.
    private static let limitSeconds = 600

    private func body(_ client: any HTTPTransport, proxyPort: UInt16) -> JSONObject {
      var own: JSONObject = ["url": .text("\(client.address)\(database)")]
      if let credentials = client.credentials {
        own["auth"] = [
          "basic": [
            "username": .text(credentials.user), "password": .text(credentials.password),
          ]
        ]
      }
      let remote: JSONValue = [
        "url": .text("http://127.0.0.1:\(proxyPort)/\(label)\(start.remote)")
      ]
      let isPush = start.direction == .push
      var body: JSONObject = [
        "source": isPush ? JSONValue.object(own) : remote,
        "target": isPush ? remote : JSONValue.object(own),
      ]
      if start.isContinuous { body["continuous"] = true }
      body["worker_batch_size"] = start.batch.map { .integer($0) }
      switch start.filter {
      case nil: break
      case .documentIDs(let ids)?: body["doc_ids"] = .array(ids.map(\.json))
      case .bodyFieldEquals(let field, let value)?:
        let condition: JSONValue = ["$eq": value]
        body["selector"] = .object(JSONObject([(field.asPath, condition)]))
      case .live?: body["selector"] = ["_deleted": ["$exists": false]]
      case .selector(let selector)?: body["selector"] = selector.json
      }
      return body
    }

    // MARK: Requests

    /// Prepares a request for the harness; one that has no equivalent is answered here.
    func accept(_ request: HeldRequest) -> ReplicationTurn.Request? {
      guard !isCancelled else {
        request.cut()
        return nil
      }
      let target = String(request.target.dropFirst(label.utf8.count + 1))
      do throws(ReplicatorRequest.Unknown) {
        return add(try ReplicatorRequest(request, target: target, remote: start.remote))
      } catch {
        request.respond(error.response)
        return nil
      }
    }

    func answer(_ number: Int64, _ response: HTTPResponse) {
      guard let request = open.removeValue(forKey: number) else { return }
      guard let next = request.next(after: response) else {
        request.respond(response)
        return
      }
      followUps.append(add(next))
    }

    /// Takes the requests that earlier responses have led to.
    func takeFollowUps() -> [ReplicationTurn.Request] {
      defer { followUps = [] }
      return followUps
    }

    private func add(_ request: ReplicatorRequest) -> ReplicationTurn.Request {
      count += 1
      open[count] = request
      return ReplicationTurn.Request(number: count, request.request)
    }

    func lose(_ number: Int64) { open.removeValue(forKey: number)?.cut() }

    func cutAll() {
      for request in open.values { request.cut() }
      open = [:]
    }

    /// The last answer of the session; nil while it runs.
    var end: ReplicationTurn.Answer? {
      if isCancelled {
        guard outcome.result != nil || cancellation.result != nil else { return nil }
        return ReplicationTurn.Answer([], state: .stopped)
      }
      guard let result = outcome.result else { return nil }
      switch result {
      case .success(let response) where response.body?.objectValue?["ok"] == true:
        return ReplicationTurn.Answer([], state: .complete)
      case .success(let response):
        let reason = response.body?.serialized() ?? "without a body"
        return ReplicationTurn.Answer(
          [], state: .error, message: JSONString("status \(response.status) \(reason)"))
      case .failure(let failure):
        return ReplicationTurn.Answer([], state: .error, message: JSONString("\(failure)"))
      }
    }
  }

  /// The response to `_replicate`, which another thread sets.
  private final class SessionOutcome: Sendable {
    private let stored = Mutex<Result<HTTPResponse, HTTPFailure>?>(nil)

    var result: Result<HTTPResponse, HTTPFailure>? { stored.withLock { $0 } }

    func set(_ result: Result<HTTPResponse, HTTPFailure>) { stored.withLock { $0 = result } }
  }

  /// A connection that only one thread uses after it was made.
  private struct Connection: @unchecked Sendable {
    private let client: HTTPClient

    init(_ client: HTTPClient) { self.client = client }

    func send(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPFailure> {
      do throws(HTTPFailure) {
        return .success(try client.send(request))
      } catch {
        return .failure(error)
      }
    }
  }

  extension JSONString {
    /// The name of a member as a path of a selector.
    fileprivate var asPath: JSONString {
      var bytes: [UInt8] = []
      for byte in utf8 {
        if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "\\") {
          bytes.append(UInt8(ascii: "\\"))
        }
        bytes.append(byte)
      }
      return JSONString(validating: bytes) ?? self
    }
  }
#endif
