internal import CSQLite

/// What SQLite said when a call failed, taken before anything else could overwrite it.
///
/// The statement that was running is no part of it: whoever reads the message knows stores and
/// files, not statements.
struct SQLiteError: Error, Hashable {
  /// The extended result code.
  let code: Int32
  /// The database file.
  let fileName: String
  /// The reason in the words of SQLite, or of the code here that looked at the rows.
  let reason: String
  /// The error number of the system under the failure, or 0.
  let systemErrno: Int32

  init(code: Int32, fileName: String, reason: String, systemErrno: Int32 = 0) {
    self.code = code
    self.fileName = fileName
    self.reason = reason
    self.systemErrno = systemErrno
  }

  /// The class of the failure, without its details.
  var primaryCode: Int32 { code & 0xff }

  /// Contents of the file that no version of this store writes.
  static func corrupt(_ fileName: String, _ reason: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, fileName: fileName, reason: reason)
  }
}
