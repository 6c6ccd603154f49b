internal import Datastore
internal import JSON
internal import Storage

/// One open store: its file, and the transaction that an operation runs in.
///
/// Every operation is one transaction. A reading one sees one state of the file; a writing one
/// holds the file from its start, so that what it read still holds when it writes, and ends in one
/// sync or in nothing:
///
///     BEGIN IMMEDIATE    the row of `store` is read into `row`
///     …                  the operation, all of its checks before its first write
///     …                  files with new contents, whole and synced, with their names
///     UPDATE store       `row` is written back when it changed
///     COMMIT             one sync of the log; only now the caller hears of success
///
/// A failure anywhere rolls back, and the next operation finds the file as it was. One failure leaves
/// a doubt: a commit that could neither be synced nor be taken back may come back after a crash.
final class Store {
  let identity: StoreIdentity
  let sequences: SequenceRule
  let connection: Connection
  let blobs: BlobFiles
  /// The longest content that stands in an answer.
  var inlineBytesMax = Limits.inlineBytesMax
  /// The indexes as they were last read; nil when that may have been undone.
  var knownIndexes: StoredIndexes?
  /// The row of `store` as it will be at the end of this transaction.
  var row: StoreRow

  init(connection: Connection, identity: StoreIdentity, row: StoreRow) {
    self.connection = connection
    self.identity = identity
    self.row = row
    sequences = SequenceRule(incarnation: identity.incarnation)
    blobs = BlobFiles(of: connection.fileName, in: connection.storage)
  }

  // MARK: Transactions

  /// Performs one checked operation, entirely or not at all; nil when nobody can say which.
  func perform(_ request: Request) throws(DatastoreError) -> OperationResult? {
    do throws(SQLiteError) { try connection.settle() } catch { throw DatastoreError(error) }
    if request.isWrite, connection.isMoved {
      throw DatastoreError(.storage(.io), DatastoreError.wasMoved(connection.fileName))
    }
    try ask(request.isWrite ? .beginImmediate : .begin).run()
    blobs.begin()
    let result: OperationResult
    do throws(DatastoreError) {
      row = try loadRow()
      let before = row
      result = try execute(request)
      if row != before { try saveRow() }
      try blobs.syncNames()
    } catch {
      connection.rollback()
      knownIndexes = nil
      removeUnused(blobs.made)
      throw error
    }
    do throws(SQLiteError) { try connection.commit() } catch {
      knownIndexes = nil
      if connection.isInDoubt { return nil }
      removeUnused(blobs.made)
      throw DatastoreError(error)
    }
    removeUnused(blobs.superseded)
    return result
  }

  private func loadRow() throws(DatastoreError) -> StoreRow {
    guard let (_, row) = try Self.load(connection) else {
      throw corrupt("has no row about its store")
    }
    return row
  }

  private func saveRow() throws(DatastoreError) {
    try ask(.updateStore)
      .integer(row.historyLimit).text(row.refuse)
      .integer(row.lastSequence).integer(row.liveDocuments).integer(row.deletedDocuments)
      .flag(row.usesBlobs).integer(row.indexChanges).run()
  }

  /// The one row of `store`, or nil when there is none.
  static func load(
    _ connection: Connection
  ) throws(DatastoreError) -> (StoreIdentity, StoreRow)? {
    var rows = try connection.ask(.store).rows()
    guard try rows.next() else { return nil }
    guard let revisionIDs = RevisionIDProfile(rawValue: try rows.text(1).string),
      let collation = CollationName(rawValue: try rows.text(2).string)
    else {
      throw DatastoreError(
        .storage(.corrupt), "\(connection.fileName) names an unknown digest or collation")
    }
    let row = StoreRow(
      historyLimit: rows.optionalInteger(3), refuse: rows.isNull(4) ? nil : try rows.text(4),
      lastSequence: rows.integer(5), liveDocuments: rows.integer(6),
      deletedDocuments: rows.integer(7), usesBlobs: rows.flag(8), indexChanges: rows.integer(9))
    guard row.isPlausible else {
      throw DatastoreError(
        .storage(.corrupt), "\(connection.fileName) holds counters that no store has")
    }
    let identity = StoreIdentity(
      incarnation: try rows.text(0), revisionIDs: revisionIDs, collation: collation)
    return (identity, row)
  }

  /// The error for contents that no operation writes; the text goes on after the file's name.
  func corrupt(_ text: String) -> DatastoreError {
    DatastoreError(.storage(.corrupt), "\(connection.fileName) \(text)")
  }

  // MARK: Statements

  /// The statement of a query, whose parameters are to be bound.
  func ask(_ query: Query) throws(DatastoreError) -> Statement { try connection.ask(query) }
}

extension Connection {
  /// The statement of a query; the failures are those of the contract from here on.
  func ask(_ query: Query) throws(DatastoreError) -> Statement {
    do throws(SQLiteError) { return try statement(query) } catch { throw DatastoreError(error) }
  }
}

extension Statement {
  /// The rows that it answers.
  func rows() throws(DatastoreError) -> Rows {
    let rows = Rows(self)
    do throws(SQLiteError) { try checkBindings() } catch { throw DatastoreError(error) }
    return rows
  }

  /// Runs it for what it changes.
  func run() throws(DatastoreError) {
    var rows = try rows()
    _ = try rows.next()
  }

  /// Binds what a revision is found by: its document and its name.
  func key(_ name: RevisionName, of document: Int64) -> Statement {
    integer(document).integer(name.generation).bytes(name.text)
  }
}
