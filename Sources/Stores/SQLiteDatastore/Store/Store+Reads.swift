internal import Datastore
internal import JSON

extension Store {
  func read(_ id: DocumentID, _ rev: RevisionName?) throws(DatastoreError) -> DocumentRevision {
    let (existing, found, body) = try stored(id, rev)
    return DocumentRevision(
      id: id, rev: found.name.id, deleted: found.isDeleted, body: body,
      attachments: try attachments(of: found.name, in: existing.number).map { $0.stub })
  }

  /// The live winner, or a given revision, with its body; throws if the body is not stored.
  func stored(
    _ id: DocumentID, _ rev: RevisionName?
  ) throws(DatastoreError) -> (DocumentRow, RevisionRow, JSONValue) {
    guard let existing = try document(id) else {
      throw DatastoreError(.notFound(.missing), "no document '\(id)'")
    }
    if rev == nil, existing.isDeleted {
      throw DatastoreError(.notFound(.deleted), "'\(id)' is deleted")
    }
    let rev = rev ?? existing.winner.name
    guard let found = try content(rev, of: id, existing) else {
      throw DatastoreError(.notFound(.missing), "'\(id)' has no revision \(rev.text)")
    }
    guard let body = found.body else {
      throw DatastoreError(
        .notFound(.bodyMissing), "the body of \(found.row.name.text) is not stored")
    }
    return (existing, found.row, body)
  }

  func leaves(_ id: DocumentID) throws(DatastoreError) -> [Leaf] {
    guard let existing = try document(id) else {
      throw DatastoreError(.notFound(.missing), "no document '\(id)'")
    }
    return try leaves(of: id, existing).map { $0.leaf }
  }

  func list(
    from: DocumentID?, limit: Int64?, descending: Bool
  ) throws(DatastoreError) -> [ListRow] {
    let query = try prepare(descending ? .liveDescending : .live)
    // Every text sorts after the empty text and, in SQLite's order of types, before every blob.
    let start =
      if let from { query.text(from.text) } else { descending ? query.blob([]) : query.text("") }
    var rows = try start.integer(limit ?? -1).rows()
    var list: [ListRow] = []
    while try rows.next() {
      list.append(
        ListRow(id: DocumentID(try rows.text(0)), rev: RevisionID(try rows.text(1))))
    }
    return list
  }

  func changes(
    since: UpdateSequence?, limit: Int64?
  ) throws(DatastoreError) -> ChangesPage {
    let last = row.lastSequence
    let start =
      try since.map { (since) throws(DatastoreError) in
        try sequences.number(since, last: last)
      } ?? 0
    var page: [ChangesRow] = []
    // At most the number of existing changes, and at most a page of usual size.
    page.reserveCapacity(Int(max(0, min(limit ?? 0, last - start, 10_000))))
    var end = start
    var more = false
    var rows = try prepare(.changes).integer(start).rows()
    while try rows.next() {
      // One extra document shows that more pages follow.
      more = limit.map { Int64(page.count) >= $0 } ?? false
      if more { break }
      end = rows.integer(0)
      page.append(try change(rows, end))
    }
    return ChangesPage(rows: page, last: sequences.sequence(more ? end : last), more: more)
  }

  /// A row of the feed; the rest of its document is read only if it has several leaves.
  private func change(
    _ rows: borrowing Rows, _ sequence: Int64
  ) throws(DatastoreError) -> ChangesRow {
    let id = DocumentID(try rows.text(5))
    let deleted = rows.flag(2)
    return ChangesRow(
      seq: sequences.sequence(sequence), id: id, deleted: deleted,
      leaves: rows.flag(3)
        ? Leaves(try leaves(of: id, rows.document()).map { $0.leaf })
        : Leaves(Leaf(rev: try rows.revisionName(4).id, deleted: deleted)))
  }
}
