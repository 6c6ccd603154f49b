#if HTTP
  public import Datastore
  public import HTTPClient
  public import JSON
  public import Replication

  /// A database of a server with CouchDB's interface, as a source or target of a replication.
  ///
  /// A request without a valid response has an unknown outcome, whether the server was not reached,
  /// the connection was interrupted or a proxy changed the response. An error of the store is
  /// `refused`; any other error response, such as 429 or 503 of a proxy, is a `status`.
  public final class ServerPeer: ReplicationPeer {
    private let transport: any HTTPTransport
    private let form: HTTPForm
    /// The reason that the last request without a response had none.
    public private(set) var lastFailure: HTTPFailure?

    /// A server does not declare its capabilities. None has `_blobs`, so content is sent within
    /// documents; the replicator detects a server without attachments by its errors.
    public var capabilities: Set<Capability> { [.attachment] }
    public var restrictions: Set<Restriction> { [] }

    /// Uses a connection to a server.
    ///
    /// - Parameter database: the encoded path of the database after that of the server's address,
    ///   such as `/notes`; empty if the address is that of the database.
    public init(_ transport: any HTTPTransport, database: JSONString) {
      self.transport = transport
      form = HTTPForm(database: database)
    }

    /// Uses a connection of its own to the database with a URL.
    ///
    /// - Parameters:
    ///   - url: such as `https://user:password@example.com/notes`.
    ///   - credentials: those of requests; nil for those in the URL or of the `netrc` file.
    ///   - limitSeconds: the time limit of a request, from 1.
    /// - Throws: if the text is not the URL of a database. Nothing is sent.
    public convenience init(
      url: String, credentials: Credentials? = nil, limitSeconds: Int = 60
    ) throws(HTTPFailure) {
      let (address, found) = try ServerAddress.reading(url)
      guard !address.path.isEmpty else {
        throw .invalidAddress("expected the URL of a database, such as \(address)/notes")
      }
      self.init(
        try HTTPClient(address, credentials: credentials ?? found, limitSeconds: limitSeconds),
        database: "")
    }

    public func answer(
      _ request: PeerRequest, _ environment: RunEnvironment
    ) throws(HarnessError) -> PeerResponse? {
      var message: HTTPRequest
      do throws(DecodingFailure) { message = try form.request(request) } catch {
        // A repetition of the request would fail again.
        return .refused(DatastoreError(.badRequest(path: error.path), error.message))
      }
      // Content is sent as bytes whatever its type.
      if case .readAttachment = request { message.headers["accept"] = "*/*" }
      do throws(HTTPFailure) {
        let response = try transport.send(message)
        do throws(DecodingFailure) { return try form.read(response, to: request) } catch {
          throw .invalidResponse(error.description)
        }
      } catch {
        lastFailure = error
        switch error {
        case .notConnected, .unknownHost, .interrupted, .timedOut, .invalidResponse: return nil
        case .invalidAddress, .invalidRequest, .outOfMemory:
          throw HarnessError("\(transport.address): \(error)")
        }
      }
    }
  }
#endif
