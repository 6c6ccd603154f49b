internal import CSQLite
internal import JSON
internal import Storage

/// One open database file and the statements prepared on it.
///
/// A connection belongs to one thread at a time, so SQLite's own mutexes are off. Each text of
/// `Query` is prepared at its first use and kept; the set is fixed, so nothing is ever evicted.
final class Connection {
  /// The open database; valid until `close`.
  private(set) var handle: OpaquePointer?
  /// The file as its storage names it.
  let fileName: String
  /// Held so that the VFS is there until the last file is closed.
  let storage: any Storage
  /// Whether the file had a log with something in it before it was opened.
  private let foundLog: Bool
  /// Whether the log may hold a commit that was answered as failed, and that recovery would find.
  private(set) var isInDoubt = false
  /// The prepared statements, each at the place of its query.
  private var statements = [Statement?](repeating: nil, count: Query.allCases.count)
  /// The prepared statements on indexes of words.
  var wordStatements: [WordStatement: Statement] = [:]

  /// Opens a file that is there; nothing in it is read yet.
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
    // SQLite mostly hands out a handle even when it fails; it holds the message.
    guard code == SQLITE_OK, opened != nil else {
      let error = failure(code)
      close()
      throw error
    }
    sqlite3_busy_timeout(opened, busyMilliseconds)
  }

  deinit { close() }

  /// The prepared statement of a query, ready to be bound.
  func statement(_ query: Query) throws(SQLiteError) -> Statement {
    if let statement = statements[query.rawValue] { return statement }
    let statement = try Statement(query.sql, on: self, isKept: true)
    statements[query.rawValue] = statement
    return statement
  }

  /// Runs statements that are used once, such as pragmas and the schema.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw failure(code, in: sql) }
  }

  /// Puts the file into WAL mode, where one sync of the log makes a commit durable.
  func useWriteAheadLog() throws(SQLiteError) {
    let statement = try Statement("PRAGMA journal_mode = WAL", on: self, isKept: false)
    // The row says what is wanted; only the end of the statement writes it to the file.
    guard try statement.step(), try statement.text(0) == "wal", try !statement.step() else {
      throw SQLiteError(
        code: SQLITE_IOERR, fileName: fileName, reason: "no write-ahead log is possible there")
    }
  }

  /// Makes the transaction durable; when that fails, it is undone.
  ///
  /// A commit whose sync failed is undone for this process only: it lies complete in the log, where
  /// the next process would find it. So it is overwritten at once. When that fails as well, the
  /// connection is in doubt, and nothing may be said about the file until it is settled.
  func commit() throws(SQLiteError) {
    do throws(SQLiteError) {
      try run(.commit)
    } catch {
      rollback()
      throw settled(error)
    }
  }

  /// The error of a commit, after an attempt to make sure that it stays failed.
  func settled(_ error: SQLiteError) -> SQLiteError {
    // What was refused, or found no room, was not written to its end: recovery passes it over.
    if error.primaryCode == SQLITE_IOERR {
      isInDoubt = true
      try? settle()
    }
    return error
  }

  /// Undoes what is open of a transaction; SQLite may have done so already.
  func rollback() {
    // When even this fails, the log has no commit, and the next transaction begins before it.
    try? run(.rollback)
  }

  /// Ends the doubt: a small commit takes the place of the one that failed, and breaks the chain of
  /// checksums that the rest of it hangs on.
  func settle() throws(SQLiteError) {
    guard isInDoubt else { return }
    try run(.beginImmediate)
    defer { rollback() }
    // Writes the first page even when nothing in it changes, which no UPDATE would.
    try execute("PRAGMA user_version = \(try integer("PRAGMA user_version"))")
    try run(.commit)
    isInDoubt = false
  }

  /// Moves a log that a process left behind into the file.
  ///
  /// Its end may have been written and never synced. Who has read it may tell others, who count on
  /// it; so it has to survive a power loss from now on.
  func adoptLog() throws(SQLiteError) {
    guard foundLog else { return }
    do throws(SQLiteError) {
      // That others are at work in the file is no error: then they do this, or have no need to.
      try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      // Before anything is moved the log is synced, and for what is left of it there is no room.
      if error.primaryCode != SQLITE_FULL { throw error }
    }
  }

  private func run(_ query: Query) throws(SQLiteError) {
    let statement = try statement(query)
    defer { statement.reset() }
    _ = try statement.step()
  }

  /// Takes the whole file for oneself, and moves the log into it.
  ///
  /// Fails with the code of a lock when another connection has the file open. It fails as well when the
  /// disk does: the log is still there then, and without its file it would be neither a store nor none.
  /// That a file is too damaged for it, or a disk too full, is no failure.
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
    guard try statement.step() else { throw .corrupt(fileName, "an answer is missing") }
    return statement.integer(0)
  }

  /// Whether SQLite could open the file for reading only.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether the file is no longer the one under its name: what is written would be lost.
  var isMoved: Bool {
    var isMoved: Int32 = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved)
    return code == SQLITE_OK && isMoved != 0
  }

  /// Closes the database; the last connection to a file moves its log into it.
  func close() {
    statements = statements.map { _ in nil }
    wordStatements = [:]
    // v2 waits for a statement that is still alive somewhere, instead of failing.
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Leaves the files as they are, log and all, as the end of the process would.
  func abandon() {
    if let handle { touchstone_sqlite_disable_checkpoint_on_close(handle) }
    close()
  }

  /// Closes a database of someone else: a log that was there stays, and one that was not is gone.
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
