public import Datastore
public import JSON

/// The backend: collections of entities, stored as documents of any datastore.
///
/// The document of an entity is named `Recipe/4f3a…` and contains `{"collection": "Recipe",
/// "entity": {"_id": "4f3a…", …}}`. A save replaces the complete entity. Clients do not see
/// revisions: the last save wins. Ids are drawn from the environment.
public final class CollectionBackend {
  /// The datastore with the capability `find` that stores the documents.
  public let datastore: any ImplementationUnderTest
  /// The name of the store with the documents.
  public let store: StoreName
  /// The validation rules of the entities of each collection.
  public var rules: [JSONString: [FieldRule]] = [:]

  /// A backend on an open store of a datastore with the capability `find`.
  public init(_ datastore: any ImplementationUnderTest, store: StoreName) {
    self.datastore = datastore
    self.store = store
  }

  /// The response to a request; nil if its outcome is unknown.
  public func answer(
    _ request: BackendRequest, _ environment: RunEnvironment
  ) throws(HarnessError) -> BackendResponse? {
    do throws(Interruption) {
      return try respond(to: request, environment)
    } catch {
      switch error {
      case .refused(let error): return error.response
      case .unknown: return nil
      case .harness(let error): throw error
      }
    }
  }

  /// The reason for an early end of a request.
  enum Interruption: Error {
    case refused(BackendError)
    /// The outcome of the datastore is unknown.
    case unknown
    case harness(HarnessError)
  }

  private func respond(
    to request: BackendRequest, _ environment: RunEnvironment
  ) throws(Interruption) -> BackendResponse {
    let name = request.collection
    guard CollectionDescription.isName(name) else {
      throw .refused(
        BackendError(400, "BadRequest", message: "'\(name)' is not a valid name of a collection"))
    }
    switch (request.method, request.path) {
    case (.post, nil):
      let entity = try entity(request.body)
      let id = entity[EntityField.id]?.textValue ?? .newEntityID(environment)
      return BackendResponse(
        201, try put(entity, EntityKey(name, id), isNew: true, environment: environment))
    case (.post, BackendRequest.group?):
      return BackendResponse(200, try groups(request.body, in: name, environment))
    case (.put, let id?):
      let entity = try entity(request.body)
      return BackendResponse(
        200, try put(entity, EntityKey(name, id), isNew: false, environment: environment))
    case (.get, BackendRequest.count?):
      let found = try find(try query(request), in: name, environment)
      return BackendResponse(200, ["count": .integer(Int64(found.count))])
    case (.get, BackendRequest.versions?):
      let found = try find(try query(request), in: name, environment)
      var versions: [JSONValue] = []
      for document in found {
        let entity = try Self.entity(of: document.body)
        versions.append([
          EntityField.id: entity[EntityField.id] ?? .null,
          EntityField.version: .string(document.rev.text),
        ])
      }
      return BackendResponse(200, .array(versions))
    case (.get, let id?):
      guard let found = try document(EntityKey(name, id), environment) else {
        throw .refused(.notFound)
      }
      return BackendResponse(200, .object(try Self.entity(of: found.body)))
    case (.get, nil):
      let found = try find(try query(request), in: name, environment)
      var entities: [JSONValue] = []
      for document in found { entities.append(.object(try Self.entity(of: document.body))) }
      return BackendResponse(200, .array(entities))
    case (.delete, let id?):
      guard let found = try document(EntityKey(name, id), environment) else {
        throw .refused(.notFound)
      }
      try delete(found.id, found.rev, environment: environment)
      return BackendResponse(200, ["count": 1])
    case (.delete, nil):
      guard request.parameters["query"] != nil else {
        throw .refused(
          BackendError(400, "BadRequest", message: "a removal requires an id or a query"))
      }
      let found = try find(try query(request), in: name, environment)
      for document in found { try delete(document.id, document.rev, environment: environment) }
      return BackendResponse(200, ["count": .integer(Int64(found.count))])
    default:
      throw .refused(BackendError(404, "ResourceNotFound", message: "no resource at \(request)"))
    }
  }

  // MARK: Reading requests

  private func entity(_ body: JSONValue?) throws(Interruption) -> JSONObject {
    guard let entity = body?.objectValue, entity.members.allSatisfy({ Self.isField($0) }) else {
      throw .refused(
        BackendError(400, "JSONParseError", message: "expected an object as entity"))
    }
    return entity
  }

  private static func isField(_ member: JSONObject.Member) -> Bool {
    guard !member.name.isEmpty, member.name.utf8.first != UInt8(ascii: "$") else { return false }
    return member.name != EntityField.id || member.value.textValue != nil
  }

  private func query(_ request: BackendRequest) throws(Interruption) -> CollectionQuery {
    do throws(QueryError) {
      return try CollectionQuery(parameters: request.parameters)
    } catch {
      throw .refused(.badQuery(error))
    }
  }

  // MARK: Documents

  func find(
    _ query: CollectionQuery, in collection: JSONString, _ environment: RunEnvironment
  ) throws(Interruption) -> [FoundDocument] {
    let selector: FindSelector
    do throws(QueryError) {
      selector = .all([
        .field(FieldPath(names: [Member.collection]), [.equals(.value(.string(collection)))]),
        try query.filter.selector(below: FieldPath(names: [Member.entity])),
      ])
    } catch {
      throw .refused(.badQuery(error))
    }
    var sort: [SortKey] = []
    for key in query.sort {
      guard let path = FieldPath(key.path) else { continue }
      let place = FieldPath(names: [Member.entity]).appending(path)
      sort.append(SortKey(place.text, descending: key.descending))
    }
    let request = FindRequest(
      selector.json, sort: sort, skip: query.skip, limit: query.limit)
    guard case .found(.documents(let found)) = try perform(.finding(.find(request)), environment)
    else { return [] }
    return found
  }

  /// The document of an entity; nil if it does not exist.
  private func document(
    _ key: EntityKey, _ environment: RunEnvironment
  ) throws(Interruption) -> DocumentRevision? {
    guard !key.id.isEmpty, key.id.utf8.first != UInt8(ascii: "_") else {
      throw .refused(
        BackendError(400, "BadRequest", message: "'\(key.id)' is not a valid id of an entity"))
    }
    switch try attempt(.read(id: Self.documentID(key)), environment) {
    case .success(.document(let document)): return document.deleted ? nil : document
    case .failure(let error):
      if case .notFound = error.kind { return nil }
      throw .refused(BackendError(error))
    default: return nil
    }
  }

  /// Stores an entity, replacing any previous version; returns it as stored.
  private func put(
    _ entity: JSONObject, _ key: EntityKey, isNew: Bool, environment: RunEnvironment
  ) throws(Interruption) -> JSONValue {
    var entity = entity
    entity[EntityField.id] = .string(key.id)
    for rule in rules[key.collection] ?? [] {
      let failure: JSONString?
      do throws(DatastoreError) { failure = try rule.failure(of: entity) } catch {
        throw .refused(BackendError(error))
      }
      guard let failure else { continue }
      throw .refused(
        BackendError(
          400, "ValidationError", message: "'\(rule.field)' violates the rule '\(failure)'",
          rule: (rule.field, failure)))
    }
    let body: JSONValue = .object([
      Member.collection: .string(key.collection), Member.entity: .object(entity),
    ])
    let id = Self.documentID(key)
    if let present = try document(key, environment) {
      guard !isNew else {
        throw .refused(BackendError(409, "EntityAlreadyExists", message: "'\(key.id)' exists"))
      }
      _ = try perform(.update(id: id, rev: present.rev, body: body), environment)
    } else {
      _ = try perform(.create(id: id, body: body), environment)
    }
    return .object(Self.arranged(entity))
  }

  private func delete(
    _ id: DocumentID, _ rev: RevisionID, environment: RunEnvironment
  ) throws(Interruption) {
    _ = try perform(.delete(id: id, rev: rev), environment)
  }

  private func perform(
    _ action: StoreAction, _ environment: RunEnvironment
  ) throws(Interruption) -> OperationResult {
    switch try attempt(action, environment) {
    case .success(let result): return result
    case .failure(let error): throw .refused(BackendError(error))
    }
  }

  private func attempt(
    _ action: StoreAction, _ environment: RunEnvironment
  ) throws(Interruption) -> Result<OperationResult, DatastoreError> {
    let outcome: Outcome
    do throws(HarnessError) {
      outcome = try datastore.perform(StoreOperation(store, action), environment)
    } catch {
      throw .harness(error)
    }
    switch outcome {
    case .ok(let result): return .success(result)
    case .error(let error): return .failure(error)
    case .unknown: throw .unknown
    }
  }

  // MARK: Entities and documents

  /// The members of a document.
  enum Member {
    static let collection: JSONString = "collection"
    static let entity: JSONString = "entity"
  }

  /// The id of the document of an entity; names of collections contain no slash.
  public static func documentID(_ key: EntityKey) -> DocumentID {
    DocumentID(JSONString("\(key.collection)/\(key.id)"))
  }

  /// The entity of a document, with its id first and then the fields in byte order.
  static func entity(of body: JSONValue) throws(Interruption) -> JSONObject {
    guard let entity = body.objectValue?[Member.entity]?.objectValue else {
      throw .refused(
        BackendError(500, "InternalServerError", message: "a document is not an entity"))
    }
    return arranged(entity)
  }

  private static func arranged(_ entity: JSONObject) -> JSONObject {
    var arranged = JSONObject()
    arranged[EntityField.id] = entity[EntityField.id]
    for name in entity.members.map({ $0.name }).inByteOrder where name != EntityField.id {
      arranged[name] = entity[name]
    }
    return arranged
  }
}
