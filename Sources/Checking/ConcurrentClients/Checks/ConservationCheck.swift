internal import Datastore

/// Checks that every acknowledged revision is there at the end, and that every revision was written.
struct ConservationCheck {
  private(set) var findings: [HistoryFinding] = []

  init(_ history: ClientHistory, _ reading: HistoryReading) {
    var removing: Set<DocumentID> = []
    var final: [DocumentID: Set<RevisionID>] = [:]
    var isLimited = false
    for operation in history.operations {
      switch operation.operation.action {
      case .purge(let id, _): removing.insert(id)
      case .historyLimit: isLimited = true
      default: break
      }
      // The last answer counts: at the end each document is read once with all paths.
      guard case .ok(.revisions(let answers)) = operation.outcome,
        operation.call > (history.lastConcurrentEnd ?? 0)
      else { continue }
      for case .records(let records) in answers.map(\.found) {
        for record in records { final[record.id, default: []].formUnion(record.path) }
      }
    }
    if !isLimited {
      for (place, operation) in history.operations.enumerated() {
        for (id, rev) in Self.acknowledged(operation.operation.action, operation.outcome?.result)
        where !removing.contains(id) {
          guard let present = final[id], !present.contains(rev), findings.count < 4 else {
            continue
          }
          findings.append(
            HistoryFinding(
              .conservation, of: [id],
              sentence: "\(rev) of \(id) was acknowledged and is missing at the end",
              operations: [place], until: history.operations.last?.deadline ?? .max))
        }
      }
    }
    for (id, rev, place) in reading.strangers.prefix(4) {
      findings.append(
        HistoryFinding(
          .conservation, of: [id], sentence: "\(rev) of \(id) was never written",
          operations: [place],
          until: history.operations[place].deadline))
    }
  }

  private static func acknowledged(
    _ action: StoreAction, _ result: OperationResult?
  ) -> [(DocumentID, RevisionID)] {
    switch (action.withoutAttachments, result) {
    case (_, .written(let id, let rev)): return [(id, rev)]
    case (.resolve(let id, _, _, _), .resolved(let rev, let tombstones)):
      return [(id, rev)] + tombstones.map { (id, $0) }
    case (.batch(let writes), .batch(let results)):
      return zip(writes, results).flatMap { acknowledged($0, $1) }
    case (.insertRevisions(let records), .inserted(let errors)):
      return zip(records, errors).compactMap { record, error in
        error == nil ? record.path.first.map { (record.id, $0) } : nil
      }
    default: return []
    }
  }
}

extension ClientHistory {
  /// The last response before the operations follow each other one by one; nil without operations.
  var lastConcurrentEnd: Int64? {
    var latest: Int64 = 0
    for operation in operations.reversed() {
      guard let end = operation.end else { return operation.call }
      // Requests and responses alternate at the end.
      guard end == operation.call + 1 else {
        latest = max(latest, end)
        return latest
      }
      latest = operation.call
    }
    return operations.isEmpty ? nil : 0
  }
}
