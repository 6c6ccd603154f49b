import CSQLite
import Datastore
import JSON
import SQLiteDatastore
import Storage

// Database files. A damaged file opens, or is refused with an error of the contract. Later operations
// neither trap nor hang.
//
// The first byte selects the meaning of the rest of an input: the whole file; changes of the file of a
// small store; changes of the file and the log of a store that was not closed; or changes of its rows.
// A change of a file has 4 bytes: 3 for the position, and 1 that is added to the byte there. Most bytes
// of a file are 0, so positions below 2^23 count only the other bytes. A change of a row has 3 bytes:
// the column, the number of the row, and the new value.

private let fileName = "a.sqlite"

/// The files of a small store with rows in every table.
// libFuzzer calls from one thread.
private nonisolated(unsafe) let closed = files(isClosed: true)
private nonisolated(unsafe) let open = files(isClosed: false)

/// The digest of partially stored content.
private let digest = "sha256-\(String(repeating: "A", count: 43))="

/// A body that is too large for the row of its revision.
private let longBody = #"{"n": 5, "t": "\#(String(repeating: "delta ", count: 150))"}"#

private func files(isClosed: Bool) -> MemoryStorage {
  let storage = MemoryStorage()
  let store = SQLiteDatastore(storage: storage)
  store.setUp(
    [
      #"{"op": "open"}"#,
      #"{"op": "createIndex", "name": "n", "fields": ["n"]}"#,
      #"{"op": "createIndex", "name": "w", "type": "text", "fields": ["t"]}"#,
      #"""
      {"op": "insertRevisions", "records": [
        {"id": "d", "path": ["3-c", "2-b", "1-a"], "body": {"n": 1, "t": "alpha beta"}},
        {"id": "d", "path": ["2-x", "1-a"], "deleted": true, "body": {}},
        {"id": "d", "path": ["5-q", "4-p"], "body": {"n": [1, {"m": null}]}},
        {"id": "é", "path": ["1-é"], "body": {"n": 0.5, "t": "gamma"}}]}
      """#,
      #"{"op": "create", "id": "f", "body": {"n": -3}, "attachments": {"x": {"type": "text/plain", "data": "aGVsbG8="}}}"#,
      #"{"op": "insertRevisions", "records": [{"id": "long", "path": ["1-a"], "body": \#(longBody)}]}"#,
      #"{"op": "insertRevisions", "records": [{"id": "long", "path": ["2-b", "1-a"], "body": \#(longBody)}]}"#,
      #"{"op": "writeLocal", "id": "l", "body": {"seen": 17}}"#,
      #"{"op": "putBlob", "digest": "\#(digest)", "offset": 0, "bytes": "aGVs"}"#,
    ].map { operation($0) })
  if isClosed { store.setUp([operation(#"{"op": "close"}"#)]) }
  return storage.copy()
}

/// The revision that has an attachment.
private let revision: JSONString = {
  let store = SQLiteDatastore(storage: closed.copy())
  store.setUp([operation(#"{"op": "open"}"#)])
  guard case .ok(.document(let document)) = store.outcome(operation(#"{"op": "read", "id": "f"}"#))
  else { violated("error in the target: there is no document 'f'") }
  return document.rev.text
}()

private let actions = [
  #"{"op": "info"}"#, #"{"op": "list"}"#, #"{"op": "list", "descending": true, "from": "e"}"#,
  #"{"op": "changes"}"#, #"{"op": "changes", "limit": 1}"#,
  #"{"op": "read", "id": "d"}"#, #"{"op": "read", "id": "d", "rev": "2-x"}"#,
  #"{"op": "read", "id": "é"}"#, #"{"op": "read", "id": "f"}"#,
  #"{"op": "read", "id": "long"}"#, #"{"op": "read", "id": "long", "rev": "1-a"}"#,
  #"{"op": "leaves", "id": "d"}"#,
  #"{"op": "getRevisions", "docs": [{"id": "d", "revs": ["3-c", "4-p", "1-a"], "latest": true}]}"#,
  #"{"op": "revsDiff", "revs": [{"id": "d", "revs": ["4-p", "6-z"]}]}"#,
  #"{"op": "readAttachment", "id": "f", "name": "x"}"#,
  #"{"op": "putBlob", "digest": "\#(digest)", "offset": 0, "bytes": ""}"#,
  #"{"op": "putBlob", "digest": "\#(digest)", "offset": 3, "bytes": "bG8="}"#,
  #"{"op": "putBlob", "digest": "\#(digest)", "offset": 1, "bytes": "bG8="}"#,
  #"{"op": "getRevisions", "docs": [{"id": "f", "revs": ["\#(revision)"], "attachmentsSince": []}]}"#,
  #"{"op": "readLocal", "id": "l"}"#,
  #"{"op": "listIndexes"}"#, #"{"op": "find", "selector": {"n": {"$gt": 0}}}"#,
  #"{"op": "find", "selector": {"$text": {"$search": "beta", "$fields": ["t"]}}}"#,
  #"{"op": "explain", "selector": {"n": 1}}"#,
  #"{"op": "create", "id": "g", "body": {"n": 2, "t": "beta"}}"#,
  #"{"op": "update", "id": "d", "rev": "3-c", "body": {"n": 9}}"#,
  #"{"op": "delete", "id": "é", "rev": "1-é"}"#,
  #"{"op": "insertRevisions", "records": [{"id": "d", "path": ["6-r", "5-q", "4-p", "3-c"], "body": {}}]}"#,
  #"{"op": "writeLocal", "id": "l", "body": null}"#, #"{"op": "historyLimit", "limit": 2}"#,
  #"{"op": "resolve", "id": "d", "leaves": ["3-c", "5-q"], "keep": "5-q"}"#,
  #"{"op": "purge", "id": "d", "revs": ["2-x"]}"#,
  #"{"op": "update", "id": "long", "rev": "2-b", "body": \#(longBody)}"#, #"{"op": "compact"}"#,
  #"{"op": "createIndex", "name": "t", "fields": ["t"]}"#, #"{"op": "dropIndex", "name": "w"}"#,
  #"{"op": "close"}"#, #"{"op": "open"}"#, #"{"op": "leaves", "id": "d"}"#, #"{"op": "destroy"}"#,
].map { operation($0) }

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  guard size > 0 else { return 0 }
  let input = bytes(data, size)
  let storage = (input[0] % 4 == 2 ? open : closed).copy()
  switch input[0] % 4 {
  case 0: storage[fileName] = Array(input.dropFirst())
  case 1: damage(storage, [fileName], input.dropFirst())
  case 3: damageRows(storage, input.dropFirst())
  default: damage(storage, [fileName, fileName + "-wal"], input.dropFirst())
  }
  let store = SQLiteDatastore(storage: storage)
  guard case .ok = store.outcome(operation(#"{"op": "open"}"#)) else { return 0 }
  for operation in actions { store.outcome(operation).checkSpelling(of: operation.action) }
  return 0
}

/// Adds to bytes of the concatenated files.
private func damage(_ storage: MemoryStorage, _ names: [String], _ changes: ArraySlice<UInt8>) {
  var contents = names.map { storage[$0] ?? [] }
  let used = contents.indices.flatMap { file in
    contents[file].indices.filter { contents[file][$0] != 0 }.map { (file, $0) }
  }
  var rest = changes
  while rest.count >= 4 {
    let change = Array(rest.prefix(4))
    rest = rest.dropFirst(4)
    let number = Int(change[0] & 0x7f) << 16 | Int(change[1]) << 8 | Int(change[2])
    var (file, place) = used[number % used.count]
    if change[0] & 0x80 != 0 {
      file = number % contents.count
      place = number / contents.count % contents[file].count
    }
    contents[file][place] &+= change[3]
  }
  for (name, content) in zip(names, contents) { storage[name] = content }
}

// MARK: Rows

private struct Column {
  let table: String
  let name: String
  /// The key of the rows of the table.
  let key: String
}

private let columns: [Column] = [
  "store": "only", "document": "sequence", "revision": "document, generation, rev", "local": "id",
  "attachment": "document, generation, rev, name", "blob": "digest", "upload": "digest",
  "field_index": "rowid", "entry": "rowid",
].sorted { $0.key < $1.key }.flatMap { table, key in
  names(of: table).map { Column(table: table, name: $0, key: key) }
}

private let values = [
  "NULL", "-1", "0", "1", "2", "9223372036854775807", "-9223372036854775808", "9007199254740991",
  "9007199254740992", "4294967296", "0.5", "''", "'x'", "'[]'", "'{}'", "'{\"a\":'", "x'00'",
  "x'ff'", "CAST('1-a' AS BLOB)", "CAST('2-b' AS BLOB)", "CAST('9007199254740991-z' AS BLOB)",
  "CAST('0-' AS BLOB)", "zeroblob(300)", "'couchdb'", "'cdt'", "'text'", "x'0000'",
  "'[\"n\",\"t\"]'",
]

private func names(of table: String) -> [String] {
  var found: [String] = []
  meddle(closed.copy()) { handle in
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, "PRAGMA table_info(\(table))", -1, &statement, nil)
    while sqlite3_step(statement) == SQLITE_ROW {
      found.append(String(cString: sqlite3_column_text(statement, 1)))
    }
    sqlite3_finalize(statement)
  }
  check(!found.isEmpty, "error in the target: there is no table '\(table)'")
  return found
}

/// Changes values of columns if SQLite permits it, without checks of types.
private func damageRows(_ storage: MemoryStorage, _ changes: ArraySlice<UInt8>) {
  meddle(storage) { handle in
    // Tables that are not strict accept any type, like a damaged file.
    sqlite3_exec(
      handle,
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT, ', ''), 'STRICT', '')
      """, nil, nil, nil)
  }
  meddle(storage) { handle in
    var rest = changes
    while rest.count >= 3 {
      let change = Array(rest.prefix(3))
      rest = rest.dropFirst(3)
      let column = columns[Int(change[0]) % columns.count]
      let value = values[Int(change[2]) % values.count]
      sqlite3_exec(
        handle,
        """
        PRAGMA ignore_check_constraints = ON;
        UPDATE OR IGNORE \(column.table) SET \(column.name) = \(value)
        WHERE (\(column.key)) = (
          SELECT \(column.key) FROM \(column.table) LIMIT 1 OFFSET \(change[1] % 8))
        """, nil, nil, nil)
    }
  }
}

/// Opens the file with another connection.
private func meddle(_ storage: MemoryStorage, _ meddle: (OpaquePointer?) -> Void) {
  var handle: OpaquePointer?
  sqlite3_open_v2(storage.path(of: fileName), &handle, SQLITE_OPEN_READWRITE, storage.vfsName)
  meddle(handle)
  sqlite3_close_v2(handle)
}
