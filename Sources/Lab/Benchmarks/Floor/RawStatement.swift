internal import CSQLite

/// A compiled statement: only the calls of the C interface.
///
/// Bound bytes are not copied. They must stay valid until the statement is reset.
struct RawStatement {
  let handle: OpaquePointer

  /// Binds a number; a binding fails only without memory, which the next step reports.
  @inline(__always)
  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  @inline(__always)
  func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

  @inline(__always)
  func bind(_ index: Int32, text: UnsafeRawBufferPointer) {
    sqlite3_bind_text(
      handle, index, text.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(text.count), nil)
  }

  @inline(__always)
  func bind(_ index: Int32, blob: UnsafeRawBufferPointer) {
    sqlite3_bind_blob(handle, index, blob.baseAddress, Int32(blob.count), nil)
  }

  /// Moves to the next row; false at the end.
  @inline(__always)
  func row() throws(BenchmarkError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// Runs a statement without rows.
  @inline(__always)
  func run() throws(BenchmarkError) {
    while try row() {}
    reset()
  }

  @inline(__always)
  func reset() { sqlite3_reset(handle) }

  @inline(__always)
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The bytes of a text or a blob, valid until the next step.
  @inline(__always)
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  private func failure(_ code: Int32) -> BenchmarkError {
    let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
    let sql = sqlite3_sql(handle).map { String(cString: $0) } ?? ""
    return .floor(code: code, message: "\(message) in \(sql)")
  }
}
