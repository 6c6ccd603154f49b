internal import CSQLite
internal import JSON

/// One compiled statement.
final class Statement {
  let handle: OpaquePointer
  private unowned let connection: Connection
  /// The number of bound parameters.
  fileprivate var boundCount: Int32 = 0
  /// The result code of a parameter that could not be bound.
  fileprivate var bindingCode = SQLITE_OK
  /// The memory of bound bytes until the statement is reset, so SQLite does not copy them.
  fileprivate let scratch: UnsafeMutableRawBufferPointer
  fileprivate var scratchUsed = 0
  /// Whether SQLite copied a value that was too long for that memory.
  fileprivate var hasCopies = false

  /// Compiles the first statement of the text; a kept statement uses long-lived memory.
  init(_ sql: String, on connection: Connection, isKept: Bool) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw connection.failure(code, in: sql)
    }
    handle = prepared
    self.connection = connection
    let hasParameters = sqlite3_bind_parameter_count(prepared) > 0
    scratch = .allocate(byteCount: hasParameters ? Self.scratchBytes : 0, alignment: 1)
  }

  deinit {
    sqlite3_finalize(handle)
    scratch.deallocate()
  }

  private static let scratchBytes = 1024

  /// Moves to the next row; returns false after the last one.
  func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.failure(code, in: sql)
    }
  }

  /// Resets the statement for its next use, which must bind all parameters again.
  func reset() {
    // The code repeats the failure of the last step, which was already thrown.
    sqlite3_reset(handle)
    boundCount = 0
    bindingCode = SQLITE_OK
    scratchUsed = 0
    if hasCopies { sqlite3_clear_bindings(handle) }
    hasCopies = false
  }

  /// Throws if a parameter could not be bound.
  func checkBindings() throws(SQLiteError) {
    if bindingCode != SQLITE_OK { throw connection.failure(bindingCode, in: sql) }
  }

  private var sql: String? { sqlite3_sql(handle).map { String(cString: $0) } }

  /// The database file of the statement.
  var fileName: String { connection.fileName }

  // MARK: The current row

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The bytes of a text or a blob, valid until the next step.
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    // The pointer must be requested before the length, because the request may convert the value.
    let start = sqlite3_column_blob(handle, column)
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self),
      count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  /// The text of a text or a blob.
  func text(_ column: Int32) throws(SQLiteError) -> JSONString {
    guard let text = JSONString(validating: bytes(column)) else {
      throw .corrupt(connection.fileName, "it contains a text that is not UTF-8")
    }
    return text
  }
}

// MARK: Parameters

// Each call binds the next parameter, the first one `?1`. Lengths are explicit, so NUL has no
// special meaning.
extension Statement {
  func null() -> Statement { bound(sqlite3_bind_null(handle, boundCount + 1)) }

  func integer(_ value: Int64?) -> Statement {
    guard let value else { return null() }
    return bound(sqlite3_bind_int64(handle, boundCount + 1, value))
  }

  func flag(_ value: Bool) -> Statement { integer(value ? 1 : 0) }

  func text(_ text: JSONString?) -> Statement {
    guard let text else { return null() }
    return text.withBytes { bind($0, isText: true) }
  }

  /// Binds the bytes of a text that is known to be UTF-8.
  func utf8(_ bytes: [UInt8]) -> Statement {
    bytes.withUnsafeBufferPointer { bind($0, isText: true) }
  }

  /// Binds a text as a blob: for names that may contain NUL, which SQL text may not.
  func bytes(_ text: JSONString?) -> Statement {
    guard let text else { return null() }
    return text.withBytes { bind($0, isText: false) }
  }

  func blob(_ bytes: [UInt8]?) -> Statement {
    guard let bytes else { return null() }
    return bytes.withUnsafeBufferPointer { bind($0, isText: false) }
  }

  private func bind(_ bytes: UnsafeBufferPointer<UInt8>, isText: Bool) -> Statement {
    let index = boundCount + 1
    let count = UInt64(bytes.count)
    guard let start = bytes.baseAddress, bytes.count <= scratch.count - scratchUsed else {
      hasCopies = true
      // With a null pointer SQLite would treat an empty value as NULL.
      return withUnsafePointer(to: 0 as UInt8) { empty in
        let start = UnsafeRawPointer(bytes.baseAddress ?? empty)
          .assumingMemoryBound(to: CChar.self)
        let transient = touchstone_sqlite_transient()
        return bound(
          isText
            ? sqlite3_bind_text64(handle, index, start, count, transient, UInt8(SQLITE_UTF8))
            : sqlite3_bind_blob64(handle, index, start, count, transient))
      }
    }
    let copy = UnsafeMutableRawBufferPointer(rebasing: scratch[scratchUsed...])
    copy.baseAddress?.copyMemory(from: start, byteCount: bytes.count)
    scratchUsed += bytes.count
    let place = UnsafeRawPointer(copy.baseAddress)
    return bound(
      isText
        ? sqlite3_bind_text64(
          handle, index, place?.assumingMemoryBound(to: CChar.self), count, nil, UInt8(SQLITE_UTF8))
        : sqlite3_bind_blob64(handle, index, place, count, nil))
  }

  private func bound(_ code: Int32) -> Statement {
    boundCount += 1
    if code != SQLITE_OK { bindingCode = code }
    return self
  }
}
