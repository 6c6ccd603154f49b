import Storage

/// The baseline for a change of a store's file: the differing rows, each written once, by plain SQL
/// in one transaction.
///
/// It works on a copy of the file from before the change, so it has the store's own schema. The
/// differences are found by comparing the files, independent of how the store writes.
final class RowBaseline {
  private let storage: MemoryStorage
  private let database: RawDatabase
  private static let fileName = "notes.sqlite"
  private static let nextName = "next.sqlite"

  /// A copy of a store's files, opened with the store's settings.
  init(of storage: MemoryStorage, checkpointPages: Int = 4000) {
    self.storage = storage.copy()
    database = RawDatabase(Self.fileName, in: self.storage)
    database.execute(
      """
      PRAGMA synchronous = FULL; PRAGMA cache_size = -32768;
      PRAGMA wal_autocheckpoint = \(checkpointPages);
      """)
    // The copied log is read now, not while writes are counted.
    _ = database.rows("SELECT 1 FROM store")
  }

  /// The counted writes of one side.
  struct Writing: Equatable {
    let syncs: Int
    /// Syncs that make names of files durable.
    let folderSyncs: Int
    let pages: Int

    /// The writes to database and log between two moments.
    init(from start: StorageCounts, to end: StorageCounts) {
      syncs = end[.sync] - start[.sync]
      folderSyncs = end[.syncDirectory] - start[.syncDirectory]
      // A page of the log has a header, which is a separate step.
      pages =
        (end[.write, .wal] - start[.write, .wal]) / 2
        + (end[.write, .database] - start[.write, .database])
    }
  }

  /// Applies the difference to the next state of the store, and returns the cost; nil if the
  /// results differ.
  func follow(to next: MemoryStorage) -> Writing? {
    let script = RowDifference(storage, next).script
    let start = storage.counts
    guard database.execute("BEGIN IMMEDIATE; \(script) COMMIT") == 0 else { return nil }
    let writing = Writing(from: start, to: storage.counts)
    return RowDifference(storage, next).script.isEmpty ? writing : nil
  }

  /// The rows in which two states of a store's file differ.
  private struct RowDifference {
    /// The statements that transform one state into the other.
    let script: String

    init(_ before: MemoryStorage, _ after: MemoryStorage) {
      let both = before.copy()
      for suffix in ["", "-wal"] {
        both[RowBaseline.nextName + suffix] = after[RowBaseline.fileName + suffix]
      }
      let database = RawDatabase(RowBaseline.fileName, in: both)
      database.execute("ATTACH '\(RowBaseline.nextName)' AS next")
      let tables = database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
      let statements = tables.flatMap { Self.statements(for: $0[0], database) }
      // Keys are freed before they are reused.
      script = (statements.map { $0.deletes } + statements.map { $0.others })
        .flatMap { $0 }.map { $0 + ";" }.joined(separator: "\n")
    }

    private typealias Statements = (deletes: [String], others: [String])

    private static func statements(
      for table: String, _ database: RawDatabase
    ) -> [Statements] {
      let columns = database.rows("SELECT name, pk FROM pragma_table_info('\(table)')")
      let names = columns.map { $0[0] }
      let keys = columns.indices.filter { columns[$0][1] != "0" }
      let literals = names.map { "quote(\($0))" }.joined(separator: ", ")
      func rows(_ schema: String, butNot other: String) -> [[String]] {
        database.rows(
          """
          SELECT \(literals) FROM \(schema).\(table)
          EXCEPT SELECT \(literals) FROM \(other).\(table)
          """)
      }
      func key(_ row: [String]) -> [String] { keys.map { row[$0] } }
      func place(_ row: [String]) -> String {
        keys.map { "\(names[$0]) = \(row[$0])" }.joined(separator: " AND ")
      }
      let old = rows("main", butNot: "next")
      let new = rows("next", butNot: "main")
      let oldByKey = Dictionary(uniqueKeysWithValues: old.map { (key($0), $0) })
      let newKeys = Set(new.map(key))
      let deletes = old.filter { !newKeys.contains(key($0)) }.map {
        "DELETE FROM \(table) WHERE \(place($0))"
      }
      let others = new.map { row in
        guard let known = oldByKey[key(row)] else {
          return "INSERT INTO \(table) VALUES (\(row.joined(separator: ", ")))"
        }
        let changed = names.indices.filter { row[$0] != known[$0] }
        let values = changed.map { "\(names[$0]) = \(row[$0])" }.joined(separator: ", ")
        return "UPDATE \(table) SET \(values) WHERE \(place(row))"
      }
      return [(deletes, others)]
    }
  }
}
