internal import Datastore
internal import JSON

/// The validation of arguments. It depends on the store in two points: the case folding of names,
/// and the maximum length of content.
struct ArgumentCheck {
  let collation: CollationName
  let attachments: AttachmentRule
  private let writer = BodyWriter()

  init(collation: CollationName, attachments: AttachmentRule) {
    self.collation = collation
    self.attachments = attachments
  }

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

  func requestWithoutBody(_ action: StoreAction) throws(DatastoreError) -> Request {
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
    case .revsDiff(let queries): return .revsDiff(queries, self)
    case .getRevisions(let queries): return .getRevisions(queries, self)
    case .insertRevisions(let records): return .insertRevisions(records, self)
    case .readLocal(let id):
      try DocumentIDRule.check(id, isLocal: true)
      return .readLocal(id: id)
    case .purge(let id, let revs):
      try self.id(id)
      return .purge(id: id, revs: try self.revs(revs))
    case .historyLimit(let limit):
      guard limit >= 1 else {
        throw DatastoreError(.badRequest(path: "limit"), "the history limit must be at least 1")
      }
      return .historyLimit(limit)
    case .compact: return .compact
    case .flush: return .flush
    case .readAttachment(let id, let rev, name: let name, offset: let offset, limit: let limit):
      return try readAttachment(id, rev, name: name, offset: offset, limit: limit)
    case .putBlob(let digest, let offset, let bytes):
      guard offset >= 0 else {
        throw DatastoreError(.badRequest(path: "offset"), "the offset must not be negative")
      }
      return .putBlob(
        try AttachmentRule.digest(digest), offset: offset, bytes: try attachments.bytes(bytes))
    case .finding(let action): return .finding(try FindingRequest(action))
    default: throw DatastoreError(.unsupported(what: action.name))
    }
  }

  private func limit(_ limit: Int64?) throws(DatastoreError) {
    if let limit, limit < 0 {
      throw DatastoreError(.badRequest(path: "limit"), "the limit must not be negative")
    }
  }

  /// A query for revisions whose names are all valid.
  func query(_ query: RevisionQuery) throws(DatastoreError) -> RevisionsRequest {
    try id(query.id)
    let revs = try revs(query.revs)
    let since = try query.attachmentsSince.map { (held) throws(DatastoreError) in
      try self.revs(held)
    }
    return RevisionsRequest(
      id: query.id, revs: revs, latest: query.latest, attachmentsSince: since)
  }

  /// A validated record, or its error.
  func record(_ record: RevisionRecord) -> Result<RecordRequest, DatastoreError> {
    do throws(DatastoreError) {
      try id(record.id)
      let path = try revs(record.path)
      try self.path(path)
      let body = try body(record.body)
      // Tombstones have no attachments here, unlike in other products.
      let attachments = try self.attachments.ofRecords.check(
        record.deleted ? [] : record.attachments)
      return .success(
        RecordRequest(
          id: record.id, path: path, deleted: record.deleted, body: body, attachments: attachments))
    } catch {
      return .failure(error)
    }
  }

  private func path(_ path: [RevisionName]) throws(DatastoreError) {
    guard let tip = path.first else { throw DatastoreError(.badRevision, "the path is empty") }
    for (index, name) in path.enumerated() where name.generation != tip.generation - Int64(index) {
      throw DatastoreError(
        .badRevision, "the generation of '\(name.text)' is not one below that of its child")
    }
  }

  func resolve(
    _ id: DocumentID, _ leaves: [RevisionID], keep: RevisionID, body: JSONValue?,
    attachments: [RevisionAttachment]?
  ) throws(DatastoreError) -> Request {
    try self.id(id)
    let leaves = try revs(leaves)
    let keep = try rev(keep)
    guard leaves.contains(keep) else {
      throw DatastoreError(.badRequest(path: "keep"), "'\(keep.text)' is not among the leaves")
    }
    let body = try optionalBody(body)
    guard let attachments else {
      return .resolve(id: id, leaves: leaves, keep: keep, body: body, nil)
    }
    guard body != nil else {
      throw DatastoreError(
        .badRequest(path: "attachments"), "attachments need a body")
    }
    return .resolve(
      id: id, leaves: leaves, keep: keep, body: body, try self.attachments.check(attachments))
  }

  private func readAttachment(
    _ id: DocumentID, _ rev: RevisionID?, name: JSONString, offset: Int64?, limit: Int64?
  ) throws(DatastoreError) -> Request {
    try self.id(id)
    if let offset, offset < 0 {
      throw DatastoreError(.badRequest(path: "offset"), "the offset must not be negative")
    }
    try self.limit(limit)
    let rev = try rev.map { (rev) throws(DatastoreError) in try self.rev(rev) }
    return .readAttachment(id: id, rev: rev, name: name, offset: offset ?? 0, limit: limit)
  }

  func filter(_ filter: Filter?) throws(DatastoreError) -> JSONString? {
    guard let filter else { return nil }
    let json = filter.json
    // Deeper values cannot match any body.
    guard let bytes = BodyCodec.encode(json) else {
      throw DatastoreError(
        .badRequest(path: "refuse"), "the value of the filter cannot be stored as JSON")
    }
    return JSONString(validating: bytes)
  }
}
