internal import Datastore
internal import Digest
internal import JSON

extension Request {
  /// Validates the arguments of an action on an open store.
  ///
  /// Random bytes are drawn from the environment if a new document needs an id.
  init(
    _ action: StoreAction, collation: CollationName, _ rule: AttachmentRule,
    environment: RunEnvironment
  ) throws(DatastoreError) {
    let check = ArgumentCheck(collation: collation, attachments: rule)
    // Without new attachments, a resolution keeps the existing ones.
    var (action, attachments): (StoreAction, [RevisionAttachment]?) = (action, nil)
    if case .attaching(let given, let write) = action { (action, attachments) = (write, given) }
    switch action {
    case .create(let id, let body):
      try check.id(id)
      let body = try check.body(body)
      let attachments = try check.attachments.check(attachments ?? [])
      self = .create(id: id ?? Self.newID(environment), body: body, attachments)
    case .update(let id, let rev, let body):
      try check.id(id)
      let rev = try check.rev(rev)
      let body = try check.body(body)
      self = .update(id: id, rev: rev, body: body, try check.attachments.check(attachments ?? []))
    case .resolve(let id, let leaves, let keep, let body):
      self = try check.resolve(id, leaves, keep: keep, body: body, attachments: attachments)
    case _ where attachments != nil:
      throw DatastoreError(
        .badRequest(path: "attachments"), "'\(action.name)' does not accept attachments")
    case .delete(let id, let rev, let body):
      try check.id(id)
      let rev = try check.rev(rev)
      self = .delete(id: id, rev: rev, body: try check.optionalBody(body) ?? .empty)
    case .writeLocal(let id, let body):
      try DocumentIDRule.check(id, isLocal: true)
      self = .writeLocal(id: id, body: try check.optionalBody(body))
    case .batch(let writes):
      self = try Self.batch(writes, collation: collation, rule, environment: environment)
    case .setValidation(let refuse): self = .setValidation(try check.filter(refuse))
    default: self = try check.requestWithoutBody(action)
    }
  }

  private static func newID(_ environment: RunEnvironment) -> DocumentID {
    DocumentID(JSONString(environment.randomBytes(16).hexadecimal))
  }

  private static func batch(
    _ writes: [StoreAction], collation: CollationName, _ rule: AttachmentRule,
    environment: RunEnvironment
  ) throws(DatastoreError) -> Request {
    for (index, write) in writes.enumerated() {
      switch write {
      case .create, .update, .delete, .resolve, .writeLocal, .attaching: break
      default:
        throw DatastoreError(
          .badRequest(path: "writes[\(index)].op"), "'\(write.name)' is not permitted in a batch")
      }
    }
    var requests: [Request] = []
    for (index, write) in writes.enumerated() {
      do throws(DatastoreError) {
        requests.append(try Request(write, collation: collation, rule, environment: environment))
      } catch {
        // An earlier write may fail as well, and the first failed write must be reported.
        return .batch(requests, error.at(write: index))
      }
    }
    return .batch(requests, nil)
  }
}

extension DatastoreError {
  /// The same error, as that of one write of a batch.
  func at(write index: Int) -> DatastoreError {
    DatastoreError(kind, message, write: Int64(index))
  }
}
