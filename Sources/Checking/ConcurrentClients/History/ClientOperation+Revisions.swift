internal import Datastore

/// A revision of a document.
struct RevisionName: Hashable {
  var id: DocumentID
  var rev: RevisionID
}

extension ClientOperation {
  /// The new revisions that the response acknowledges. A record of `insertRevisions` may have been
  /// known before.
  var acknowledged: [RevisionName] { Self.acknowledged(operation.action, outcome?.result) }

  private static func acknowledged(
    _ action: StoreAction, _ result: OperationResult?
  ) -> [RevisionName] {
    switch (action.withoutAttachments, result) {
    case (_, .written(let id, let rev)): return [RevisionName(id: id, rev: rev)]
    case (.resolve(let id, _, _, let body), .resolved(let rev, let tombstones)):
      return ((body == nil ? [] : [rev]) + tombstones).map { RevisionName(id: id, rev: $0) }
    case (.batch(let writes), .batch(let results)):
      return zip(writes, results).flatMap { acknowledged($0, $1) }
    case (.insertRevisions(let records), .inserted(let errors)):
      return zip(records, errors).filter { $0.1 == nil }.compactMap { name(of: $0.0) }
    default: return []
    }
  }

  /// The revisions that the operation wrote or may have written, as far as their names are known.
  var written: [RevisionName] {
    guard case .insertRevisions(let records) = operation.action else { return acknowledged }
    return isUnanswered ? records.compactMap(Self.name) : acknowledged
  }

  private static func name(of record: RevisionRecord) -> RevisionName? {
    record.path.first.map { RevisionName(id: record.id, rev: $0) }
  }
}
