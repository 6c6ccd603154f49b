internal import CSQLite

/// The process-wide configuration of SQLite, applied before its first use.
package enum SQLiteLibrary {
  /// Configures SQLite on first access.
  ///
  /// Memory statistics are disabled: nothing reads them, and they cost a lock for every allocation.
  static let isSetUp: Void = {
    // The call fails if the program has already used SQLite; then the configuration does not
    // change.
    _ = touchstone_sqlite_disable_memory_statistics()
  }()

  /// Gives SQLite the random numbers of a seed, from which it takes the salts of logs.
  ///
  /// All connections of the process share them, so only one thread may use SQLite in a run that is
  /// to be repeated.
  package static func seedRandomness(_ seed: Int32) {
    _ = touchstone_sqlite_seed_randomness(seed)
  }
}
