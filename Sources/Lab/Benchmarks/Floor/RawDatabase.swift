internal import CSQLite
internal import Storage

/// A database file opened on the C interface, with the settings of a store.
final class RawDatabase {
  private var handle: OpaquePointer?
  private var statements: [RawStatement] = []

  /// "Tch1" in ASCII, at offset 68 of every file of a store.
  private static let applicationID: Int64 = 0x5463_6831

  /// Opens a file created by a store; fails for any other file.
  init(_ fileName: String, in storage: any Storage) throws(BenchmarkError) {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(storage.path(of: fileName), &handle, flags, storage.vfsName)
    guard code == SQLITE_OK, let handle else {
      let message = String(cString: sqlite3_errstr(code))
      close()
      throw .floor(code: code, message: "\(fileName): \(message)")
    }
    do throws(BenchmarkError) {
      try prepare("PRAGMA synchronous = FULL").run()
      try prepare("PRAGMA cache_size = -32768").run()
      try prepare("PRAGMA wal_autocheckpoint = 4000").run()
      guard try integer("PRAGMA application_id") == Self.applicationID else {
        throw .disagreement("\(fileName) is not a file of a store")
      }
      let journal = try prepare("PRAGMA journal_mode")
      guard try journal.row(), journal.bytes(0).elementsEqual("wal".utf8) else {
        throw .disagreement("\(fileName) has no write-ahead log")
      }
      journal.reset()
    } catch {
      sqlite3_close_v2(handle)
      throw error
    }
  }

  deinit { close() }

  /// Compiles a statement, which is valid as long as the database is open.
  func prepare(_ sql: String) throws(BenchmarkError) -> RawStatement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw .floor(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
    let statement = RawStatement(handle: prepared)
    statements.append(statement)
    return statement
  }

  /// The texts of all statements compiled so far.
  var statementTexts: [String] {
    statements.compactMap { sqlite3_sql($0.handle).map { String(cString: $0) } }
  }

  /// The integer in the first column of the first row.
  func integer(_ sql: String) throws(BenchmarkError) -> Int64 {
    let statement = try prepare(sql)
    defer { statement.reset() }
    return try statement.row() ? statement.integer(0) : 0
  }

  func close() {
    for statement in statements { sqlite3_finalize(statement.handle) }
    statements = []
    sqlite3_close_v2(handle)
    handle = nil
  }
}
