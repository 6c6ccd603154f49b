#if HTTP
  import Collections
  import CollectionsInterface
  import Datastore
  import HTTPClient
  import HTTPServer
  import JSON
  import Synchronization
  import Testing

  /// Requests as an application without the client would send them.
  struct CollectionServiceTests {
    private let backend = CollectionBackend.new()
    private let served: ServedBackend
    private let client: HTTPClient
    private static let recipes: JSONString = "/appdata/kid_touchstone/Recipe"

    init() throws {
      served = try ServedBackend(backend)
      client = try HTTPClient(try ServerAddress.reading(served.url).address)
    }

    private func send(
      _ method: JSONString, _ path: JSONString, query: JSONString? = nil, body: JSONValue? = nil
    ) throws -> HTTPResponse {
      try client.send(HTTPRequest(method, path, query: query, body: body))
    }

    @Test func oneEntity() throws {
      let created = try send("POST", Self.recipes, body: ["name": "Pancakes", "rating": 4.5])
      #expect(created.status == 201)
      let id = try #require(created.body?.objectValue?["_id"]?.textValue)
      #expect(created.headers["location"]?.textValue == JSONString("\(Self.recipes)/\(id)"))
      let path = JSONString("\(Self.recipes)/\(id)")
      let entity: JSONValue = ["_id": .string(id), "name": "Pancakes", "rating": 4.5]
      #expect(try send("GET", path) == HTTPResponse(200, headers: try headers(path), body: entity))
      let replaced = try send("PUT", path, body: ["name": "Crêpes"])
      #expect(replaced.status == 200)
      #expect(replaced.body == ["_id": .string(id), "name": "Crêpes"])
      #expect(try send("DELETE", path).body == ["count": 1])
      let missing = try send("GET", path)
      #expect(missing.status == 404)
      #expect(
        missing.body == [
          "error": "EntityNotFound", "description": "the collection does not contain the entity",
          "debug": "",
        ])
    }

    private func headers(_ path: JSONString) throws -> JSONObject { try send("GET", path).headers }

    /// Ids may have any characters except a first `_`.
    @Test(arguments: ["a/b", "ü ?&=%", "..", "+"] as [JSONString])
    func anID(id: JSONString) throws {
      let created = try send("POST", Self.recipes, body: ["_id": .string(id)])
      let location = try #require(created.headers["location"]?.textValue)
      #expect(try send("GET", location).body == ["_id": .string(id)])
    }

    private func fill() throws {
      for (id, name, rating) in [("a", "Pancakes", 4), ("b", "Stew", 2), ("c", "Burger", 3)] {
        let body: JSONValue = ["name": .text(name), "rating": .integer(Int64(rating))]
        #expect(try send("PUT", JSONString("\(Self.recipes)/\(id)"), body: body).status == 200)
      }
    }

    private func ids(_ query: JSONString?) throws -> [JSONString] {
      let response = try send("GET", JSONString("\(Self.recipes)/"), query: query)
      #expect(response.status == 200, "\(String(describing: response.body))")
      return response.body?.arrayValue?.compactMap { $0.objectValue?["_id"]?.textValue } ?? []
    }

    @Test func queries() throws {
      try fill()
      #expect(try Set(ids(nil)) == ["a", "b", "c"])
      // {"rating":{"$gt":2}}
      let above = "query=%7B%22rating%22%3A%7B%22$gt%22:2%7D%7D"
      #expect(try ids(JSONString("\(above)&sort=%7B%22rating%22:1%7D")) == ["c", "a"])
      #expect(
        try ids(JSONString("query={}&sort=%7B%22rating%22:-1%7D&limit=1&skip=1")) == ["c"])
      let count = try send("GET", JSONString("\(Self.recipes)/_count"), query: JSONString(above))
      #expect(count.body == ["count": 2])
      let removed = try send("DELETE", Self.recipes, query: JSONString(above))
      #expect(removed.body == ["count": 2])
      #expect(try ids(nil) == ["b"])
    }

    @Test func fieldsAreSelected() throws {
      try fill()
      let list = try send("GET", Self.recipes, query: "sort=%7B%22rating%22:1%7D&fields=rating")
      #expect(
        list.body == [
          ["_id": "b", "rating": 2], ["_id": "c", "rating": 3], ["_id": "a", "rating": 4],
        ])
      let one = try send("GET", JSONString("\(Self.recipes)/a"), query: "fields=name,other")
      #expect(one.body == ["_id": "a", "name": "Pancakes"])
      let count = try send("GET", JSONString("\(Self.recipes)/_count"), query: "fields=name")
      #expect(count.body == ["count": 3])
      #expect(try error("GET", Self.recipes, query: "fields=a.b") == "400 FeatureUnavailable")
    }

    @Test func groups() throws {
      try fill()
      let response = try send(
        "POST", JSONString("\(Self.recipes)/_group"),
        body: ["key": [], "function": "SUM", "field": "rating"])
      #expect(response.body == [["result": 9]])
    }

    private func error(
      _ method: JSONString, _ path: JSONString, query: JSONString? = nil, body: JSONValue? = nil
    ) throws -> String {
      let response = try send(method, path, query: query, body: body)
      let object = try #require(response.body?.objectValue)
      #expect(object["description"]?.textValue != nil && object["debug"]?.textValue != nil)
      return "\(response.status) \(object["error"]?.textValue ?? "")"
    }

    @Test func errors() throws {
      #expect(try error("GET", "/appdata/kid_other/Recipe") == "404 AppNotFound")
      #expect(try error("GET", "/") == "404 AppNotFound")
      #expect(try error("GET", "/blob/kid_touchstone/a") == "404 ResourceNotFound")
      #expect(try error("GET", "/appdata/kid_touchstone/R/a/b") == "404 ResourceNotFound")
      #expect(try error("PATCH", Self.recipes) == "404 ResourceNotFound")
      #expect(try error("PUT", Self.recipes, body: [:]) == "404 ResourceNotFound")
      #expect(try error("GET", "/appdata/kid_touchstone/9") == "400 BadRequest")
      #expect(try error("GET", "/appdata/kid_touchstone/%F") == "400 BadRequest")
      #expect(try error("DELETE", Self.recipes) == "400 BadRequest")
      #expect(try error("POST", Self.recipes, body: [1]) == "400 JSONParseError")
      #expect(try error("GET", Self.recipes, query: "query=x") == "400 InvalidQuerySyntax")
      #expect(try error("GET", Self.recipes, query: "query=%") == "400 InvalidQuerySyntax")
      #expect(try error("GET", Self.recipes, query: "limit=1&limit=2") == "400 InvalidQuerySyntax")
      #expect(try error("GET", Self.recipes, query: "other=1") == "400 InvalidQuerySyntax")
      #expect(
        try error("GET", Self.recipes, query: "query=%7B%22a%22:%7B%22$all%22:[]%7D%7D")
          == "400 FeatureUnavailable")
      #expect(
        try error("GET", JSONString("\(Self.recipes)/_deltaset"), query: "since=2020")
          == "400 FeatureUnavailable")
      #expect(try send("PUT", JSONString("\(Self.recipes)/a"), body: [:]).status == 200)
      #expect(try error("POST", Self.recipes, body: ["_id": "a"]) == "409 EntityAlreadyExists")
    }

    @Test func aBodyThatIsNotJSON() throws {
      let response = try client.send(HTTPRequest("POST", Self.recipes, bytes: "ew=="))
      #expect(response.status == 400)
      #expect(response.body?.objectValue?["error"] == "JSONParseError")
    }

    @Test func aRuleOfTheBackend() throws {
      backend.rules["Recipe"] = [FieldRule("name", isRequired: true)]
      let response = try send("POST", Self.recipes, body: [:])
      #expect(response.status == 400)
      let body = try #require(response.body?.objectValue)
      #expect(body["error"] == "ValidationError" && body["debug"] == "")
      #expect(body["field"] == "name" && body["rule"] == "required")
    }

    @Test func theHandshake() throws {
      let response = try send("GET", "/appdata/kid_touchstone")
      #expect(response.body?.objectValue?["kinvey"] == "hello kid_touchstone")
      #expect(try error("POST", "/appdata/kid_touchstone") == "404 ResourceNotFound")
    }

    /// Several clients at once; the backend performs their requests one after the other.
    @Test func clientsAtTheSameTime() throws {
      let (done, failures) = (Counter(), Counter())
      for number in 0..<4 {
        let client = try served.client()
        nonisolated(unsafe) let endpoint = client
        let isStarted = BackgroundThread.start {
          defer { done.add() }
          for _ in 0..<25 {
            let request = BackendRequest(
              1, .post, collection: "Recipe", body: ["client": .integer(Int64(number))])
            let reply = try? endpoint.reply(to: request, RunEnvironment(seed: 1))
            guard case .response(let response)? = reply, response.status == 201 else {
              failures.add()
              continue
            }
          }
        }
        try #require(isStarted)
      }
      while done.count < 4 { BackgroundThread.pause(microseconds: 1000) }
      #expect(failures.count == 0)
      let count = try send("GET", JSONString("\(Self.recipes)/_count"))
      #expect(count.body == ["count": 100])
    }

    private final class Counter: Sendable {
      private let value = Mutex(0)
      var count: Int { value.withLock { $0 } }
      func add() { value.withLock { $0 += 1 } }
    }
  }
#endif
