internal import Datastore
internal import JSON

extension Store {
  func read(_ id: DocumentID, _ rev: RevisionName?) throws(DatastoreError) -> Document {
    guard let existing = try document(id) else {
      throw DatastoreError(.notFound(.missing), "there is no document '\(id)'")
    }
    let found: RevisionRow
    if let rev {
      guard let revision = try revision(named: rev, of: existing.document) else {
        throw DatastoreError(.notFound(.missing), "'\(id)' has no revision \(rev.text)")
      }
      found = revision
    } else {
      if existing.isDeleted { throw DatastoreError(.notFound(.deleted), "'\(id)' is deleted") }
      found = try revision(existing.winner, of: id)
    }
    guard let body = try body(found, of: id) else {
      throw DatastoreError(.notFound(.bodyMissing), "\(found.name.text) has no body here")
    }
    return Document(id: id, rev: found.name.id, deleted: found.isDeleted, body: body)
  }

  func leaves(_ id: DocumentID) throws(DatastoreError) -> [Leaf] {
    guard let existing = try document(id) else {
      throw DatastoreError(.notFound(.missing), "there is no document '\(id)'")
    }
    return try leaves(of: id, existing.document, winner: existing.winner).map { $0.leaf }
  }

  func list(
    from: DocumentID?, limit: Int64?, descending: Bool
  ) throws(DatastoreError) -> [ListRow] {
    let start: Parameter
    if let from {
      start = .text(from.text)
    } else {
      // Every text comes after the empty text and, in SQLite's order of types, before every blob.
      start = descending ? .blob([]) : .text("")
    }
    var rows = try rows(
      descending ? .liveDescending : .live, [start, .integer(limit ?? -1)])
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
    // One row more than asked for says whether there is more.
    let fetched = limit.map { min($0, .max - 1) + 1 } ?? -1
    var documents: [FeedRow] = []
    var rows = try rows(.changes, [.integer(start), .integer(fetched)])
    while try rows.next() {
      documents.append(
        FeedRow(
          sequence: rows.integer(0), document: rows.integer(1), id: DocumentID(try rows.text(2)),
          winner: rows.integer(3), isDeleted: rows.flag(4)))
    }
    let more = limit.map { Int64(documents.count) > $0 } ?? false
    if more { documents.removeLast() }
    var page: [ChangesRow] = []
    page.reserveCapacity(documents.count)
    for row in documents {
      page.append(
        ChangesRow(
          seq: sequences.sequence(row.sequence), id: row.id, deleted: row.isDeleted,
          leaves: try leaves(of: row.id, row.document, winner: row.winner).map { $0.leaf }))
    }
    let end = more ? documents.last?.sequence ?? start : last
    return ChangesPage(rows: page, last: sequences.sequence(end), more: more)
  }

  /// A document at its place in the feed.
  private struct FeedRow {
    let sequence: Int64
    let document: Int64
    let id: DocumentID
    let winner: Int64
    let isDeleted: Bool
  }
}
