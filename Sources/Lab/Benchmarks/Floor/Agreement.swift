internal import CSQLite

/// Compares two databases after the same work: evidence that the baseline does all of it.
enum Agreement {
  /// The rows that must be equal; only the incarnation of a store may differ.
  private static let queries = [
    "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
    "SELECT * FROM document ORDER BY sequence",
    "SELECT * FROM revision ORDER BY document, generation, rev",
    """
    SELECT revision_ids, collation, history_limit, refuse, last_sequence, live_documents,
      deleted_documents
    FROM store
    """,
    "SELECT * FROM long_body ORDER BY number",
    "SELECT * FROM local ORDER BY id",
  ]

  /// Fails at the first row that differs.
  static func check(_ store: RawDatabase, _ floor: RawDatabase) throws(BenchmarkError) {
    for query in queries {
      let (left, right) = (try store.prepare(query), try floor.prepare(query))
      var row = 1
      while true {
        let (leftHasRow, rightHasRow) = (try left.row(), try right.row())
        guard leftHasRow == rightHasRow else {
          let shorter = leftHasRow ? "the floor" : "the store"
          throw .disagreement("\(shorter) ends at row \(row) of \(query)")
        }
        guard leftHasRow else { break }
        try compare(left, right, place: "row \(row) of \(query)")
        row += 1
      }
      left.reset()
      right.reset()
    }
  }

  private static func compare(
    _ left: RawStatement, _ right: RawStatement, place: String
  ) throws(BenchmarkError) {
    let columnCount = sqlite3_column_count(left.handle)
    guard columnCount == sqlite3_column_count(right.handle) else {
      throw .disagreement("the columns of \(place)")
    }
    for column in 0..<columnCount {
      // The type first: reading the bytes of an integer makes it a text.
      let type = sqlite3_column_type(left.handle, column)
      guard type == sqlite3_column_type(right.handle, column),
        left.bytes(column).elementsEqual(right.bytes(column))
      else {
        let name = sqlite3_column_name(left.handle, column).map { String(cString: $0) } ?? "?"
        throw .disagreement("column \(name) in \(place)")
      }
    }
  }
}
