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

  /// A number of things, from which counting on cannot overflow.
  func count(_ column: Int32) throws(DatastoreError) -> Int64 {
    let count = integer(column)
    guard (0...RevisionName.generationMax).contains(count) else {
      throw DatastoreError(.storage(.corrupt), "\(statement.fileName) counts \(count) of something")
    }
    return count
  }

  func flag(_ column: Int32) -> Bool { statement.integer(column) != 0 }

  func optionalInteger(_ column: Int32) -> Int64? {
    statement.isNull(column) ? nil : statement.integer(column)
  }

  func text(_ column: Int32) throws(DatastoreError) -> JSONString {
    do throws(SQLiteError) { return try statement.text(column) } catch {
      throw DatastoreError(error)
    }
  }

  /// The bytes of a text or a blob, valid until the next row.
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> { statement.bytes(column) }

  /// A leaf from the columns `rev` and `rank`, which the index of leaves holds.
  func leaf() throws(DatastoreError) -> LeafRow {
    LeafRow(name: try revisionName(0), isDeleted: Rank.isDeleted(bytes(1)))
  }

  /// A document from the first five columns.
  func document() throws(DatastoreError) -> DocumentRow {
    DocumentRow(
      sequence: integer(0), number: integer(1), isBranched: flag(3),
      winner: LeafRow(name: try revisionName(4), isDeleted: flag(2)))
  }

  /// The parent of a revision, from a column that names it; nil for a root.
  func parent(_ column: Int32, of name: RevisionName) throws(DatastoreError) -> RevisionName? {
    if isNull(column) { return nil }
    let parent = try revisionName(column)
    // So every walk down a tree ends, even in a damaged one that bites its tail.
    guard parent.generation == name.generation - 1 else {
      throw DatastoreError(
        .storage(.corrupt),
        "\(statement.fileName) holds \(parent.text) as the parent of \(name.text)")
    }
    return parent
  }

  /// The names in the first column of all rows.
  mutating func revisionNames() throws(DatastoreError) -> [RevisionName] {
    var names: [RevisionName] = []
    while try next() { names.append(try revisionName(0)) }
    return names
  }

  func revisionName(_ column: Int32) throws(DatastoreError) -> RevisionName {
    let bytes = bytes(column)
    guard let name = RevisionName(stored: bytes) else {
      throw DatastoreError(
        .storage(.corrupt),
        "\(statement.fileName) holds a revision named '\(String(decoding: bytes, as: UTF8.self))'")
    }
    return name
  }
}

/// The row of the table `store`: the counters and what can be set.
struct StoreRow: Equatable {
  var historyLimit: Int64?
  /// The JSON of the filter.
  var refuse: JSONString?
  var lastSequence: Int64
  var liveDocuments: Int64
  var deletedDocuments: Int64
  /// Whether content was ever brought; without, nobody needs to look for any.
  var usesBlobs: Bool
  /// How many indexes were made and dropped so far; with none, nobody looks for any.
  var indexChanges: Int64

  /// Whether the numbers can be those of a store: counting on from them cannot overflow.
  var isPlausible: Bool {
    let counts = 0...RevisionName.generationMax
    return (historyLimit ?? 1) >= 1 && counts.contains(lastSequence)
      && counts.contains(liveDocuments) && counts.contains(deletedDocuments)
      && counts.contains(indexChanges)
  }
}

/// What was fixed when the store was created.
struct StoreIdentity: Equatable {
  /// 32 hexadecimal digits.
  let incarnation: JSONString
  let revisionIDs: RevisionIDProfile
  let collation: CollationName
}

/// A row of the table `document`.
struct DocumentRow {
  /// The latest change, by which the row is found again.
  let sequence: Int64
  /// What the document's revisions refer to.
  let number: Int64
  /// Whether its leaves have ranks; without, the winner is the only one.
  let isBranched: Bool
  let winner: LeafRow

  var isDeleted: Bool { winner.isDeleted }
}

/// A row of the table `revision`, without its body.
struct RevisionRow {
  let name: RevisionName
  let parent: RevisionName?
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
  /// The length of the stored text.
  var bodyBytes = 0
}

/// A leaf, as the index of leaves and the row of its document have it.
struct LeafRow: Equatable {
  let name: RevisionName
  let isDeleted: Bool

  var leaf: Leaf { Leaf(rev: name.id, deleted: isDeleted) }
}
