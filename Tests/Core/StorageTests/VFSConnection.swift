import CSQLite
import Storage

/// A connection of SQLite to a file of a storage.
final class VFSConnection {
  private var handle: OpaquePointer?
  private let storage: any Storage

  init(_ fileName: String, in storage: any Storage) {
    self.storage = storage
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    sqlite3_open_v2(storage.path(of: fileName), &handle, flags, storage.vfsName)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements and returns SQLite's primary result code.
  @discardableResult
  func run(_ sql: String) -> Int32 { sqlite3_exec(handle, sql, nil, nil, nil) & 0xff }

  /// The first column of the first row, as text.
  func value(_ sql: String) -> String? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return nil }
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
    else { return nil }
    return String(cString: text)
  }
}
