internal import Datastore
internal import Digest
internal import JSON

extension Request {
  /// Checks the arguments of an action on an open store.
  ///
  /// The environment is asked for random bytes when a new document needs an id.
  init(
    _ action: Action, collation: CollationName, _ environment: inout Environment
  ) throws(DatastoreError) {
    let check = ArgumentCheck(collation: collation)
    switch action {
    case .create(let id, let body):
      try check.id(id)
      let body = try check.body(body)
      self = .create(id: id ?? Self.newID(&environment), body: body)
    case .update(let id, let rev, let body):
      try check.id(id)
      let rev = try check.rev(rev)
      self = .update(id: id, rev: rev, body: try check.body(body))
    case .delete(let id, let rev, let body):
      try check.id(id)
      let rev = try check.rev(rev)
      self = .delete(id: id, rev: rev, body: try check.optionalBody(body) ?? .empty)
    case .writeLocal(let id, let body):
      try check.id(id)
      self = .writeLocal(id: id, body: try check.optionalBody(body))
    case .resolve(let id, let leaves, let keep, let body):
      self = try check.resolve(id, leaves, keep, body)
    case .batch(let writes):
      self = .batch(try Self.batch(writes, collation: collation, &environment))
    case .setValidation(let refuse): self = .setValidation(try check.filter(refuse))
    default: self = try check.requestWithoutBody(action)
    }
  }

  private static func newID(_ environment: inout Environment) -> DocumentID {
    DocumentID(Text(environment.randomBytes(16).hexadecimal))
  }

  private static func batch(
    _ writes: [Action], collation: CollationName, _ environment: inout Environment
  ) throws(DatastoreError) -> [Request] {
    var requests: [Request] = []
    for (index, write) in writes.enumerated() {
      switch write {
      case .create, .update, .delete, .resolve, .writeLocal, .attaching: break
      default:
        throw DatastoreError(
          .badRequest(path: "writes[\(index)].op"), "'\(write.name)' is no write of a batch")
      }
      do throws(DatastoreError) {
        requests.append(try Request(write, collation: collation, &environment))
      } catch {
        throw error.at(write: index)
      }
    }
    return requests
  }
}

extension DatastoreError {
  /// The same error, as that of one write of a batch.
  func at(write index: Int) -> DatastoreError {
    DatastoreError(kind, message, write: Int64(index))
  }
}

/// The checks of arguments, which depend on the store in one point: how it folds names.
private struct ArgumentCheck {
  let collation: CollationName
  private let writer = BodyWriter()

  init(collation: CollationName) { self.collation = collation }

  func body(_ body: JSONValue) throws(DatastoreError) -> CheckedBody {
    try BodyRule.check(body, writer)
  }

  func optionalBody(_ body: JSONValue?) throws(DatastoreError) -> CheckedBody? {
    guard let body else { return nil }
    return try self.body(body)
  }

  func id(_ id: DocumentID?) throws(DatastoreError) {
    if let id { try DocumentIDRule.check(id) }
  }

  func rev(_ id: RevisionID) throws(DatastoreError) -> RevisionName {
    try RevisionName(id, collation: collation)
  }

  func revs(_ ids: [RevisionID]) throws(DatastoreError) -> [RevisionName] {
    var names: [RevisionName] = []
    names.reserveCapacity(ids.count)
    for id in ids { names.append(try rev(id)) }
    return names
  }

  func requestWithoutBody(_ action: Action) throws(DatastoreError) -> Request {
    switch action {
    case .info: return .info
    case .read(let id, let rev):
      try self.id(id)
      guard let rev else { return .read(id: id, rev: nil) }
      return .read(id: id, rev: try self.rev(rev))
    case .list(let from, let limit, let descending):
      try self.limit(limit)
      return .list(from: from, limit: limit, descending: descending)
    case .leaves(let id):
      try self.id(id)
      return .leaves(id: id)
    case .changes(let since, let limit):
      try self.limit(limit)
      return .changes(since: since, limit: limit)
    case .revsDiff(let queries): return .revsDiff(try self.queries(queries))
    case .getRevisions(let queries): return .getRevisions(try self.queries(queries))
    case .insertRevisions(let records):
      return .insertRevisions(records.map(record), ids: records.map { $0.id })
    case .readLocal(let id):
      try self.id(id)
      return .readLocal(id: id)
    case .purge(let id, let revs):
      try self.id(id)
      return .purge(id: id, revs: try self.revs(revs))
    case .historyLimit(let limit):
      guard limit >= 1 else {
        throw DatastoreError(.badRequest(path: "limit"), "a history limit is at least 1")
      }
      return .historyLimit(limit)
    case .compact: return .compact
    case .flush: return .flush
    case .attaching: throw DatastoreError(.unsupported(what: "attachments"))
    default: throw DatastoreError(.unsupported(what: action.name))
    }
  }

  private func limit(_ limit: Int64?) throws(DatastoreError) {
    if let limit, limit < 0 {
      throw DatastoreError(.badRequest(path: "limit"), "a limit is not negative")
    }
  }

  private func queries(
    _ queries: [RevisionQuery]
  ) throws(DatastoreError) -> [RevisionsRequest] {
    var requests: [RevisionsRequest] = []
    requests.reserveCapacity(queries.count)
    for query in queries {
      guard query.attachmentsSince == nil else {
        throw DatastoreError(.unsupported(what: "attachmentsSince"))
      }
      try id(query.id)
      requests.append(
        RevisionsRequest(id: query.id, revs: try revs(query.revs), latest: query.latest))
    }
    return requests
  }

  private func record(_ record: RevisionRecord) -> Result<RecordRequest, DatastoreError> {
    do throws(DatastoreError) {
      try id(record.id)
      let path = try revs(record.path)
      try self.path(path)
      guard record.attachments.isEmpty else {
        throw DatastoreError(.unsupported(what: "attachments"))
      }
      let body = try body(record.body)
      return .success(
        RecordRequest(id: record.id, path: path, deleted: record.deleted, body: body))
    } catch {
      return .failure(error)
    }
  }

  private func path(_ path: [RevisionName]) throws(DatastoreError) {
    guard let tip = path.first else { throw DatastoreError(.badRevision, "a path is not empty") }
    for (index, name) in path.enumerated() where name.generation != tip.generation - Int64(index) {
      throw DatastoreError(.badRevision, "'\(name.text)' is not one generation below its child")
    }
  }

  func resolve(
    _ id: DocumentID, _ leaves: [RevisionID], _ keep: RevisionID, _ body: JSONValue?
  ) throws(DatastoreError) -> Request {
    try self.id(id)
    let leaves = try revs(leaves)
    let keep = try rev(keep)
    guard leaves.contains(keep) else {
      throw DatastoreError(.badRequest(path: "keep"), "'\(keep.text)' is not among the leaves")
    }
    return .resolve(id: id, leaves: leaves, keep: keep, body: try optionalBody(body))
  }

  func filter(_ filter: Filter?) throws(DatastoreError) -> Text? {
    guard let filter else { return nil }
    let json = filter.json
    // What lies deeper is in no body that could match.
    guard let bytes = BodyCodec.encode(json) else {
      throw DatastoreError(.badRequest(path: "refuse"), "the filter's value is no storable JSON")
    }
    return Text(validating: bytes)
  }
}
