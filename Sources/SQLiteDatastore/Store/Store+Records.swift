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
      for name in query.revs where query.revs.count == 1 || seen.insert(name).inserted {
        if let existing, try isKnown(name, of: existing.document) { continue }
        missing.append(name)
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
    guard let asked = try content(named: name, of: id, document, ofLeafOnly: latest) else {
      return .missing
    }
    guard latest else { return try record(asked, of: id).map { .records([$0]) } ?? .bodyMissing }
    // What nothing descends from is its own latest.
    if asked.row.isLeaf { return .records([try leafRecord(asked, of: id)]) }
    var records: [RevisionRecord] = []
    for leaf in try leaves(descendingFrom: asked.row.revision) {
      records.append(try leafRecord(try content(leaf.revision, of: id), of: id))
    }
    // Every branch ends in a leaf.
    if records.isEmpty { throw corrupt("holds '\(id)' without a leaf above \(name.text)") }
    return .records(records)
  }

  private func leafRecord(
    _ leaf: StoredRevision, of id: DocumentID
  ) throws(DatastoreError) -> RevisionRecord {
    guard let record = try record(leaf, of: id) else {
      throw corrupt("lacks the body of '\(id)' at \(leaf.row.name.text)")
    }
    return record
  }

  /// A revision with its history as far as the limit goes; nil without a body.
  private func record(
    _ stored: StoredRevision, of id: DocumentID
  ) throws(DatastoreError) -> RevisionRecord? {
    guard let body = stored.body else { return nil }
    let revision = stored.row
    let limit = row.historyLimit ?? .max
    var path = [revision.name.id]
    var next = revision.parent
    while let parent = next, Int64(path.count) < limit {
      var rows = try rows(.parentOf, [.integer(parent)])
      // Comparing the generations ends the walk even in a damaged tree that bites its tail.
      guard try rows.next(), rows.integer(1) == revision.name.generation - Int64(path.count) else {
        throw corrupt("holds a history of '\(id)' at \(revision.name.text) that is none")
      }
      path.append(RevisionID(try rows.text(2)))
      next = rows.optionalInteger(0)
    }
    return RevisionRecord(id: id, path: path, deleted: revision.isDeleted, body: body)
  }

  // MARK: Taking in

  /// Merges the well-formed records, document by document in the order of their first records; each
  /// document is settled once, when all of its records are merged.
  func insert(
    _ records: [Result<RecordRequest, DatastoreError>], _ ids: [DocumentID]
  ) throws(DatastoreError) -> [DatastoreError?] {
    // The first record of each document, and for each record the next one of its document.
    var firsts: [Int] = []
    var following = [Int?](repeating: nil, count: ids.count)
    var latest: [DocumentID: Int] = [:]
    latest.reserveCapacity(ids.count)
    for (place, id) in ids.enumerated() {
      if let earlier = latest.updateValue(place, forKey: id) {
        following[earlier] = place
      } else {
        firsts.append(place)
      }
    }
    var results = [DatastoreError?](repeating: nil, count: records.count)
    for first in firsts {
      var target: ChangingDocument?
      var place: Int? = first
      while let current = place {
        switch records[current] {
        case .failure(let error): results[current] = error
        case .success(let record):
          // Moved out and back, so that its arrays are not copied.
          var changing: ChangingDocument
          if let known = target.take() {
            changing = known
          } else {
            changing = ChangingDocument(record.id, try document(record.id))
          }
          results[current] = try take(record, into: &changing)
          target = changing
        }
        place = following[current]
      }
      if let target { try settle(target) }
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
