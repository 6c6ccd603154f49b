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
    let rows = try rows(
      .revisionByName, [.integer(document), .integer(name.generation), .bytes(name.text)])
    return try revision(rows)
  }

  /// A revision that another row refers to.
  func revision(_ revision: Int64, of id: DocumentID) throws(DatastoreError) -> RevisionRow {
    guard let row = try self.revision(try rows(.revision, [.integer(revision)])) else {
      throw corrupt("lacks a revision of '\(id)'")
    }
    return row
  }

  private func revision(_ rows: consuming Rows) throws(DatastoreError) -> RevisionRow? {
    guard try rows.next() else { return nil }
    return RevisionRow(
      revision: rows.integer(0), name: try rows.revisionName(2), parent: rows.optionalInteger(3),
      isLeaf: rows.flag(4), isDeleted: rows.flag(5), hasBody: rows.flag(6))
  }

  /// The body of a revision, or nil when it is not here.
  func body(_ revision: RevisionRow, of id: DocumentID) throws(DatastoreError) -> JSONValue? {
    guard let stored = try storedBody(revision.revision) else { return nil }
    return try decode(stored, "the body of '\(id)' at \(revision.name.text)")
  }

  /// The value of a stored text; one that is damaged is reported under the given description.
  func decode(
    _ stored: StoredBody, _ description: @autoclosure () -> String
  ) throws(DatastoreError) -> JSONValue {
    do throws(BodyCodecError) { return try BodyCodec.decode(stored) } catch {
      throw corrupt("is damaged: \(description()) is no JSON: \(error.reason)")
    }
  }

  private func storedBody(_ revision: Int64) throws(DatastoreError) -> StoredBody? {
    var rows = try rows(.content, [.integer(revision)])
    guard try rows.next(), !rows.isNull(0) else { return nil }
    return StoredBody(json: try rows.text(0), isEscaped: rows.flag(1))
  }

  /// The number of the row that was inserted last.
  func insert(_ query: Query, _ parameters: [Parameter]) throws(DatastoreError) -> Int64 {
    try run(query, parameters)
    return connection.lastInsertedRow
  }
}
