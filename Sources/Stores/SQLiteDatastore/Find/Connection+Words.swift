internal import Datastore
internal import JSON

// Each index of words is an FTS5 table with the id of the document and a column for each field. Its
// statements depend on its number, so they are not a fixed set.

extension Connection {
  func createWords(_ index: Int64, columns: Int) throws(DatastoreError) {
    let names = (0..<columns).map { "c\($0)" }.joined(separator: ", ")
    try executeStatement(
      """
      CREATE VIRTUAL TABLE words_\(index) USING fts5(
        id UNINDEXED, \(names), tokenize = 'ascii', detail = column)
      """)
  }

  func dropWords(_ index: Int64) throws(DatastoreError) {
    wordStatements = wordStatements.filter { $0.key.index != index }
    try executeStatement("DROP TABLE words_\(index)")
  }

  private func executeStatement(_ sql: String) throws(DatastoreError) {
    do throws(SQLiteError) { try execute(sql) } catch { throw DatastoreError(error) }
  }

  func insertWords(
    _ index: Int64, _ document: Int64, id: DocumentID, texts: [JSONString?]
  ) throws(DatastoreError) {
    var statement = try words(.insert(columns: texts.count), index).integer(document).text(id.text)
    for text in texts { statement = statement.text(text) }
    try statement.run()
  }

  func deleteWords(_ index: Int64, _ document: Int64) throws(DatastoreError) {
    try words(.delete, index).integer(document).run()
  }

  /// The ids of the documents that match an FTS5 query.
  func findWords(_ index: Int64, _ query: JSONString) throws(DatastoreError) -> [JSONString] {
    var rows = try words(.find, index).text(query).rows()
    var ids: [JSONString] = []
    while try rows.next() { ids.append(try rows.text(0)) }
    return ids
  }

  private func words(_ query: WordQuery, _ index: Int64) throws(DatastoreError) -> Statement {
    let key = WordStatement(query: query, index: index)
    if let statement = wordStatements[key] { return statement }
    do throws(SQLiteError) {
      let statement = try Statement(query.sql("words_\(index)"), on: self, isKept: true)
      wordStatements[key] = statement
      return statement
    } catch {
      throw DatastoreError(error)
    }
  }
}

/// An operation on an index of words.
enum WordQuery: Hashable {
  case insert(columns: Int)
  case delete
  case find

  fileprivate func sql(_ table: String) -> String {
    switch self {
    case .insert(let columns):
      let names = (0..<columns).map { "c\($0)" }.joined(separator: ", ")
      let places = (0..<columns).map { "?\($0 + 3)" }.joined(separator: ", ")
      return "INSERT INTO \(table) (rowid, id, \(names)) VALUES (?1, ?2, \(places))"
    case .delete: return "DELETE FROM \(table) WHERE rowid = ?1"
    case .find: return "SELECT id FROM \(table) WHERE \(table) MATCH ?1 ORDER BY rowid"
    }
  }
}

/// A statement on one index of words.
struct WordStatement: Hashable {
  let query: WordQuery
  let index: Int64
}
