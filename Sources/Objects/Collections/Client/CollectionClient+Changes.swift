internal import JSON

// Queries that load only changes: the backend returns the ids and versions of the matching
// entities, and entities that are not cached in these versions are loaded by their ids. An entity
// that is not among the ids no longer matches, because it was changed or removed.
//
// The backend may change between the two requests. The response omits entities removed meanwhile.
// An entity changed meanwhile is returned in its new state but cached under the earlier version, so
// it is loaded again the next time.

/// The purpose of the requests for the versions and the changes of a query.
struct QueriedPart: Hashable, Sendable {
  var collection: JSONString
  var query: CollectionQuery
  /// The call to answer; nil for a silent refresh of the cache.
  var call: CallNumber?
}

/// An entity with its version at the backend.
struct EntityVersion: Hashable, Sendable {
  var id: JSONString
  var version: JSONString
}

extension CollectionClient {
  mutating func askForVersions(of query: QueryCall, for purpose: Purpose) {
    var part = QueriedPart(collection: query.collection, query: query.query, call: nil)
    if case .query(let call) = purpose { part.call = call }
    send(
      .get, part.collection, path: BackendRequest.versions, parameters: part.query.parameters,
      for: .versions(part))
  }

  mutating func versionsTold(_ reply: BackendReply, of part: QueriedPart) {
    switch Self.versions(reply) {
    case .failure(let error): settle(.failure(error), part)
    case .success(let versions):
      let unknown = versions.filter { !cache.holds(EntityKey(part.collection, $0.id), $0.version) }
      guard !unknown.isEmpty else { return settle(.success(held(versions, part)), part) }
      send(
        .get, part.collection, parameters: CollectionQuery.ids(unknown.map { $0.id }).parameters,
        for: .changes(part, versions))
    }
  }

  mutating func changesLoaded(
    _ reply: BackendReply, of part: QueriedPart, _ versions: [EntityVersion]
  ) {
    switch Self.entities(reply) {
    case .failure(let error): settle(.failure(error), part)
    case .success(let entities):
      let told = Dictionary(versions.map { ($0.id, $0.version) }) { first, _ in first }
      var loaded: Set<JSONString> = []
      for entity in entities {
        guard let id = entity[EntityField.id]?.textValue, let version = told[id] else { continue }
        loaded.insert(id)
        cache.hold(entity, version, key: EntityKey(part.collection, id))
      }
      let present = versions.filter { each in
        loaded.contains(each.id) || cache.holds(EntityKey(part.collection, each.id), each.version)
      }
      settle(.success(held(present, part)), part)
    }
  }

  private func held(_ versions: [EntityVersion], _ part: QueriedPart) -> [JSONObject] {
    versions.compactMap { cache.held(EntityKey(part.collection, $0.id)) }
  }

  private mutating func settle(
    _ answer: Result<[JSONObject], CollectionError>, _ part: QueriedPart
  ) {
    if let call = part.call {
      queried(answer, of: call)
    } else {
      refreshed(answer, part.query, in: part.collection)
    }
  }

  private static func versions(
    _ reply: BackendReply
  ) -> Result<[EntityVersion], CollectionError> {
    reply.result.flatMap { body in
      let versions = body.arrayValue?.compactMap { element -> EntityVersion? in
        guard let id = element.objectValue?[EntityField.id]?.textValue,
          let version = element.objectValue?[EntityField.version]?.textValue
        else { return nil }
        return EntityVersion(id: id, version: version)
      }
      guard let versions, versions.count == body.arrayValue?.count else {
        return .failure(CollectionError(.badAnswer, "the response contains no versions"))
      }
      return .success(versions)
    }
  }
}
