internal import CSQLite

/// What SQLite reported when a call failed, taken before a later call overwrites it.
struct SQLiteError: Error, Hashable {
  /// The extended result code.
  let code: Int32
  /// The database file.
  let fileName: String
  /// The reason in the words of SQLite, or of the code here that looked at the rows.
  let reason: String
  /// The error number of the system under the failure, or 0.
  let systemErrno: Int32
  /// The statement that failed, on one line and cut after 120 characters; nil outside of a statement.
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

  /// The class of the failure, without its details.
  var primaryCode: Int32 { code & 0xff }

  /// Contents of the file that no version of this store writes.
  static func corrupt(_ fileName: String, _ reason: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, fileName: fileName, reason: reason)
  }
}
