internal import Datastore
internal import JSON

/// The rows that a statement answers, read one at a time; lets the statement go at its end.
struct Rows: ~Copyable {
  private let statement: Statement

  init(_ statement: Statement) { self.statement = statement }

  deinit { statement.reset() }

  /// Moves to the next row; false when there is none.
  mutating func next() throws(DatastoreError) -> Bool {
    do throws(SQLiteError) { return try statement.step() } catch { throw DatastoreError(error) }
  }

  func isNull(_ column: Int32) -> Bool { statement.isNull(column) }

  func integer(_ column: Int32) -> Int64 { statement.integer(column) }

  func flag(_ column: Int32) -> Bool { statement.integer(column) != 0 }

  func optionalInteger(_ column: Int32) -> Int64? {
    statement.isNull(column) ? nil : statement.integer(column)
  }

  func text(_ column: Int32) throws(DatastoreError) -> Text {
    do throws(SQLiteError) { return try statement.text(column) } catch {
      throw DatastoreError(error)
    }
  }

  /// The bytes of a text or a blob, valid until the next row.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer { statement.bytes(column) }

  /// A leaf from the columns `revision`, `rev` and `rank`, which the index of leaves holds.
  func leaf(_ column: Int32) throws(DatastoreError) -> LeafRow {
    LeafRow(
      revision: integer(column), name: try revisionName(column + 1),
      isDeleted: Rank.isDeleted(bytes(column + 2)))
  }

  func revisionName(_ column: Int32) throws(DatastoreError) -> RevisionName {
    let text = try text(column)
    guard let name = RevisionName(stored: text) else {
      throw DatastoreError(
        .storage(.corrupt), "\(statement.fileName) holds a revision named '\(text)'")
    }
    return name
  }
}

/// The row of the table `store`: the counters and what can be set.
struct StoreRow: Equatable {
  var historyLimit: Int64?
  var refuse: StoredBody?
  var lastSequence: Int64
  var liveDocuments: Int64
  var deletedDocuments: Int64

  /// Whether the numbers can be those of a store: counting on from them cannot overflow.
  var isPlausible: Bool {
    let counts = 0...RevisionName.generationMax
    return (historyLimit ?? 1) >= 1 && counts.contains(lastSequence)
      && counts.contains(liveDocuments) && counts.contains(deletedDocuments)
  }
}

/// What was fixed when the store was created.
struct StoreIdentity: Equatable {
  /// 32 hexadecimal digits.
  let incarnation: Text
  let revisionIDs: RevisionIDProfile
  let collation: CollationName
}

/// A row of the table `document`.
struct DocumentRow {
  let document: Int64
  let winner: Int64
  let isDeleted: Bool
}

/// A row of the table `revision`, without its body.
struct RevisionRow {
  let revision: Int64
  let name: RevisionName
  let parent: Int64?
  let isLeaf: Bool
  /// Means nothing when the revision is known by name only.
  let isDeleted: Bool
  /// Whether the body is here: neither known by name only nor compacted.
  let hasBody: Bool
}

/// A row of the table `revision`.
struct StoredRevision {
  let row: RevisionRow
  /// Nil when it is not here.
  let body: JSONValue?
}

/// A leaf, as the index of leaves has it.
struct LeafRow {
  let revision: Int64
  let name: RevisionName
  let isDeleted: Bool

  var leaf: Leaf { Leaf(rev: name.id, deleted: isDeleted) }
}
