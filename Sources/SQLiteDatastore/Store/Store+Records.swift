internal import Datastore
internal import JSON

// What replication asks for: which revisions are missing, revisions with their history, and taking
// them in.

extension Store {
  func difference(_ queries: [RevisionsRequest]) throws(DatastoreError) -> [Difference] {
    var differences: [Difference] = []
    for query in queries {
      let existing = try document(query.id)
      var missing: [RevisionName] = []
      var seen: Set<RevisionName> = []
      for name in query.revs where seen.insert(name).inserted {
        let isKnown = try existing.map { (existing) throws(DatastoreError) in
          try revision(named: name, of: existing.document) != nil
        }
        if isKnown != true { missing.append(name) }
      }
      guard let highest = missing.map({ $0.generation }).max() else { continue }
      var ancestors: [RevisionID] = []
      if let existing {
        for leaf in try leaves(
          of: query.id, existing.document, winner: existing.winner)
        where leaf.name.generation < highest {
          ancestors.append(leaf.name.id)
        }
      }
      differences.append(
        Difference(id: query.id, missing: missing.map { $0.id }, possibleAncestors: ancestors))
    }
    return differences
  }

  func revisions(_ queries: [RevisionsRequest]) throws(DatastoreError) -> [RevisionAnswer] {
    var answers: [RevisionAnswer] = []
    for query in queries {
      let existing = try document(query.id)
      for name in query.revs {
        let found = try existing.map { (existing) throws(DatastoreError) in
          try answer(to: name, of: query.id, existing.document, latest: query.latest)
        }
        answers.append(RevisionAnswer(id: query.id, rev: name.id, found: found ?? .missing))
      }
    }
    return answers
  }

  private func answer(
    to name: RevisionName, of id: DocumentID, _ document: Int64, latest: Bool
  ) throws(DatastoreError) -> RevisionAnswer.Found {
    guard let asked = try revision(named: name, of: document) else { return .missing }
    guard latest else {
      return try record(asked, of: id).map { .records([$0]) } ?? .bodyMissing
    }
    var records: [RevisionRecord] = []
    for leaf in try leaves(descendingFrom: asked.revision) {
      let leafRow = leaf.revision == asked.revision ? asked : try revision(leaf.revision, of: id)
      guard let record = try record(leafRow, of: id) else {
        throw corrupt("lacks the body of '\(id)' at \(leaf.name.text)")
      }
      records.append(record)
    }
    // Every branch ends in a leaf.
    if records.isEmpty { throw corrupt("holds '\(id)' without a leaf above \(name.text)") }
    return .records(records)
  }

  /// A revision with its history as far as the limit goes; nil without a body.
  private func record(
    _ revision: RevisionRow, of id: DocumentID
  ) throws(DatastoreError) -> RevisionRecord? {
    guard let body = try body(revision, of: id) else { return nil }
    let limit = row.historyLimit
    var rows = try rows(.ancestors, [.integer(revision.revision), .integer(limit ?? -1)])
    var path: [RevisionID] = []
    var isWhole = false
    while try rows.next() {
      path.append(RevisionID(try rows.text(0)))
      isWhole = rows.isNull(1)
    }
    // The walk ends at a root, at the limit, or where a parent cannot be one.
    guard isWhole || limit == Int64(path.count) else {
      throw corrupt("holds a history of '\(id)' at \(revision.name.text) that is none")
    }
    return RevisionRecord(id: id, path: path, deleted: revision.isDeleted, body: body)
  }

  // MARK: Taking in

  /// Merges the well-formed records in order; each document is settled once, at the end, in the
  /// order of the documents' first records.
  func insert(
    _ records: [Result<RecordRequest, DatastoreError>], _ ids: [DocumentID]
  ) throws(DatastoreError) -> [DatastoreError?] {
    var targets: [DocumentID: ChangingDocument] = [:]
    var results: [DatastoreError?] = []
    results.reserveCapacity(records.count)
    for record in records {
      switch record {
      case .failure(let error): results.append(error)
      case .success(let record):
        var target: ChangingDocument
        if let known = targets.removeValue(forKey: record.id) {
          target = known
        } else {
          target = ChangingDocument(record.id, try document(record.id))
        }
        results.append(try take(record, into: &target))
        targets[record.id] = target
      }
    }
    for id in ids {
      if let target = targets.removeValue(forKey: id) { try settle(target) }
    }
    return results
  }

  /// Merges one record, or answers why it is refused.
  private func take(
    _ record: RecordRequest, into target: inout ChangingDocument
  ) throws(DatastoreError) -> DatastoreError? {
    let content = RevisionContent(deleted: record.deleted, body: record.body)
    let plan = try planMerge(of: record.path, into: target.document)
    if plan.storesBody, let refusal = try refusal(of: record.id, content) { return refusal }
    try merge(plan, content, into: &target)
    return nil
  }
}
