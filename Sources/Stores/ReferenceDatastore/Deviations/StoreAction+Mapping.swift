internal import Datastore
internal import JSON

extension StoreAction {
  /// This action with other ids, revision ids and bodies in its arguments; not with another
  /// beginning of a list, which may be any text.
  func mapping(
    documents id: (DocumentID) -> DocumentID = { $0 },
    revisions rev: (RevisionID) -> RevisionID = { $0 },
    bodies body: (JSONValue) -> JSONValue = { $0 }
  ) -> StoreAction {
    func queries(_ queries: [RevisionQuery]) -> [RevisionQuery] {
      queries.map {
        RevisionQuery(
          id: id($0.id), revs: $0.revs.map(rev), latest: $0.latest,
          attachmentsSince: $0.attachmentsSince?.map(rev))
      }
    }
    switch self {
    case .create(let document, let content):
      return .create(id: document.map(id), body: body(content))
    case .update(let document, let parent, let content):
      return .update(id: id(document), rev: rev(parent), body: body(content))
    case .delete(let document, let parent, let content):
      return .delete(id: id(document), rev: rev(parent), body: content.map(body))
    case .read(let document, let revision):
      return .read(id: id(document), rev: revision.map(rev))
    case .leaves(let document): return .leaves(id: id(document))
    case .revsDiff(let asked): return .revsDiff(queries(asked))
    case .getRevisions(let asked): return .getRevisions(queries(asked))
    case .insertRevisions(let records):
      return .insertRevisions(
        records.map { record in
          var record = record
          record.id = id(record.id)
          record.path = record.path.map(rev)
          record.body = body(record.body)
          return record
        })
    case .writeLocal(let local, let content):
      return .writeLocal(id: local, body: content.map(body))
    case .resolve(let document, let leaves, let keep, let content):
      return .resolve(
        id: id(document), leaves: leaves.map(rev), keep: rev(keep), body: content.map(body))
    case .purge(let document, let revs): return .purge(id: id(document), revs: revs.map(rev))
    case .attaching(let attachments, let write):
      return .attaching(attachments, to: write.mapping(documents: id, revisions: rev, bodies: body))
    case .readAttachment(let document, let revision, let name, let offset, let limit):
      return .readAttachment(
        id: id(document), rev: revision.map(rev), name: name, offset: offset, limit: limit)
    default: return self
    }
  }

  /// The ids of documents in the arguments.
  var documentArguments: [DocumentID] {
    var ids: [DocumentID] = []
    _ = mapping(documents: {
      ids.append($0)
      return $0
    })
    return ids
  }

  /// The revision ids in the arguments.
  var revisionArguments: [RevisionID] {
    var revisions: [RevisionID] = []
    _ = mapping(revisions: {
      revisions.append($0)
      return $0
    })
    return revisions
  }

  /// Whether a write of a client has attachments.
  var hasAttachments: Bool {
    if case .attaching(let attachments, _) = self { !attachments.isEmpty } else { false }
  }
}

extension JSONValue {
  /// This value with other numbers.
  func mappingDoubles(_ map: (Double) -> Double) -> JSONValue {
    switch self {
    case .double(let number): .double(map(number))
    case .array(let elements): .array(elements.map { $0.mappingDoubles(map) })
    case .object(let object):
      .object(JSONObject(object.members.map { ($0.name, $0.value.mappingDoubles(map)) }))
    default: self
    }
  }
}
