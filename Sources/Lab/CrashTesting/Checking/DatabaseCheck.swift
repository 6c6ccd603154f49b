internal import CSQLite
internal import Storage

/// SQLite's own check of a database.
enum DatabaseCheck {
  /// The lines of `PRAGMA integrity_check`, which is one `ok` for an undamaged database.
  static func integrity(of fileName: String, in storage: any Storage) -> [String] {
    rows("PRAGMA integrity_check", fileName, storage: storage)
  }

  private static func rows(_ sql: String, _ fileName: String, storage: any Storage) -> [String] {
    var handle: OpaquePointer?
    let path = storage.path(of: fileName)
    defer { sqlite3_close_v2(handle) }
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, storage.vfsName) == SQLITE_OK
    else { return ["cannot be opened: \(message(handle))"] }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      return ["cannot be queried: \(message(handle))"]
    }
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
      case SQLITE_DONE: return rows
      default: return rows + ["cannot be read: \(message(handle))"]
      }
    }
  }

  private static func message(_ handle: OpaquePointer?) -> String {
    handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
  }
}
