import CSQLite

@testable import SQLiteDatastore

/// The work of a database, according to SQLite's own counters.
struct Work: Equatable {
  /// Steps of SQLite's virtual machine, for all prepared statements.
  var machineSteps = 0
  /// Pages accessed, cached or not.
  var pages = 0
  /// Steps forward in an unbounded loop over a table or an index.
  var fullScanSteps = 0
  /// Sorts, and automatic indexes.
  var makeshifts = 0
  /// The texts of the executed statements.
  var statements: Set<String> = []

  static func += (total: inout Work, more: Work) {
    total.machineSteps += more.machineSteps
    total.pages += more.pages
    total.fullScanSteps += more.fullScanSteps
    total.makeshifts += more.makeshifts
    total.statements.formUnion(more.statements)
  }
}

extension Connection {
  /// The work since the last call; resets the counters.
  func takeWork() -> Work {
    var work = Work()
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next {
      func take(_ counter: Int32) -> Int { Int(sqlite3_stmt_status(statement, counter, 1)) }
      work.machineSteps += take(SQLITE_STMTSTATUS_VM_STEP)
      work.fullScanSteps += take(SQLITE_STMTSTATUS_FULLSCAN_STEP)
      work.makeshifts += take(SQLITE_STMTSTATUS_SORT) + take(SQLITE_STMTSTATUS_AUTOINDEX)
      if take(SQLITE_STMTSTATUS_RUN) > 0, let sql = sqlite3_sql(statement) {
        work.statements.insert(String(cString: sql))
      }
      next = sqlite3_next_stmt(handle, statement)
    }
    for counter in [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS] {
      var (current, highest): (Int32, Int32) = (0, 0)
      sqlite3_db_status(handle, counter, &current, &highest, 1)
      work.pages += Int(current)
    }
    return work
  }
}
