internal import Datastore
internal import JSON

// Replication: missing revisions, revisions with their histories, and their insertion.

extension Store {
  func difference(
    _ queries: [RevisionQuery], _ check: ArgumentCheck
  ) throws(DatastoreError) -> [Difference] {
    var differences: [Difference] = []
    differences.reserveCapacity(queries.count)
    for query in queries {
      let query = try check.query(query)
      let existing = try document(query.id)
      var missing: [RevisionID] = []
      var highest: Int64 = 0
      var seen: Set<RevisionName> = []
      for name in query.revs where query.revs.count == 1 || seen.insert(name).inserted {
        if let existing, try isKnown(name, of: query.id, existing) { continue }
        missing.append(name.id)
        highest = max(highest, name.generation)
      }
      if missing.isEmpty { continue }
      var ancestors: [RevisionID] = []
      if let existing {
        for leaf in try leaves(of: query.id, existing) where leaf.name.generation < highest {
          ancestors.append(leaf.name.id)
        }
      }
      differences.append(
        Difference(id: query.id, missing: missing, possibleAncestors: ancestors))
    }
    return differences
  }

  func revisions(
    _ queries: [RevisionQuery], _ check: ArgumentCheck
  ) throws(DatastoreError) -> [RevisionAnswer] {
    var answers: [RevisionAnswer] = []
    answers.reserveCapacity(queries.count)
    var reading = RevisionReading(queries)
    for query in queries {
      let query = try check.query(query)
      let existing = try document(query.id)
      for name in query.revs {
        let found = try existing.map { (existing) throws(DatastoreError) in
          try answer(to: name, of: query, existing, &reading)
        }
        answers.append(RevisionAnswer(id: query.id, rev: name.id, found: found ?? .missing))
      }
    }
    return answers
  }

  private func answer(
    to name: RevisionName, of query: RevisionsRequest, _ document: DocumentRow,
    _ reading: inout RevisionReading
  ) throws(DatastoreError) -> RevisionAnswer.Found {
    let (id, number) = (query.id, document.number)
    guard let asked = try content(name, of: id, document, ofLeafOnly: query.latest) else {
      return .missing
    }
    guard query.latest else {
      return try record(asked, of: query, number, reading: &reading).map { .records([$0]) }
        ?? .bodyMissing
    }
    // A leaf is its own latest revision.
    if asked.row.isLeaf {
      return .records([try leafRecord(name, asked, of: query, document: number, reading: &reading)])
    }
    var records: [RevisionRecord] = []
    for leaf in try leaves(descendingFrom: name, of: id, document) {
      let stored = try content(leaf.name, of: id, document)
      records.append(
        try leafRecord(leaf.name, stored, of: query, document: number, reading: &reading))
    }
    // Every branch ends in a leaf.
    if records.isEmpty { throw corrupt("contains '\(id)' without a leaf above \(name.text)") }
    return .records(records)
  }

  private func leafRecord(
    _ name: RevisionName, _ leaf: StoredRevision?, of query: RevisionsRequest, document: Int64,
    reading: inout RevisionReading
  ) throws(DatastoreError) -> RevisionRecord {
    guard let leaf, let record = try record(leaf, of: query, document, reading: &reading) else {
      throw corrupt("lacks the body of '\(query.id)' at \(name.text)")
    }
    return record
  }

  /// A revision with its history up to the limit; nil without a body.
  private func record(
    _ stored: StoredRevision, of query: RevisionsRequest, _ document: Int64,
    reading: inout RevisionReading
  ) throws(DatastoreError) -> RevisionRecord? {
    guard let body = stored.body else { return nil }
    let path = try path(of: stored.row, query.id, document, reading: &reading)
    try reading.count(path.bytes + stored.bodyBytes)
    let record = RevisionRecord(
      id: query.id, path: path.ids, deleted: stored.row.isDeleted, body: body,
      attachments: try attachments(of: stored.row, in: document, since: query.attachmentsSince) {
        (name) throws(DatastoreError) in
        try parent(of: name, in: document, of: query.id, &reading)
      })
    try reading.close(record)
    return record
  }

  /// The path of a revision up to the history limit.
  private func path(
    of revision: RevisionRow, _ id: DocumentID, _ document: Int64, reading: inout RevisionReading
  ) throws(DatastoreError) -> RevisionReading.Path {
    let limit = row.historyLimit ?? .max
    guard reading.caches(id) else { return try path(of: revision, in: document, limit: limit) }
    if let path = reading.path(of: revision.name, in: document) { return path }
    var path = RevisionReading.Path(revision.name)
    var next = revision.parent
    reading.cache(next, above: revision.name, in: document, of: id)
    while let name = next, Int64(path.ids.count) < limit {
      path.append(name)
      // The first generation has no parent.
      next = name.generation > 1 ? try parent(of: name, in: document, of: id, &reading) : nil
    }
    reading.keep(path, of: revision.name, in: document, id)
    return path
  }

  /// The path of a revision of a document whose paths are not cached.
  private func path(
    of revision: RevisionRow, in document: Int64, limit: Int64
  ) throws(DatastoreError) -> RevisionReading.Path {
    var path = RevisionReading.Path(revision.name)
    guard let parent = revision.parent, limit > 1 else { return path }
    var rows = AncestorRows(
      try prepare(.revisionsBelow).integer(document).integer(revision.name.generation).rows())
    var next: RevisionName? = parent
    while let name = next, Int64(path.ids.count) < limit {
      path.append(name)
      if name.generation == 1 { return path }
      switch try rows.find(name) {
      case .found(let parent): next = parent
      case .missing: throw corrupt("lacks the revision \(name.text)")
      case .far: next = try self.parent(of: name, in: document)
      }
    }
    return path
  }

  /// The parent of a revision, read once per call if other revisions may need it.
  func parent(
    of name: RevisionName, in document: Int64, of id: DocumentID, _ reading: inout RevisionReading
  ) throws(DatastoreError) -> RevisionName? {
    if let known = reading.parent(of: name, in: document) { return known }
    let parent = try parent(of: name, in: document)
    reading.cache(parent, above: name, in: document, of: id)
    return parent
  }

  // MARK: Insertion

  /// Merges the valid records, document by document in the order of their first records. Each
  /// document is settled once, after all of its records are merged.
  func insert(
    _ records: [RevisionRecord], _ check: ArgumentCheck
  ) throws(DatastoreError) -> [DatastoreError?] {
    if records.contains(where: { !$0.attachments.isEmpty }) {
      return try insertInOrder(records, check)
    }
    // The first record of each document, and for each record the next one of its document.
    var firsts: [Int] = []
    firsts.reserveCapacity(records.count)
    var following = [Int?](repeating: nil, count: records.count)
    var latest: [DocumentID: Int] = [:]
    latest.reserveCapacity(records.count)
    for place in records.indices {
      if let earlier = latest.updateValue(place, forKey: records[place].id) {
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
        switch check.record(records[current]) {
        case .failure(let error): results[current] = error
        case .success(let record):
          // Moved out and back, so that its arrays are not copied.
          var changing: ChangingDocument
          if let known = target.take() {
            changing = known
          } else {
            changing = self.changing(record.id, try document(record.id))
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

  /// The same, record by record: one of them may reference content that an earlier one added, to
  /// another document.
  private func insertInOrder(
    _ records: [RevisionRecord], _ check: ArgumentCheck
  ) throws(DatastoreError) -> [DatastoreError?] {
    var results = [DatastoreError?](repeating: nil, count: records.count)
    var targets: [DocumentID: ChangingDocument] = [:]
    // Each new document reserves one number of the feed in any order, so no number is used twice.
    var newCount: Int64 = 0
    for place in records.indices {
      switch check.record(records[place]) {
      case .failure(let error): results[place] = error
      case .success(let record):
        var target: ChangingDocument
        if let known = targets.removeValue(forKey: record.id) {
          target = known
        } else {
          target = changing(record.id, try document(record.id))
        }
        let wasUnknown = target.knownNumber == nil
        if wasUnknown { target.number = row.lastSequence + 1 + newCount }
        results[place] = try take(record, into: &target)
        if wasUnknown, target.knownNumber != nil { newCount += 1 }
        targets[record.id] = target
      }
    }
    for record in records {
      if let target = targets.removeValue(forKey: record.id) { try settle(target) }
    }
    return results
  }

  /// Merges one record, or returns the error of a rejected one.
  private func take(
    _ record: RecordRequest, into target: inout ChangingDocument
  ) throws(DatastoreError) -> DatastoreError? {
    var content = RevisionContent(deleted: record.deleted, body: record.body)
    let plan = try planMerge(of: record.path, into: target.knownNumber)
    if plan.storesBody {
      if let refusal = try refusal(of: record.id, content) { return refusal }
      do throws(DatastoreError) {
        content.attachments = try find(
          record.attachments, ofRecord: record.path, in: target.knownNumber)
      } catch {
        // Missing content is an error of the record; a disk failure is not.
        guard error.isOfAttachments else { throw error }
        return error
      }
      try keep(content.attachments)
    }
    try merge(plan, content, into: &target)
    return nil
  }
}
