internal import Datastore
internal import JSON

extension Store {
  func read(_ id: DocumentID, _ rev: RevisionName?) throws(DatastoreError) -> Document {
    guard let existing = try document(id) else {
      throw DatastoreError(.notFound(.missing), "there is no document '\(id)'")
    }
    let found: StoredRevision
    if let rev {
      guard let revision = try content(named: rev, of: id, existing.document) else {
        throw DatastoreError(.notFound(.missing), "'\(id)' has no revision \(rev.text)")
      }
      found = revision
    } else {
      if existing.isDeleted { throw DatastoreError(.notFound(.deleted), "'\(id)' is deleted") }
      found = try content(existing.winner, of: id)
    }
    guard let body = found.body else {
      throw DatastoreError(.notFound(.bodyMissing), "\(found.row.name.text) has no body here")
    }
    return Document(
      id: id, rev: found.row.name.id, deleted: found.row.isDeleted, body: body)
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
    var page: [ChangesRow] = []
    var end = start
    var more = false
    // A row for each leaf; those of one document follow each other.
    var rows = try rows(.changes, [.integer(start)])
    while try rows.next() {
      if rows.integer(0) != end {
        // A document too many says that there is more.
        more = limit.map { Int64(page.count) >= $0 } ?? false
        if more { break }
        end = rows.integer(0)
        page.append(
          ChangesRow(
            seq: sequences.sequence(end), id: DocumentID(try rows.text(1)),
            deleted: rows.flag(3), leaves: []))
      }
      let place = page.count - 1
      if rows.isNull(4) { throw lacksLeaf(page[place].id) }
      let leaf = try rows.leaf(4)
      let isWinner = leaf.revision == rows.integer(2)
      page[place].leaves.insert(leaf.leaf, at: isWinner ? 0 : page[place].leaves.count)
    }
    return ChangesPage(rows: page, last: sequences.sequence(more ? end : last), more: more)
  }
}
