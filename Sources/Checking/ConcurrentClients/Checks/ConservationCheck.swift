internal import Datastore

/// Checks that every acknowledged revision is there at the end, and that every revision was written.
struct ConservationCheck {
  private(set) var findings: [HistoryFinding] = []

  init(_ history: ClientHistory, _ reading: HistoryReading) {
    var removing: Set<DocumentID> = []
    var final: [DocumentID: Set<RevisionID>] = [:]
    var isLimited = false
    let end = history.lastConcurrentEnd ?? 0
    for operation in history.operations {
      switch operation.operation.action {
      case .purge(let id, _): removing.insert(id)
      case .historyLimit: isLimited = true
      default: break
      }
      // The last answer counts: at the end each document is read once with all paths.
      guard case .ok(.revisions(let answers)) = operation.outcome,
        operation.call > end
      else { continue }
      for case .records(let records) in answers.map(\.found) {
        for record in records { final[record.id, default: []].formUnion(record.path) }
      }
    }
    if !isLimited {
      for (place, operation) in history.operations.enumerated() {
        for name in operation.acknowledged where !removing.contains(name.id) {
          let (id, rev) = (name.id, name.rev)
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
