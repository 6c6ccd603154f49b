#if HTTP
  import Collections
  import CollectionsInterface
  import Datastore
  import HTTPClient
  import JSON
  import Testing

  /// Credentials of the application, of users and of sessions.
  struct AuthenticationTests {
    private let served: ServedBackend
    private static let app = Credentials(user: "kid_touchstone", password: "s:1")
    private static let ann = Credentials(user: "ann", password: "pa:ss")
    private static let recipes: JSONString = "/appdata/kid_touchstone/Recipe"

    init() throws {
      var options = CollectionService.Options()
      options.appSecret = "s:1"
      options.users = [("ann", "pa:ss"), ("bob", "")]
      served = try ServedBackend(.new(), options)
    }

    private func send(
      _ request: HTTPRequest, _ credentials: Credentials? = nil
    ) throws -> HTTPResponse {
      let address = try ServerAddress.reading(served.url).address
      return try HTTPClient(address, credentials: credentials).send(request)
    }

    @Test func theApplicationAndUsersHaveAccess() throws {
      let users = [Self.app, Self.ann, Credentials(user: "bob", password: "")]
      for credentials in users {
        #expect(try send(HTTPRequest("GET", Self.recipes), credentials).body == [])
      }
    }

    static let wrong: [(String, String)] = [
      ("kid_touchstone", "pa:ss"), ("kid_touchstone", ""), ("ann", "s:1"), ("bob", "pa:ss"),
      ("", ""), ("carl", ""),
    ]

    @Test(arguments: wrong)
    func wrongCredentials(user: String, password: String) throws {
      let credentials = Credentials(user: user, password: password)
      for path in [Self.recipes, "/appdata/kid_touchstone"] {
        let response = try send(HTTPRequest("GET", path), credentials)
        #expect(response.status == 401)
        #expect(response.body?.objectValue?["error"] == "InvalidCredentials")
        #expect(
          response.headers["www-authenticate"]?.textValue == #"Basic realm="kid_touchstone""#)
      }
    }

    @Test(arguments: ["", "Basic", "Basic ?", "Basic YW5u", "Bearer a", "Kinvey", "Kinvey a"])
    func aHeaderWithoutCredentials(header: String) throws {
      let request = HTTPRequest("GET", Self.recipes, headers: ["authorization": .text(header)])
      #expect(try send(request).status == 401)
    }

    private func logIn(_ body: JSONValue, _ credentials: Credentials) throws -> HTTPResponse {
      try send(HTTPRequest("POST", "/user/kid_touchstone/login", body: body), credentials)
    }

    @Test func aSession() throws {
      let response = try logIn(["username": "ann", "password": "pa:ss"], Self.app)
      #expect(response.status == 200)
      let body = try #require(response.body?.objectValue)
      #expect(body["username"] == "ann")
      let token = try #require(body["_kmd"]?.objectValue?["authtoken"]?.textValue)
      let headers: JSONObject = ["authorization": .text("Kinvey \(token)")]
      let read = HTTPRequest("GET", Self.recipes, headers: headers)
      #expect(try send(read).status == 200)
      let other = try logIn(["username": "ann", "password": "pa:ss"], Self.app)
      #expect(other.body?.objectValue?["_kmd"] != body["_kmd"])
      let logOut = HTTPRequest("POST", "/user/kid_touchstone/_logout", headers: headers)
      #expect(try send(logOut).status == 204)
      #expect(try send(read).status == 401)
      #expect(try send(logOut).status == 401)
    }

    @Test func refusedLogins() throws {
      func name(_ response: HTTPResponse) -> JSONString? {
        response.body?.objectValue?["error"]?.textValue
      }
      let right: JSONValue = ["username": "ann", "password": "pa:ss"]
      #expect(name(try logIn(right, Self.ann)) == "InsufficientCredentials")
      let wrong = try logIn(["username": "ann", "password": "s:1"], Self.app)
      #expect(wrong.status == 401 && name(wrong) == "InvalidCredentials")
      #expect(name(try logIn(["username": "ann"], Self.app)) == "IncompleteRequestBody")
      let read = try send(HTTPRequest("GET", "/user/kid_touchstone/login"), Self.app)
      #expect(read.status == 404)
    }

    /// The client uses the token of its session, not the secret of the application.
    @Test func theClientHasASession() throws {
      let environment = RunEnvironment(seed: 1)
      let client = try served.client(Self.app)
      let wrong = Credentials(user: "ann", password: "x")
      #expect(try client.logIn(wrong)?.status == 401)
      #expect(try client.logIn(Self.ann) == nil)
      let request = BackendRequest(1, .post, collection: "Recipe", body: ["name": "Stew"])
      guard case .response(let response) = try client.reply(to: request, environment) else {
        Issue.record("no response")
        return
      }
      #expect(response.status == 201)
    }
  }
#endif
