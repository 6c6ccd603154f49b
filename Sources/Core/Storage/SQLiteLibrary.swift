internal import CSQLite

/// The process-wide configuration of SQLite, applied before its first use.
enum SQLiteLibrary {
  /// Configures SQLite on first access.
  ///
  /// Memory statistics are disabled: nothing reads them, and they cost a lock for every allocation.
  static let isSetUp: Void = {
    // The call fails if the program has already used SQLite; then the configuration does not
    // change.
    _ = touchstone_sqlite_disable_memory_statistics()
  }()
}
