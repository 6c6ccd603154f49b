internal import CSQLite

/// What is set once for all of SQLite in a process, before its first use.
enum SQLiteLibrary {
  /// Done when this was asked for once.
  ///
  /// Nobody asks how much memory SQLite has, and counting it takes a lock at every allocation.
  static let isSetUp: Void = {
    // Fails when the program has used SQLite before; then it stays as it is.
    _ = touchstone_sqlite_disable_memory_statistics()
  }()
}
