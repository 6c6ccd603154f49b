internal import CSQLite

/// What SQLite said when a call failed, taken before anything else could overwrite it.
struct SQLiteError: Error, Hashable {
  /// The extended result code.
  let code: Int32
  let message: String
  /// The error number of the system under the failure, or 0.
  let systemErrno: Int32
  /// The statement that was running, without the values bound to it.
  let sql: String?

  init(code: Int32, message: String, systemErrno: Int32 = 0, sql: String? = nil) {
    self.code = code
    self.message = message
    self.systemErrno = systemErrno
    self.sql = sql
  }

  /// The class of the failure, without its details.
  var primaryCode: Int32 { code & 0xff }

  /// A file that can be read and not written.
  static func readOnly(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_READONLY, message: message)
  }

  /// Contents of the file that no version of this store writes.
  static func corrupt(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: message)
  }
}

extension SQLiteError: CustomStringConvertible {
  var description: String {
    let place = sql.map { " in \($0)" } ?? ""
    return "SQLite \(code): \(message)\(place)"
  }
}
