import CSQLite
import Storage

/// A connection of another program to a file of a storage, for inspection and manipulation.
final class RawDatabase {
  private var handle: OpaquePointer?
  private let storage: any Storage

  init(_ fileName: String, in storage: any Storage) {
    self.storage = storage
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    sqlite3_open_v2(storage.path(of: fileName), &handle, flags, storage.vfsName)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements and returns SQLite's result code.
  @discardableResult
  func execute(_ sql: String) -> Int32 { sqlite3_exec(handle, sql, nil, nil, nil) }

  /// All rows of a query, the columns as text.
  func rows(_ sql: String) -> [[String]] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      return [["error: \(String(cString: sqlite3_errmsg(handle)))"]]
    }
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          guard let text = sqlite3_column_text(statement, column) else { return "NULL" }
          return String(cString: text)
        })
    }
    return rows
  }
}
