import Collections
import Datastore
import JSON
import ReferenceDatastore
import Testing

/// The recipe book of the guide: two collections of a backend, and a client.
struct Kitchen {
  var session = CollectionSession()
  let backend: CollectionBackend
  let environment = RunEnvironment(seed: 7)
  /// The report of the last call.
  var report = CollectionSession.Report()

  static func ingredients() throws -> CollectionDescription {
    try CollectionDescription(
      "Ingredient",
      properties: [
        MappedProperty("name"), MappedProperty("units"),
        MappedProperty("quantity", field: "qty", defaultValue: 1),
      ])
  }

  /// The mapping of the guide: the ids in `ingredients` are those of a relation.
  static func recipes(isComputed: Bool = false, cascades: Bool = false) throws
    -> CollectionDescription
  {
    try CollectionDescription(
      "Recipe",
      properties: [
        MappedProperty("name"),
        MappedProperty(
          isComputed ? "ingredientIds" : "parts", field: "ingredients", to: "Ingredient",
          isToMany: true, relation: isComputed ? "ingredients" : "parts", isComputed: isComputed,
          cascades: cascades),
      ])
  }

  init(
    isComputed: Bool = false, cascades: Bool = false,
    _ options: CollectionOptions = CollectionOptions()
  ) throws {
    let datastore = ReferenceDatastore()
    backend = CollectionBackend(datastore, store: "backend")
    _ = try datastore.perform(StoreOperation("backend", .open()), environment)
    session.client.open(try Self.recipes(isComputed: isComputed, cascades: cascades), options)
    session.client.open(try Self.ingredients(), options)
  }

  /// Makes a call; returns its requests.
  @discardableResult
  mutating func perform(_ collection: JSONString, _ call: CollectionCall) throws -> [String] {
    report = try session.perform(call, on: collection, backend, environment: environment)
    return requests
  }

  var requests: [String] { report.requests.map { $0.request.description } }

  mutating func drain() throws -> [String] {
    report = try session.drain(backend, environment)
    return requests
  }

  /// The objects of the last callback.
  func objects(sourceLocation: SourceLocation = #_sourceLocation) throws -> [CollectionObject] {
    let callback = try #require(report.callbacks.last, sourceLocation: sourceLocation)
    guard case .objects(let objects) = callback.result else {
      Issue.record("\(callback.result)", sourceLocation: sourceLocation)
      return []
    }
    return objects
  }

  func error(sourceLocation: SourceLocation = #_sourceLocation) throws -> CollectionError {
    let callback = try #require(report.callbacks.last, sourceLocation: sourceLocation)
    guard case .error(let error) = callback.result else {
      throw Surprise(result: callback.result)
    }
    return error
  }

  struct Surprise: Error { var result: CollectionCallback.Result }

  func count() -> Int64? {
    if case .count(let count)? = report.callbacks.last?.result { count } else { nil }
  }

  /// The stored entities as text, in byte order of their ids.
  mutating func stored(_ collection: JSONString) throws -> [String] {
    let request = BackendRequest(0, .get, collection: collection)
    let response = try backend.answer(request, environment)
    return (response?.body.arrayValue ?? []).map { $0.serialized() }
  }

  /// Stores an entity in the backend, as another client would.
  mutating func store(_ collection: JSONString, _ id: JSONString, _ fields: JSONObject) throws {
    let request = BackendRequest(0, .put, collection: collection, path: id, body: .object(fields))
    #expect(try backend.answer(request, environment)?.status == 200)
  }
}

extension CollectionObject {
  /// The name of the object.
  var name: String { values["name"]?.textValue?.string ?? "?" }
}
