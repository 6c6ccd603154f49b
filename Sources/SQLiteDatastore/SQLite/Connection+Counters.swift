internal import CSQLite

extension Connection {
  /// How much work the database did: what a test compares to see how cost grows.
  struct Work: Equatable {
    /// Steps of SQLite's virtual machine.
    var machineSteps = 0
    /// Pages looked at, in the cache or not.
    var pages = 0
  }

  /// The work since the last call; the counters start again at 0.
  func takeWork() -> Work {
    var work = Work()
    for statement in preparedStatements {
      work.machineSteps += Int(
        sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 1))
    }
    for counter in [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS] {
      var (current, highest): (Int32, Int32) = (0, 0)
      sqlite3_db_status(handle, counter, &current, &highest, 1)
      work.pages += Int(current)
    }
    return work
  }
}
