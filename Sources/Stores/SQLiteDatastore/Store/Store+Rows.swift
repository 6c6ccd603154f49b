internal import Datastore
internal import JSON

// Single rows of the tables, by their keys.

extension Store {
  func document(_ id: DocumentID) throws(DatastoreError) -> DocumentRow? {
    if row.liveDocuments > 0, let found = try document(id, deleted: false) { return found }
    return row.deletedDocuments > 0 ? try document(id, deleted: true) : nil
  }

  private func document(_ id: DocumentID, deleted: Bool) throws(DatastoreError) -> DocumentRow? {
    var rows = try prepare(.document).flag(deleted).text(id.text).rows()
    return try rows.next() ? try rows.document() : nil
  }

  func revision(_ name: RevisionName, of document: Int64) throws(DatastoreError) -> RevisionRow? {
    var rows = try prepare(.revision).key(name, of: document).rows()
    return try rows.next() ? try RevisionRow(rows, name) : nil
  }

  /// Whether a revision is in the tree, including stubs.
  func isKnown(
    _ name: RevisionName, of id: DocumentID, _ document: DocumentRow
  ) throws(DatastoreError) -> Bool {
    var rows = try prepare(.isKnown).key(name, of: document.number).rows()
    if try rows.next() { return true }
    try checkAbsence(of: name, id, document)
    return false
  }

  /// Throws `corrupt` if a missing revision is the winner.
  private func checkAbsence(
    of name: RevisionName, _ id: DocumentID, _ document: DocumentRow
  ) throws(DatastoreError) {
    if name == document.winner.name { throw corrupt("lacks the winner of '\(id)'") }
  }

  /// A revision and its body; with `ofLeafOnly`, the body is read only for a leaf.
  func content(
    _ name: RevisionName, of id: DocumentID, _ document: DocumentRow, ofLeafOnly: Bool = false
  ) throws(DatastoreError) -> StoredRevision? {
    var rows = try prepare(.content).key(name, of: document.number).rows()
    guard try rows.next() else {
      try checkAbsence(of: name, id, document)
      return nil
    }
    let row = try RevisionRow(rows, name)
    guard row.hasBody, row.isLeaf || !ofLeafOnly else { return StoredRevision(row: row, body: nil) }
    let text = rows.bytes(4)
    let body = try decode(text, "the body of '\(id)' at \(name.text)")
    return StoredRevision(row: row, body: body, bodyBytes: text.count)
  }

  /// The parent of a revision that another one refers to, or nil for a root.
  func parent(
    of name: RevisionName, in document: Int64
  ) throws(DatastoreError) -> RevisionName? {
    var rows = try prepare(.parentOf).key(name, of: document).rows()
    guard try rows.next() else { throw corrupt("lacks the revision \(name.text)") }
    return try rows.parent(0, of: name)
  }

  /// The value of a stored text; the description is used to report a damaged text.
  func decode(
    _ json: UnsafeBufferPointer<UInt8>, _ description: @autoclosure () -> String
  ) throws(DatastoreError) -> JSONValue {
    do throws(BodyCodecError) { return try BodyCodec.decode(json) } catch {
      throw corrupt("is damaged: \(description()) is not valid JSON: \(error.reason)")
    }
  }
}

extension RevisionRow {
  /// The revision from the columns of `Query.revision`.
  fileprivate init(_ rows: borrowing Rows, _ name: RevisionName) throws(DatastoreError) {
    self.init(
      name: name, parent: try rows.parent(0, of: name), isLeaf: rows.flag(1),
      isDeleted: rows.flag(2), hasBody: rows.flag(3))
  }
}
