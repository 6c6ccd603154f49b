#if HTTP
  public import Collections
  public import Datastore
  public import HTTPClient
  public import JSON
  internal import Replication

  /// A backend behind Kinvey's REST interface.
  ///
  /// libcurl sends a request again if an open connection turns out to be closed. That is harmless
  /// for a `GET` and a `PUT`. A `POST` and a `DELETE` use a connection of their own, so that they
  /// are performed at most once.
  public final class ServerBackend: BackendEndpoint {
    private let transport: any HTTPTransport
    private let appKey: JSONString
    private let limitSeconds: Int
    /// The token of the session; nil without one.
    private var token: JSONString?

    /// Uses a connection to a server, with the credentials of the application or of a user.
    ///
    /// - Parameters:
    ///   - appKey: the key of the application, `KID` in paths.
    ///   - limitSeconds: the time limit of a request that uses a connection of its own.
    public init(_ transport: any HTTPTransport, appKey: JSONString, limitSeconds: Int = 60) {
      self.transport = transport
      self.appKey = appKey
      self.limitSeconds = limitSeconds
    }

    /// Uses a connection of its own to the server with a URL, such as `https://example.com`.
    ///
    /// - Throws: if the text is not the URL of a server. Nothing is sent.
    public convenience init(
      url: String, appKey: JSONString, credentials: Credentials? = nil, limitSeconds: Int = 60
    ) throws(HTTPFailure) {
      let (address, found) = try ServerAddress.reading(url)
      self.init(
        try HTTPClient(address, credentials: credentials ?? found, limitSeconds: limitSeconds),
        appKey: appKey, limitSeconds: limitSeconds)
    }

    /// Starts a session of a user, whose token authenticates all further requests.
    ///
    /// The request itself has the credentials of the connection, which must be those of the
    /// application.
    ///
    /// - Returns: the error of the server; nil if the session has started.
    /// - Throws: if no response arrives.
    public func logIn(_ user: Credentials) throws(HTTPFailure) -> BackendResponse? {
      let response = try transport.send(
        HTTPRequest(
          "POST", JSONString("/user/\(appKey.percentEncoded)/login"), headers: Self.headers,
          body: ["username": .text(user.user), "password": .text(user.password)]))
      guard response.status == 200,
        let found = response.body?.objectValue?["_kmd"]?.objectValue?["authtoken"]?.textValue
      else { return BackendResponse(response.status, response.body ?? .null) }
      token = found
      return nil
    }

    public func reply(
      to request: BackendRequest, _ environment: RunEnvironment
    ) throws(HarnessError) -> BackendReply {
      do throws(HTTPFailure) {
        let response = try transport(for: request.method).send(message(request))
        return .response(BackendResponse(response.status, response.body ?? .null))
      } catch {
        guard let failure = NetworkFailure(error) else {
          throw HarnessError("\(transport.address): \(error)")
        }
        return .failure(failure)
      }
    }

    private func transport(
      for method: BackendRequest.Method
    ) throws(HTTPFailure) -> any HTTPTransport {
      switch method {
      case .get, .put: return transport
      case .post, .delete: return try transport.another(limitSeconds: limitSeconds) ?? transport
      }
    }

    // MARK: Encoding

    /// Versions from 6 on have no basic authentication of users.
    private static let headers: JSONObject = ["x-kinvey-api-version": "5"]

    private func message(_ request: BackendRequest) -> HTTPRequest {
      var path = "/appdata/\(appKey.percentEncoded)/\(request.collection.percentEncoded)"
      if let name = request.path { path += "/\(name.percentEncoded)" }
      let query = request.parameters.members.map { member in
        "\(member.name.percentEncoded)=\(JSONString(member.value.serialized()).percentEncoded)"
      }
      var headers = Self.headers
      headers["authorization"] = token.map { .text("Kinvey \($0)") }
      return HTTPRequest(
        JSONString(request.method.rawValue), JSONString(path),
        query: query.isEmpty ? nil : JSONString(query.joined(separator: "&")), headers: headers,
        body: request.body)
    }
  }

  extension NetworkFailure {
    /// The failure of a request that has no response; nil if no request can succeed.
    package init?(_ failure: HTTPFailure) {
      switch failure {
      // A device without network has no name service, and an offline queue is for such a device.
      case .unknownHost: self = .cannotResolveHost
      case .notConnected: self = .cannotConnect
      case .timedOut: self = .timedOut
      case .interrupted, .invalidResponse: self = .connectionLost
      case .invalidAddress, .invalidRequest, .outOfMemory: return nil
      }
    }
  }
#endif
