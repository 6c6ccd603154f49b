internal import CSQLite
internal import JSON

/// One compiled statement.
final class Statement {
  let handle: OpaquePointer
  private unowned let connection: Connection

  /// Compiles the first statement of the text; one that is kept is given memory that lasts.
  init(_ sql: String, on connection: Connection, isKept: Bool) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw connection.failure(code) }
    handle = prepared
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds the parameters, the first one to `?1`.
  func bind(_ parameters: [Parameter]) throws(SQLiteError) {
    for (index, parameter) in parameters.enumerated() {
      let code = parameter.bind(to: handle, at: Int32(index + 1))
      if code != SQLITE_OK { throw connection.failure(code) }
    }
  }

  /// Moves to the next row; false when there is none.
  func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.failure(code)
    }
  }

  /// Makes the statement ready for its next use and lets go of what was bound.
  func reset() {
    // The code repeats the failure of the last step, which was thrown then.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// The database file that the statement runs on.
  var fileName: String { connection.fileName }

  // MARK: The current row

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The bytes of a text or a blob, valid until the next step.
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    // The pointer must be asked for before the length: it may convert the value.
    let start = sqlite3_column_blob(handle, column)
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self),
      count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  /// The text of a text or a blob.
  func text(_ column: Int32) throws(SQLiteError) -> Text {
    guard let text = Text(validating: bytes(column)) else {
      throw .corrupt(connection.fileName, "it holds a text that is not UTF-8")
    }
    return text
  }
}

/// A value for a parameter of a statement; lengths are explicit, so that NUL is a byte like others.
enum Parameter {
  case null
  case integer(Int64)
  case text(Text)
  /// The UTF-8 bytes of a text as a blob: for names that may hold NUL, which SQL text may not.
  case bytes(Text)
  case blob([UInt8])
  /// The bytes of a text that is UTF-8 for sure.
  case utf8([UInt8])

  fileprivate func bind(to handle: OpaquePointer, at index: Int32) -> Int32 {
    let transient = touchstone_sqlite_transient()
    switch self {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let value): return sqlite3_bind_int64(handle, index, value)
    case .text(let text):
      // Without memory behind it SQLite would take an empty text for NULL.
      if text.isEmpty { return sqlite3_bind_text(handle, index, "", 0, transient) }
      return text.withBytes { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            handle, index, characters.baseAddress, UInt64(characters.count), transient,
            UInt8(SQLITE_UTF8))
        }
      }
    case .bytes(let text): return text.withBytes { Self.bind($0, to: handle, at: index) }
    case .blob(let bytes):
      return bytes.withUnsafeBufferPointer { Self.bind($0, to: handle, at: index) }
    case .utf8(let bytes):
      return bytes.withUnsafeBytes { bytes in
        sqlite3_bind_text64(
          handle, index, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
      }
    }
  }

  private static func bind(
    _ bytes: UnsafeBufferPointer<UInt8>, to handle: OpaquePointer, at index: Int32
  ) -> Int32 {
    guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
    return sqlite3_bind_blob64(
      handle, index, bytes.baseAddress, UInt64(bytes.count), touchstone_sqlite_transient())
  }
}

extension Parameter {
  static func integer(_ value: Int) -> Parameter { .integer(Int64(value)) }
  static func flag(_ value: Bool) -> Parameter { .integer(value ? 1 : 0) }
  static func optional(_ value: Int64?) -> Parameter { value.map { .integer($0) } ?? .null }
}
