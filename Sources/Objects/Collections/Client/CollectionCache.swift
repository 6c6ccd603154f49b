public import JSON

/// An entity of a backend.
public struct EntityKey: Hashable, Sendable {
  /// The name of the collection.
  public var collection: JSONString
  /// The id of the entity.
  public var id: JSONString

  /// Creates a key.
  public init(_ collection: JSONString, _ id: JSONString) {
    self.collection = collection
    self.id = id
  }
}

/// The client's cache of the backend.
///
/// Results are cached by their query as ids, and entities by their ids. So a saved entity is up to
/// date in all cached results, and a removed one is in none.
public struct CollectionCache: Hashable, Sendable {
  private struct QueryKey: Hashable {
    var collection: JSONString
    var query: CollectionQuery
  }

  /// An entity as the backend has it in a version, without pending saves.
  private struct Held: Hashable {
    var version: JSONString
    var entity: JSONObject
  }

  private var entities: [EntityKey: JSONObject] = [:]
  private var held: [EntityKey: Held] = [:]
  private var results: [QueryKey: [JSONString]] = [:]

  /// Creates an empty cache.
  public init() {}

  /// The cached entity of an id.
  public subscript(key: EntityKey) -> JSONObject? {
    get { entities[key] }
    set { entities[key] = newValue }
  }

  /// The cached result of a query; nil if it is not cached.
  public func result(of query: CollectionQuery, in collection: JSONString) -> [JSONObject]? {
    results[QueryKey(collection: collection, query: query)]?
      .compactMap { entities[EntityKey(collection, $0)] }
  }

  mutating func remember(
    _ result: [JSONObject], of query: CollectionQuery, in collection: JSONString
  ) {
    results[QueryKey(collection: collection, query: query)] =
      result.compactMap { $0[EntityField.id]?.textValue }
  }

  mutating func evict(_ query: CollectionQuery, in collection: JSONString) {
    results[QueryKey(collection: collection, query: query)] = nil
  }

  /// The last entity of an id that the backend returned with a version.
  func held(_ key: EntityKey) -> JSONObject? { held[key]?.entity }

  func holds(_ key: EntityKey, _ version: JSONString) -> Bool { held[key]?.version == version }

  mutating func hold(_ entity: JSONObject, _ version: JSONString, key: EntityKey) {
    held[key] = Held(version: version, entity: entity)
  }

  mutating func forget(_ key: EntityKey) {
    entities[key] = nil
    held[key] = nil
    for (query, ids) in results where query.collection == key.collection && ids.contains(key.id) {
      results[query] = ids.filter { $0 != key.id }
    }
  }

  /// Assigns a permanent id to an entity in all cached data.
  mutating func rename(_ key: EntityKey, to id: JSONString) {
    if var entity = entities.removeValue(forKey: key) {
      entity[EntityField.id] = .string(id)
      entities[EntityKey(key.collection, id)] = entity
    }
    for (query, ids) in results where query.collection == key.collection && ids.contains(key.id) {
      results[query] = ids.map { $0 == key.id ? id : $0 }
    }
  }
}
