internal import Datastore
internal import JSON

// Single rows of the tables, by their keys.

extension Store {
  func document(_ id: DocumentID) throws(DatastoreError) -> DocumentRow? {
    var rows = try rows(.document, [.text(id.text)])
    guard try rows.next() else { return nil }
    return DocumentRow(
      document: rows.integer(0), winner: rows.integer(1), isDeleted: rows.flag(2))
  }

  func revision(
    named name: RevisionName, of document: Int64
  ) throws(DatastoreError) -> RevisionRow? {
    var rows = try rows(.revisionByName, key(name, of: document))
    return try rows.next() ? RevisionRow(rows, name) : nil
  }

  /// Whether a revision is in the tree, by name only or with a body.
  func isKnown(_ name: RevisionName, of document: Int64) throws(DatastoreError) -> Bool {
    var rows = try rows(.numberByName, key(name, of: document))
    return try rows.next()
  }

  private func key(_ name: RevisionName, of document: Int64) -> [Parameter] {
    [.integer(document), .integer(name.generation), .bytes(name.text)]
  }

  /// A revision that another row refers to.
  func revision(_ revision: Int64, of id: DocumentID) throws(DatastoreError) -> RevisionRow {
    var rows = try rows(.revision, [.integer(revision)])
    guard try rows.next() else { throw lacksRevision(id) }
    return RevisionRow(rows, try rows.revisionName(2))
  }

  private func lacksRevision(_ id: DocumentID) -> DatastoreError {
    corrupt("lacks a revision of '\(id)'")
  }

  /// The revision with a name and its body, which may be asked for only if it is a leaf.
  func content(
    named name: RevisionName, of id: DocumentID, _ document: Int64, ofLeafOnly: Bool = false
  ) throws(DatastoreError) -> StoredRevision? {
    var rows = try rows(.contentByName, key(name, of: document))
    guard try rows.next() else { return nil }
    let row = RevisionRow(rows, name)
    if ofLeafOnly, !row.isLeaf { return StoredRevision(row: row, body: nil) }
    return try content(rows, row, of: id)
  }

  /// A revision that another row refers to, and its body.
  func content(
    _ revision: Int64, of id: DocumentID
  ) throws(DatastoreError) -> StoredRevision {
    var rows = try rows(.content, [.integer(revision)])
    guard try rows.next() else { throw lacksRevision(id) }
    return try content(rows, RevisionRow(rows, try rows.revisionName(2)), of: id)
  }

  private func content(
    _ rows: borrowing Rows, _ row: RevisionRow, of id: DocumentID
  ) throws(DatastoreError) -> StoredRevision {
    guard row.hasBody else { return StoredRevision(row: row, body: nil) }
    let body = try decode(
      rows.bytes(8), isEscaped: rows.flag(7), "the body of '\(id)' at \(row.name.text)")
    return StoredRevision(row: row, body: body)
  }

  /// The value of a stored text; one that is damaged is reported under the given description.
  func decode(
    _ stored: StoredBody, _ description: @autoclosure () -> String
  ) throws(DatastoreError) -> JSONValue {
    try stored.json.withBytes { (bytes) throws(DatastoreError) in
      try decode(UnsafeRawBufferPointer(bytes), isEscaped: stored.isEscaped, description())
    }
  }

  private func decode(
    _ json: UnsafeRawBufferPointer, isEscaped: Bool, _ description: @autoclosure () -> String
  ) throws(DatastoreError) -> JSONValue {
    do throws(BodyCodecError) {
      return try BodyCodec.decode(json, isEscaped: isEscaped)
    } catch {
      throw corrupt("is damaged: \(description()) is no JSON: \(error.reason)")
    }
  }

  /// The number of the row that was inserted last.
  func insert(_ query: Query, _ parameters: [Parameter]) throws(DatastoreError) -> Int64 {
    try run(query, parameters)
    return connection.lastInsertedRow
  }
}

extension RevisionRow {
  /// The revision from the columns of `Query.revision`; its name is mostly what it was found by.
  fileprivate init(_ rows: borrowing Rows, _ name: RevisionName) {
    self.init(
      revision: rows.integer(0), name: name, parent: rows.optionalInteger(3),
      isLeaf: rows.flag(4), isDeleted: rows.flag(5), hasBody: rows.flag(6))
  }
}
