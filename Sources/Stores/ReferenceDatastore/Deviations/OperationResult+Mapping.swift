internal import Datastore
internal import JSON

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
