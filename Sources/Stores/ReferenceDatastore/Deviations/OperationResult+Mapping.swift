internal import Datastore
internal import JSON

extension StoreAction {
  /// This action with other ids of documents in its arguments; not the beginning of a list, which
  /// may be any text.
  func mappingDocuments(_ map: (DocumentID) -> DocumentID) -> StoreAction {
    func queries(_ queries: [RevisionQuery]) -> [RevisionQuery] {
      queries.map {
        RevisionQuery(
          id: map($0.id), revs: $0.revs, latest: $0.latest, attachmentsSince: $0.attachmentsSince)
      }
    }
    switch self {
    case .create(let id, let body): return .create(id: id.map(map), body: body)
    case .update(let id, let rev, let body): return .update(id: map(id), rev: rev, body: body)
    case .delete(let id, let rev, let body): return .delete(id: map(id), rev: rev, body: body)
    case .read(let id, let rev): return .read(id: map(id), rev: rev)
    case .leaves(let id): return .leaves(id: map(id))
    case .revsDiff(let asked): return .revsDiff(queries(asked))
    case .getRevisions(let asked): return .getRevisions(queries(asked))
    case .insertRevisions(let records):
      return .insertRevisions(
        records.map { record in
          var record = record
          record.id = map(record.id)
          return record
        })
    case .resolve(let id, let leaves, let keep, let body):
      return .resolve(id: map(id), leaves: leaves, keep: keep, body: body)
    case .purge(let id, let revs): return .purge(id: map(id), revs: revs)
    case .attaching(let attachments, let write):
      return .attaching(attachments, to: write.mappingDocuments(map))
    case .readAttachment(let id, let rev, let name, let offset, let limit):
      return .readAttachment(id: map(id), rev: rev, name: name, offset: offset, limit: limit)
    default: return self
    }
  }

  /// The ids of documents in the arguments.
  var documentArguments: [DocumentID] {
    var ids: [DocumentID] = []
    _ = mappingDocuments {
      ids.append($0)
      return $0
    }
    return ids
  }
}

extension OperationResult {
  /// This result of an operation on named documents with other ids of documents.
  func mappingDocuments(_ map: (DocumentID) -> DocumentID) -> OperationResult {
    switch self {
    case .written(let id, let rev): return .written(id: map(id), rev: rev)
    case .document(var document):
      document.id = map(document.id)
      return .document(document)
    case .revsDiff(let differences):
      return .revsDiff(
        differences.map {
          Difference(
            id: map($0.id), missing: $0.missing, possibleAncestors: $0.possibleAncestors)
        })
    case .revisions(let answers):
      return .revisions(
        answers.map { answer in
          let mapped = answer.mappingRecords { record in
            var record = record
            record.id = map(record.id)
            return record
          }
          return RevisionAnswer(id: map(answer.id), rev: answer.rev, found: mapped.found)
        })
    default: return self
    }
  }
}
