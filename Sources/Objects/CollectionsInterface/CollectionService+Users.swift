#if HTTP
  internal import Datastore
  internal import Digest
  internal import HTTPServer
  internal import JSON
  internal import Replication

  /// The tokens of the sessions of users.
  struct SessionTokens {
    private var random: RandomGenerator
    /// The oldest first.
    private var sessions: [(token: JSONString, user: JSONString)] = []
    /// The number of sessions; a further one ends the oldest.
    private static let countMax = 1000

    init(seed: UInt64) { random = RandomGenerator(seed: seed) }

    mutating func begin(_ user: JSONString) -> JSONString {
      if sessions.count == Self.countMax { sessions.removeFirst() }
      let token = JSONString(random.bytes(32).hexadecimal)
      sessions.append((token, user))
      return token
    }

    func user(of token: JSONString) -> JSONString? {
      sessions.first { $0.token == token }?.user
    }

    mutating func end(_ token: JSONString) { sessions.removeAll { $0.token == token } }
  }

  // Authentication: basic with the key and the secret of the application or with a user, or with
  // the token of a session.

  extension CollectionService {
    /// The sender of a request.
    private enum Sender {
      case app
      case user
      case session(JSONString)
    }

    /// Throws for a request without valid credentials.
    func authorize(_ request: ServerRequest) throws(CollectionServiceError) {
      _ = try sender(of: request)
    }

    private func sender(of request: ServerRequest) throws(CollectionServiceError) -> Sender {
      guard let secret = options.appSecret else { return .app }
      let header = JSONString(request.headers["authorization"] ?? "")
      guard let space = header.utf8.firstIndex(of: UInt8(ascii: " ")),
        let credentials = JSONString(validating: header.utf8[space...].dropFirst())
      else { throw .invalidCredentials }
      switch header.string[..<space].lowercased() {
      case "basic":
        guard let bytes = Base64.decode(credentials.utf8),
          let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
          let name = JSONString(validating: bytes[..<colon]),
          let password = JSONString(validating: bytes[(colon + 1)...])
        else { throw .invalidCredentials }
        if name == options.appKey, password == secret { return .app }
        guard hasUser(name, password: password) else { throw .invalidCredentials }
        return .user
      case "kinvey":
        guard withSessions({ $0.user(of: credentials) }) != nil else { throw .invalidCredentials }
        return .session(credentials)
      default: throw .invalidCredentials
      }
    }

    private func hasUser(_ name: JSONString, password: JSONString) -> Bool {
      options.users.contains { $0.name == name && $0.password == password }
    }

    func logIn(_ request: ServerRequest) throws(CollectionServiceError) -> ServerResponse {
      guard request.method.utf8.elementsEqual("POST".utf8) else { throw .noResource }
      guard case .app = try sender(of: request) else { throw .insufficientCredentials }
      let body = try? JSONValue.parse(request.body)
      guard let body = body?.objectValue, let name = body["username"]?.textValue,
        let password = body["password"]?.textValue
      else {
        throw CollectionServiceError(
          400, "IncompleteRequestBody", description: "a login requires 'username' and 'password'")
      }
      guard hasUser(name, password: password) else { throw .invalidCredentials }
      let token = withSessions { $0.begin(name) }
      return .json(
        200,
        ["_id": .string(name), "username": .string(name), "_kmd": ["authtoken": .string(token)]])
    }

    func logOut(_ request: ServerRequest) throws(CollectionServiceError) -> ServerResponse {
      guard request.method.utf8.elementsEqual("POST".utf8) else { throw .noResource }
      guard case .session(let token) = try sender(of: request) else {
        throw .insufficientCredentials
      }
      withSessions { $0.end(token) }
      return ServerResponse(204)
    }
  }
#endif
