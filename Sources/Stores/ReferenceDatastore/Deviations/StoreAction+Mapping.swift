internal import Datastore
internal import JSON

extension StoreAction {
  /// This action with other revision ids in its arguments.
  func mappingRevisions(_ map: (RevisionID) -> RevisionID) -> StoreAction {
    func queries(_ queries: [RevisionQuery]) -> [RevisionQuery] {
      queries.map {
        RevisionQuery(
          id: $0.id, revs: $0.revs.map(map), latest: $0.latest,
          attachmentsSince: $0.attachmentsSince?.map(map))
      }
    }
    switch self {
    case .update(let id, let rev, let body): return .update(id: id, rev: map(rev), body: body)
    case .delete(let id, let rev, let body): return .delete(id: id, rev: map(rev), body: body)
    case .read(let id, let rev): return .read(id: id, rev: rev.map(map))
    case .revsDiff(let asked): return .revsDiff(queries(asked))
    case .getRevisions(let asked): return .getRevisions(queries(asked))
    case .insertRevisions(let records):
      return .insertRevisions(
        records.map { record in
          var record = record
          record.path = record.path.map(map)
          return record
        })
    case .resolve(let id, let leaves, let keep, let body):
      return .resolve(id: id, leaves: leaves.map(map), keep: map(keep), body: body)
    case .purge(let id, let revs): return .purge(id: id, revs: revs.map(map))
    case .attaching(let attachments, let write):
      return .attaching(attachments, to: write.mappingRevisions(map))
    case .readAttachment(let id, let rev, let name, let offset, let limit):
      return .readAttachment(
        id: id, rev: rev.map(map), name: name, offset: offset, limit: limit)
    default: return self
    }
  }

  /// This action with other bodies in its arguments.
  func mappingBodies(_ map: (JSONValue) -> JSONValue) -> StoreAction {
    switch self {
    case .create(let id, let body): return .create(id: id, body: map(body))
    case .update(let id, let rev, let body): return .update(id: id, rev: rev, body: map(body))
    case .delete(let id, let rev, let body): return .delete(id: id, rev: rev, body: body.map(map))
    case .insertRevisions(let records):
      return .insertRevisions(
        records.map { record in
          var record = record
          record.body = map(record.body)
          return record
        })
    case .writeLocal(let id, let body): return .writeLocal(id: id, body: body.map(map))
    case .resolve(let id, let leaves, let keep, let body):
      return .resolve(id: id, leaves: leaves, keep: keep, body: body.map(map))
    case .attaching(let attachments, let write):
      return .attaching(attachments, to: write.mappingBodies(map))
    default: return self
    }
  }

  /// The revision ids in the arguments.
  var revisionArguments: [RevisionID] {
    var revisions: [RevisionID] = []
    _ = mappingRevisions {
      revisions.append($0)
      return $0
    }
    return revisions
  }

  /// The write without its attachments.
  var withoutAttachments: StoreAction {
    if case .attaching(_, let write) = self { write } else { self }
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
