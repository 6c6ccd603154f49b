internal import Datastore
internal import JSON
internal import Storage

/// One open store: its file, and the transaction of an operation.
///
/// Every operation is one transaction. A read uses one state of the file: the statement that reads
/// the row of `store` stays open until the read ends, and keeps that state. A write locks the file
/// from its start, so that its reads remain valid until it writes, and ends in one sync or in a
/// rollback:
///
///     BEGIN IMMEDIATE    the row of `store` is read into `row`
///     …                  the operation, all of its checks before its first write
///     …                  files with new contents, complete and synced, with their names
///     UPDATE store       `row` is written back if it changed
///     COMMIT             one sync of the log; success is reported only after it
///
/// A failure at any point rolls back, and the next operation finds the file unchanged. One failure
/// leaves a doubt: a commit that could be neither synced nor overwritten may reappear after a
/// crash.
final class Store {
  let identity: StoreIdentity
  let sequences: SequenceRule
  let connection: Connection
  let blobs: BlobFiles
  /// The maximum length of content inside a response, in bytes.
  var inlineBytesMax = Limits.inlineBytesMax
  /// The indexes as last read; nil if a rollback may have undone them.
  var knownIndexes: StoredIndexes?
  /// The row of `store` as of the end of this transaction.
  var row: StoreRow

  init(connection: Connection, identity: StoreIdentity, row: StoreRow) {
    self.connection = connection
    self.identity = identity
    self.row = row
    sequences = SequenceRule(incarnation: identity.incarnation)
    blobs = BlobFiles(of: connection.fileName, in: connection.storage)
  }

  // MARK: Transactions

  /// Performs one validated operation atomically; nil if it is unknown whether it happened.
  func perform(_ request: Request) throws(DatastoreError) -> OperationResult? {
    do throws(SQLiteError) { try connection.settle() } catch { throw DatastoreError(error) }
    if request.isWrite, connection.isMoved {
      throw DatastoreError(.storage(.io), DatastoreError.wasMoved(connection.fileName))
    }
    if request.isWrite { return try transact(request) }
    do throws(DatastoreError) { return try read(request) } catch {
      guard blobs.hasMissed else { throw error }
      return try again(request, after: error)
    }
  }

  /// Performs an operation that changes nothing.
  ///
  /// The open statement keeps the state of the file for all others. It takes the place of `BEGIN` and
  /// `COMMIT`, two of the three statements of a short read.
  private func read(_ request: Request) throws(DatastoreError) -> OperationResult {
    var rows = try prepare(.store).rows()
    blobs.begin()
    row = try storeRow(&rows)
    let result = try execute(request)
    _ = consume rows
    return result
  }

  /// Reads once more with the lock of a writer: another connection may have removed content between
  /// its look-up and its reading, and with the lock none can.
  private func again(
    _ request: Request, after error: DatastoreError
  ) throws(DatastoreError) -> OperationResult? {
    do throws(DatastoreError) { return try transact(request) } catch let second {
      switch second.kind {
      case .storage(.readOnly), .storage(.full): throw error
      default: throw second
      }
    }
  }

  /// Performs an operation in one transaction, during which no other connection can write.
  private func transact(_ request: Request) throws(DatastoreError) -> OperationResult? {
    try prepare(.beginImmediate).run()
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
    var rows = try prepare(.store).rows()
    return try storeRow(&rows)
  }

  /// The row of `store` from its statement, which stays open.
  private func storeRow(_ rows: inout Rows) throws(DatastoreError) -> StoreRow {
    guard try rows.next() else { throw corrupt("lacks the row of its store") }
    return try rows.storeRow()
  }

  private func saveRow() throws(DatastoreError) {
    try prepare(.updateStore)
      .integer(row.historyLimit).text(row.refuse)
      .integer(row.lastSequence).integer(row.liveDocuments).integer(row.deletedDocuments)
      .flag(row.usesBlobs).integer(row.indexChanges).run()
  }

  /// The properties of the store in a file and its row, or nil if the row is missing.
  static func load(
    _ connection: Connection
  ) throws(DatastoreError) -> (StoreIdentity, StoreRow)? {
    var rows = try connection.prepare(.store).rows()
    guard try rows.next() else { return nil }
    return (try rows.storeIdentity(), try rows.storeRow())
  }

  /// The error for contents that no operation writes; the text continues after the name of the
  /// file.
  func corrupt(_ text: String) -> DatastoreError {
    DatastoreError(.storage(.corrupt), "\(connection.fileName) \(text)")
  }

  // MARK: Statements

  /// The statement of a query, whose parameters must be bound.
  func prepare(_ query: Query) throws(DatastoreError) -> Statement { try connection.prepare(query) }
}

extension Connection {
  /// The statement of a query, with errors of the contract.
  func prepare(_ query: Query) throws(DatastoreError) -> Statement {
    do throws(SQLiteError) { return try statement(query) } catch { throw DatastoreError(error) }
  }
}

extension Statement {
  /// The rows of the statement.
  func rows() throws(DatastoreError) -> Rows {
    let rows = Rows(self)
    do throws(SQLiteError) { try checkBindings() } catch { throw DatastoreError(error) }
    return rows
  }

  /// Executes the statement without reading rows.
  func run() throws(DatastoreError) {
    var rows = try rows()
    _ = try rows.next()
  }

  /// Binds the key of a revision: its document and its name.
  func key(_ name: RevisionName, of document: Int64) -> Statement {
    integer(document).integer(name.generation).bytes(name.text)
  }
}
