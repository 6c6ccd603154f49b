internal import CSQLite
internal import JSON
internal import Storage

/// One open database file with its prepared statements.
///
/// A connection belongs to one thread at a time, so SQLite's own mutexes are disabled. Each `Query`
/// is prepared at its first use and kept; the set is fixed, so no statement is ever evicted.
final class Connection {
  /// The open database; valid until `close`.
  private(set) var handle: OpaquePointer?
  /// The name of the file in its storage.
  let fileName: String
  /// A reference that keeps the VFS alive until the last file is closed.
  let storage: any Storage
  /// Whether the file had a non-empty log before it was opened.
  private let foundLog: Bool
  /// Whether the log may contain a commit that was reported as failed but that recovery would find.
  private(set) var isInDoubt = false
  /// The prepared statements, by the raw value of their query.
  private var statements = [Statement?](repeating: nil, count: Query.allCases.count)
  /// The prepared statements on indexes of words.
  var wordStatements: [WordStatement: Statement] = [:]

  /// Opens an existing file without reading it.
  init(
    _ fileName: String, in storage: any Storage, busyMilliseconds: Int32
  ) throws(SQLiteError) {
    self.fileName = fileName
    self.storage = storage
    foundLog = ((try? storage.size(of: fileName + "-wal")) ?? 0) > 0
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
      | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(storage.path(of: fileName), &opened, flags, storage.vfsName)
    handle = opened
    // SQLite usually returns a handle even if it fails; the handle has the message.
    guard code == SQLITE_OK, opened != nil else {
      let error = failure(code)
      close()
      throw error
    }
    sqlite3_busy_timeout(opened, busyMilliseconds)
  }

  deinit { close() }

  /// The prepared statement of a query, ready for binding.
  func statement(_ query: Query) throws(SQLiteError) -> Statement {
    if let statement = statements[query.rawValue] { return statement }
    let statement = try Statement(query.sql, on: self, isKept: true)
    statements[query.rawValue] = statement
    return statement
  }

  /// Executes statements that are used once, such as pragmas and the schema.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw failure(code, in: sql) }
  }

  /// Forbids the schema, which another program may have written, to call functions with side effects.
  func distrustSchema() { touchstone_sqlite_distrust_schema(handle) }

  /// Sets the number of pages in the log after which a commit starts a checkpoint.
  func setCheckpoint(pages: Int) { sqlite3_wal_autocheckpoint(handle, CInt(clamping: pages)) }

  /// Switches the file to WAL mode, in which one sync of the log makes a commit durable.
  func useWriteAheadLog() throws(SQLiteError) {
    let statement = try Statement("PRAGMA journal_mode = WAL", on: self, isKept: false)
    // The row only reports the new mode; the file is written when the statement completes.
    guard try statement.step(), try statement.text(0) == "wal", try !statement.step() else {
      throw SQLiteError(
        code: SQLITE_IOERR, fileName: fileName,
        reason: "the file does not support a write-ahead log")
    }
  }

  /// Commits the transaction durably; rolls it back on failure.
  ///
  /// A commit whose sync failed is rolled back for this process only: the log contains it
  /// completely, and the next process would find it. So it is overwritten immediately. If that
  /// fails as well, the connection is in doubt, and the state of the file is undefined until
  /// `settle` succeeds.
  func commit() throws(SQLiteError) {
    do throws(SQLiteError) {
      try run(.commit)
    } catch {
      rollback()
      throw settled(error)
    }
  }

  /// The error of a commit, after an attempt to make the failure permanent.
  func settled(_ error: SQLiteError) -> SQLiteError {
    // A commit that was rejected or did not fit was not written completely: recovery ignores it.
    if error.primaryCode == SQLITE_IOERR {
      isInDoubt = true
      try? settle()
    }
    return error
  }

  /// Rolls back an open transaction; SQLite may already have done so.
  func rollback() {
    // If even this fails, the log contains no commit, and the next transaction overwrites it.
    try? run(.rollback)
  }

  /// Resolves the doubt: a small commit replaces the failed one and breaks the checksum chain of
  /// its remainder.
  func settle() throws(SQLiteError) {
    guard isInDoubt else { return }
    try run(.beginImmediate)
    defer { rollback() }
    // Writes the first page even if its content does not change, unlike an UPDATE.
    try execute("PRAGMA user_version = \(try integer("PRAGMA user_version"))")
    try run(.commit)
    isInDoubt = false
  }

  /// Moves a log that another process left behind into the file.
  ///
  /// The end of the log may have been written but never synced. Clients that read it may rely on
  /// it, so it must survive a power loss from now on.
  func adoptLog() throws(SQLiteError) {
    guard foundLog else { return }
    do throws(SQLiteError) {
      // Other connections on the file are not an error: they checkpoint it themselves, or have no
      // need to.
      try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      // The log is synced before anything is moved, and there is no room for the remainder.
      if error.primaryCode != SQLITE_FULL { throw error }
    }
  }

  private func run(_ query: Query) throws(SQLiteError) {
    let statement = try statement(query)
    defer { statement.reset() }
    _ = try statement.step()
  }

  /// Locks the file exclusively, and moves the log into it.
  ///
  /// Throws the code of a lock if another connection has the file open. It also throws on a disk
  /// failure: the log still exists then, and without its file it would be an incomplete store. A
  /// file too damaged for the move, or a full disk, is not an error.
  func leaveWriteAheadLog() throws(SQLiteError) {
    do throws(SQLiteError) { try execute("PRAGMA journal_mode = DELETE") } catch {
      switch error.primaryCode {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_IOERR, SQLITE_CANTOPEN: throw error
      default: return
      }
    }
  }

  /// The integer in the first column of the only row of a statement that is used once.
  func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    let statement = try Statement(sql, on: self, isKept: false)
    guard try statement.step() else { throw .corrupt(fileName, "a statement returned no row") }
    return statement.integer(0)
  }

  /// Whether SQLite could only open the file read-only.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether the file has lost its name: all further writes would be lost.
  var isMoved: Bool {
    var isMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved)
    return code == SQLITE_OK && isMoved != 0
  }

  /// Closes the database; the last connection to a file moves its log into it.
  func close() {
    statements = statements.map { _ in nil }
    wordStatements = [:]
    // v2 waits for statements that still exist, instead of failing.
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Leaves the files unchanged, including the log, as the end of the process would.
  func abandon() {
    if let handle { touchstone_sqlite_disable_checkpoint_on_close(handle) }
    close()
  }

  /// Closes a database of another application: an existing log remains, and a new one is removed.
  func leave() {
    if foundLog { abandon() } else { close() }
  }

  /// The error of the call that just returned this code.
  func failure(_ code: Int32, in sql: String? = nil) -> SQLiteError {
    guard let handle else {
      return SQLiteError(
        code: code, fileName: fileName, reason: String(cString: sqlite3_errstr(code)), sql: sql)
    }
    return SQLiteError(
      code: code, fileName: fileName, reason: String(cString: sqlite3_errmsg(handle)),
      systemErrno: sqlite3_system_errno(handle), sql: sql)
  }
}
