internal import Datastore
internal import JSON

/// The rows of a statement, read one at a time; the statement is released at the end.
struct Rows: ~Copyable {
  private let statement: Statement

  init(_ statement: Statement) { self.statement = statement }

  deinit { statement.reset() }

  /// Moves to the next row; returns false after the last one.
  mutating func next() throws(DatastoreError) -> Bool {
    do throws(SQLiteError) { return try statement.step() } catch { throw DatastoreError(error) }
  }

  func isNull(_ column: Int32) -> Bool { statement.isNull(column) }

  func integer(_ column: Int32) -> Int64 { statement.integer(column) }

  /// A count that can be increased without overflow.
  func count(_ column: Int32) throws(DatastoreError) -> Int64 {
    let count = integer(column)
    guard (0...RevisionName.generationMax).contains(count) else {
      throw DatastoreError(
        .storage(.corrupt), "\(statement.fileName) contains the invalid count \(count)")
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

  /// The properties fixed at creation, from the columns of `Query.store`.
  func storeIdentity() throws(DatastoreError) -> StoreIdentity {
    guard let revisionIDs = RevisionIDProfile(rawValue: try text(1).string),
      let collation = CollationName(rawValue: try text(2).string)
    else {
      throw DatastoreError(
        .storage(.corrupt), "\(statement.fileName) names an unknown digest or collation")
    }
    return StoreIdentity(
      incarnation: try text(0), revisionIDs: revisionIDs, collation: collation)
  }

  /// The settings and counters, from the columns of `Query.store`.
  func storeRow() throws(DatastoreError) -> StoreRow {
    let row = StoreRow(
      historyLimit: optionalInteger(3), refuse: isNull(4) ? nil : try text(4),
      lastSequence: integer(5), liveDocuments: integer(6),
      deletedDocuments: integer(7), usesBlobs: flag(8), indexChanges: integer(9))
    guard row.isPlausible else {
      throw DatastoreError(
        .storage(.corrupt), "\(statement.fileName) contains invalid counters")
    }
    return row
  }

  /// Whether a column has the bytes of a revision's name.
  func hasBytes(_ column: Int32, of name: RevisionName) -> Bool {
    name.text.withBytes { $0.elementsEqual(bytes(column)) }
  }

  /// A leaf from the columns `rev` and `rank` of the index of leaves.
  func leaf() throws(DatastoreError) -> LeafRow {
    LeafRow(name: try revisionName(0), isDeleted: Rank.isDeleted(bytes(1)))
  }

  /// A document from the first five columns.
  func document() throws(DatastoreError) -> DocumentRow {
    DocumentRow(
      sequence: integer(0), number: integer(1), isBranched: flag(3),
      winner: LeafRow(name: try revisionName(4), isDeleted: flag(2)))
  }

  /// The parent of a revision from a column with its name; nil for a root.
  func parent(_ column: Int32, of name: RevisionName) throws(DatastoreError) -> RevisionName? {
    if isNull(column) { return nil }
    let parent = try revisionName(column)
    // So every walk down a tree terminates, even in a damaged one with a cycle.
    guard parent.generation == name.generation - 1 else {
      throw DatastoreError(
        .storage(.corrupt),
        "\(statement.fileName) contains \(parent.text) as the parent of \(name.text)")
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
        "\(statement.fileName) contains a revision named '\(String(decoding: bytes, as: UTF8.self))'"
      )
    }
    return name
  }
}

/// The row of the table `store`: the counters and the settings.
struct StoreRow: Equatable {
  var historyLimit: Int64?
  /// The filter as JSON.
  var refuse: JSONString?
  var lastSequence: Int64
  var liveDocuments: Int64
  var deletedDocuments: Int64
  /// Whether content was ever stored; if not, no look-up is needed.
  var usesBlobs: Bool
  /// The number of index creations and drops so far; 0 if indexes need no look-up.
  var indexChanges: Int64

  /// Whether the counters are valid and can be increased without overflow.
  var isPlausible: Bool {
    let counts = 0...RevisionName.generationMax
    return (historyLimit ?? 1) >= 1 && counts.contains(lastSequence)
      && counts.contains(liveDocuments) && counts.contains(deletedDocuments)
      && counts.contains(indexChanges)
  }
}

/// The properties fixed at the creation of the store.
struct StoreIdentity: Equatable {
  /// 32 hexadecimal digits.
  let incarnation: JSONString
  let revisionIDs: RevisionIDProfile
  let collation: CollationName
}

/// A row of the table `document`.
struct DocumentRow {
  /// The sequence of the latest change, the key of the row.
  let sequence: Int64
  /// The number by which revisions refer to the document.
  let number: Int64
  /// Whether its leaves have ranks; if not, the winner is the only leaf.
  let isBranched: Bool
  let winner: LeafRow

  var isDeleted: Bool { winner.isDeleted }
}

/// A row of the table `revision`, without its body.
struct RevisionRow {
  let name: RevisionName
  let parent: RevisionName?
  let isLeaf: Bool
  /// Undefined for a stub revision.
  let isDeleted: Bool
  /// Whether the body is stored; false for a stub or a compacted revision.
  let hasBody: Bool
}

/// A row of the table `revision`.
struct StoredRevision {
  let row: RevisionRow
  /// Nil if the body is not stored.
  let body: JSONValue?
  /// The length of the stored text in bytes.
  var bodyBytes = 0
}

/// A leaf from the index of leaves or from the row of its document.
struct LeafRow: Equatable {
  let name: RevisionName
  let isDeleted: Bool

  var leaf: Leaf { Leaf(rev: name.id, deleted: isDeleted) }
}
