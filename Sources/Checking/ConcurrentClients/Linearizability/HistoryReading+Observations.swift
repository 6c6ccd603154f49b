internal import Datastore
internal import JSON

// Reads, as observations of documents.

extension HistoryReading {
  mutating func observe(_ result: OperationResult, of action: StoreAction, at place: Int) {
    switch (action, result) {
    case (.read(let id, let rev), .document(let found)): observe(found, of: id, rev: rev, at: place)
    case (.leaves(let id), .leaves(let found)):
      guard promises.contains(.reads) else { return }
      let document = document(id)
      add(found.isEmpty ? .impossible : leaves(Leaves(found), of: id), of: document, at: place)
    case (.list(let from, let limit, let descending), .list(let rows)):
      guard promises.contains(.reads) else { return }
      observe(rows, in: ListRange(from: from, limit: limit, descending: descending), at: place)
    case (.getRevisions(let queries), .revisions(let answers)):
      guard promises.contains(.reads) else { return }
      for answer in answers { observe(answer, to: queries, at: place) }
    case (.revsDiff(let queries), .revsDiff(let differences)):
      guard promises.contains(.reads) else { return }
      observe(differences, for: queries, at: place)
    case (.readLocal(let id), .local(let body)):
      guard promises.contains(.reads) else { return }
      add(.readLocal(local(id), value(body)), of: local(id), at: place)
    case (.readAttachment(let id, let rev, let name, _, _), .attachment(let piece)):
      observe(piece, named: name, of: id, rev: rev, at: place)
    case (.finding(.find(let request)), .found(.documents(let found))):
      observe(found, for: request, at: place)
    default: break
    }
  }

  mutating func observeError(_ kind: DatastoreError.Kind, of action: StoreAction, at place: Int) {
    guard promises.contains(.reads) else { return }
    switch (action, kind) {
    case (.read(let id, nil), .notFound(.missing)), (.leaves(let id), .notFound(.missing)),
      (.readAttachment(let id, nil, _, _, _), .notFound(.missing)):
      let document = document(id)
      if case .readAttachment(_, _, let name, _, _) = action {
        // The document is unknown, or its winner has no such attachment.
        add(.winnerNotAmong(document, holders(of: name, in: document)), of: document, at: place)
      } else {
        add(.unknownDocument(document), of: document, at: place)
      }
    case (.read(let id, nil), .notFound(.deleted)),
      (.readAttachment(let id, nil, _, _, _), .notFound(.deleted)):
      let document = document(id)
      add(.deletedDocument(document), of: document, at: place)
    case (.read(let id, nil), .notFound(.bodyMissing)):
      // The winner is a leaf, and the body of a leaf is stored.
      let document = document(id)
      add(.impossible, of: document, at: place)
    case (.read(let id, let rev?), .notFound(let absence)):
      let document = document(id)
      let number = names.number(rev, document)
      add(absence == .bodyMissing ? .noBody(number) : .noRevision(number), of: document, at: place)
    case (.readLocal(let id), .notFound):
      add(.readLocal(local(id), DocumentForest.none), of: local(id), at: place)
    default: break
    }
  }

  private mutating func observe(
    _ found: DocumentRevision, of id: DocumentID, rev: RevisionID?, at place: Int
  ) {
    let document = document(id)
    let number = names.number(found.rev, document)
    let isRight =
      found.id == id && (rev == nil || rev == found.rev)
      && names.contents[Int(number)] == names.content(found.body)
    if !isRight {
      add(.impossible, of: document, at: place)
    } else if promises.contains(.reads) {
      add(
        rev == nil ? .winner(document, number) : .revision(number, isDeleted: found.deleted),
        of: document, at: place)
    }
  }

  // MARK: Lists

  /// The part of the ids that a list covers.
  private struct ListRange {
    var from: DocumentID?
    var limit: Int64?
    var descending: Bool

    func contains(_ id: DocumentID, _ rows: [ListRow]) -> Bool {
      if let from, from != id, precedes(from, id) == descending { return false }
      guard let limit, Int64(rows.count) >= limit, let last = rows.last else { return true }
      return precedes(id, last.id) != descending
    }

    private func precedes(_ left: DocumentID, _ right: DocumentID) -> Bool {
      left.text.string.utf8.lexicographicallyPrecedes(right.text.string.utf8)
    }
  }

  private mutating func observe(_ rows: [ListRow], in range: ListRange, at place: Int) {
    let events = observations(rows, range)
    for event in events {
      switch event {
      case .winner(let document, _), .notLive(let document): add(event, of: document, at: place)
      default: break
      }
    }
    if promises.contains(.lists) { addWhole(place, events) }
  }

  /// The rows, and the documents that are missing, as one observation.
  private mutating func observations(_ rows: [ListRow], _ range: ListRange) -> [DocumentEvent] {
    var events: [DocumentEvent] = []
    for row in rows {
      let document = document(row.id)
      events.append(.winner(document, names.number(row.rev, document)))
    }
    let listed = Set(rows.map(\.id))
    for (number, key) in documentKeys.enumerated()
    where !key.isLocal && !listed.contains(key.id) && range.contains(key.id, rows) {
      events.append(.notLive(Int32(number)))
    }
    return events
  }

  // MARK: Revisions

  private mutating func observe(
    _ answer: RevisionAnswer, to queries: [RevisionQuery], at place: Int
  ) {
    let document = document(answer.id)
    let number = names.number(answer.rev, document)
    let isLatest = queries.contains {
      $0.latest && $0.id == answer.id && $0.revs.contains(answer.rev)
    }
    switch answer.found {
    case .missing: add(.noRevision(number), of: document, at: place)
    case .bodyMissing: add(.noBody(number), of: document, at: place)
    case .records(let records):
      for record in records {
        guard let tip = record.path.first else { continue }
        let tipNumber = names.number(tip, document)
        let isRight =
          names.contents[Int(tipNumber)] == names.content(record.body)
          && zip(record.path, record.path.dropFirst()).allSatisfy { child, parent in
            let known = names.parents[Int(names.number(child, document))]
            return known == nil || known == names.number(parent, document)
          }
        add(
          isRight ? .revision(tipNumber, isDeleted: record.deleted) : .impossible, of: document,
          at: place)
      }
      if isLatest { add(.known(number), of: document, at: place) }
    }
  }

  private mutating func observe(
    _ differences: [Difference], for queries: [RevisionQuery], at place: Int
  ) {
    for query in queries {
      let document = document(query.id)
      let missing = differences.first { $0.id == query.id }?.missing ?? []
      for rev in query.revs {
        let number = names.number(rev, document)
        add(missing.contains(rev) ? .noRevision(number) : .known(number), of: document, at: place)
      }
    }
  }

  // MARK: Attachments

  /// The revisions with an attachment of this name.
  private func holders(of name: JSONString, in document: Int32) -> Set<Int32> {
    Set(
      names.ids.indices.filter {
        names.documents[$0] == document && names.attachments[$0]?[name] != nil
      }.map { Int32($0) })
  }

  private mutating func observe(
    _ piece: AttachmentPiece, named name: JSONString, of id: DocumentID, rev: RevisionID?,
    at place: Int
  ) {
    let document = document(id)
    let fitting = Set(
      names.ids.indices.filter { number in
        guard names.documents[number] == document else { return false }
        // A resolution and a replicated stub do not tell their attachments.
        return names.attachments[number].map { $0[name] == piece.bytes } ?? true
      }.map { Int32($0) })
    guard let rev else {
      if promises.contains(.reads) { add(.winnerAmong(document, fitting), of: document, at: place) }
      return
    }
    let number = names.number(rev, document)
    if !fitting.contains(number) {
      add(.impossible, of: document, at: place)
    } else if promises.contains(.reads) {
      add(.revision(number, isDeleted: nil), of: document, at: place)
    }
  }

  // MARK: Indexes

  /// A selector of one member with one value: what is found has it, and everything else has not.
  private mutating func observe(
    _ found: [FoundDocument], for request: FindRequest, at place: Int
  ) {
    guard let selector = request.selector.objectValue, selector.count == 1,
      let condition = selector.members.first, request.limit == nil, request.skip == nil
    else { return }
    let wanted: JSONValue
    if case .object(let comparison) = condition.value {
      guard comparison.count == 1, let value = comparison["$eq"] else { return }
      wanted = value
    } else {
      wanted = condition.value
    }
    func matches(_ body: JSONValue) -> Bool { body.objectValue?[condition.name] == wanted }
    for document in found {
      let number = self.document(document.id)
      let rev = names.number(document.rev, number)
      let isRight =
        matches(document.body) && names.contents[Int(rev)] == names.content(document.body)
      if !isRight {
        add(.impossible, of: number, at: place)
      } else if promises.contains(.indexes) {
        add(.winner(number, rev), of: number, at: place)
      }
    }
    guard promises.contains(.indexes) else { return }
    let present = Set(found.map(\.id))
    var matching: [Int32: Set<Int32>] = [:]
    let contents = names.bodies.map(matches)
    for place in names.ids.indices {
      guard let content = names.contents[place], contents[Int(content)] else { continue }
      matching[names.documents[place], default: []].insert(Int32(place))
    }
    for (number, key) in documentKeys.enumerated() where !key.isLocal && !present.contains(key.id) {
      guard let revs = matching[Int32(number)] else { continue }
      add(.winnerNotAmong(Int32(number), revs), of: Int32(number), at: place)
    }
  }
}
