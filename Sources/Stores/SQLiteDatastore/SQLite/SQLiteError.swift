internal import CSQLite

/// The error of a failed SQLite call, captured before a later call overwrites it.
struct SQLiteError: Error, Hashable {
  /// The extended result code.
  let code: Int32
  /// The database file.
  let fileName: String
  /// The reason as reported by SQLite, or by the code here that checked the rows.
  let reason: String
  /// The system's error number of the failure, or 0.
  let systemErrno: Int32
  /// The failed statement, on one line and truncated to 120 characters; nil outside a statement.
  let statement: String?

  init(
    code: Int32, fileName: String, reason: String, systemErrno: Int32 = 0, sql: String? = nil
  ) {
    self.code = code
    self.fileName = fileName
    self.reason = reason
    self.systemErrno = systemErrno
    statement = sql.map { sql in
      let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return words.count > 120 ? words.prefix(119) + "…" : words
    }
  }

  /// The result code without its extension.
  var primaryCode: Int32 { code & 0xff }

  /// The error for contents of the file that no version of this store writes.
  static func corrupt(_ fileName: String, _ reason: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, fileName: fileName, reason: reason)
  }
}
