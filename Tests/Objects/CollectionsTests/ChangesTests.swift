import Collections
import Datastore
import JSON
import Testing

/// Queries that load only changes, with replies in an order that no session produces.
struct ChangesTests {
  /// A client with one open collection, and a call for all its objects.
  private struct World {
    var client = CollectionClient()
    let environment = RunEnvironment(seed: 1)

    init() throws {
      client.open(
        try CollectionDescription("Recipe", properties: [MappedProperty("name")]),
        CollectionOptions(policy: .networkFirst, loadsChangesOnly: true))
    }

    /// The first and only request of a call.
    mutating func query() throws -> BackendRequest {
      try sent(client.perform(.query(CollectionQuery()), on: "Recipe", environment))
    }

    mutating func receive(_ body: JSONValue, _ request: BackendRequest) -> [CollectionEffect] {
      client.receive(.response(BackendResponse(200, body)), to: request.number, environment)
    }

    func sent(_ effects: [CollectionEffect]) throws -> BackendRequest {
      let requests = effects.compactMap { effect -> BackendRequest? in
        if case .send(let request) = effect { request } else { nil }
      }
      try #require(requests.count == 1)
      return requests[0]
    }

    func names(_ effects: [CollectionEffect]) -> [String] {
      effects.flatMap { effect -> [String] in
        guard case .callBack(let callback) = effect, case .objects(let objects) = callback.result
        else { return [] }
        return objects.map { $0.name }
      }
    }
  }

  private static func versions(_ versions: [(JSONString, JSONString)]) -> JSONValue {
    .array(versions.map { ["_id": .string($0), "_version": .string($1)] })
  }

  private static func entity(_ id: JSONString, _ name: JSONString) -> JSONValue {
    ["_id": .string(id), "name": .string(name)]
  }

  /// An entity removed between the two requests is not in the response; a changed one is loaded
  /// again.
  @Test func betweenTheRequests() throws {
    var world = try World()
    var request = try world.query()
    #expect(request.description == "GET Recipe/_versions")
    request = try world.sent(
      world.receive(Self.versions([("a", "1"), ("b", "1"), ("c", "1")]), request))
    #expect(request.description == #"GET Recipe?query={"_id":{"$in":["a","b","c"]}}"#)
    let first = world.receive([Self.entity("c", "new c"), Self.entity("a", "a")], request)
    #expect(world.names(first) == ["a", "new c"])

    request = try world.query()
    request = try world.sent(world.receive(Self.versions([("a", "1"), ("c", "2")]), request))
    #expect(request.description == #"GET Recipe?query={"_id":{"$in":["c"]}}"#)
    #expect(world.names(world.receive([Self.entity("c", "new c")], request)) == ["a", "new c"])
  }

  /// A late response is not treated as the current state of its version.
  @Test func lateAnswers() throws {
    var world = try World()
    var early = try world.query()
    var late = try world.query()
    early = try world.sent(world.receive(Self.versions([("a", "1")]), early))
    late = try world.sent(world.receive(Self.versions([("a", "2")]), late))
    #expect(world.names(world.receive([Self.entity("a", "second")], late)) == ["second"])
    #expect(world.names(world.receive([Self.entity("a", "first")], early)) == ["first"])
    let request = try world.query()
    let again = try world.sent(world.receive(Self.versions([("a", "2")]), request))
    #expect(world.names(world.receive([Self.entity("a", "second")], again)) == ["second"])
  }

  static let bad: [JSONValue] = [[:], [1], [["_id": "a"]], [["_version": "a"]]]

  @Test(arguments: bad)
  func badVersions(body: JSONValue) throws {
    var world = try World()
    let request = try world.query()
    let effects = world.receive(body, request)
    let reasons = effects.compactMap { effect -> CollectionError.Reason? in
      guard case .callBack(let callback) = effect, case .error(let error) = callback.result else {
        return nil
      }
      return error.reason
    }
    #expect(reasons == [.badAnswer])
  }
}
