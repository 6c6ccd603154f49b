internal import CSQLite
internal import Storage

extension Connection {
  /// Replaces an empty database, durably, by the pages of another one; returns false if it is not
  /// empty.
  ///
  /// Another process may fill the file at the same time, so the check is repeated under the lock
  /// under which the pages are written.
  ///
  /// - Parameter pageBytes: the page size of the source; a file of another length is not replaced.
  func replacePages(by source: Connection, pageBytes: Int) throws(SQLiteError) -> Bool {
    guard size == pageBytes else { return false }
    guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
      throw failure(sqlite3_errcode(handle))
    }
    var code = sqlite3_backup_step(backup, 1)
    let isEmpty = code == SQLITE_OK && size == pageBytes && isWithoutLog
    if isEmpty { code = sqlite3_backup_step(backup, -1) }
    // Rolls back an incomplete copy.
    sqlite3_backup_finish(backup)
    switch code {
    case SQLITE_DONE: return true
    // Read-only: the page size is another one.
    case SQLITE_OK, SQLITE_READONLY: return false
    default: throw settled(failure(code))
    }
  }

  private var size: Int? { try? storage.size(of: fileName) }

  /// Whether nothing has been written to the log yet, as far as visible.
  private var isWithoutLog: Bool {
    do throws(StorageError) { return (try storage.size(of: fileName + "-wal") ?? 0) == 0 } catch {
      return false
    }
  }
}
