import Datastore
import Digest
import Foundation
import JSON
import Storage

@testable import SQLiteDatastore

/// A store in a temporary folder with any number of documents, all but the first of them inserted
/// by SQL: a million of them take seconds, but would take minutes through the store in a debug
/// build.
///
/// The rows equal those that the store writes for `record` and `local` of each number; a test
/// compares them.
final class FilledStore {
  let storage: DiskStorage
  let store: Store
  let documentCount: Int
  /// The number of levels of each table and index, as filled.
  let levels: [String: Int]
  private let environment = RunEnvironment(seed: 1)
  private let folder: URL

  static let incarnation = "0123456789abcdef0123456789abcdef"
  private static let fileName = "notes.sqlite"
  private static let attachment = data("content", "what many documents share")

  init(documentCount: Int, bySQL: Bool = true) throws {
    self.documentCount = documentCount
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    storage = try DiskStorage(directory: folder.path)
    let first = try Self.open(storage)
    let drawing = RunEnvironment(seed: 1)
    func perform(_ action: StoreAction) throws { try Self.perform(action, on: first, drawing) }
    try perform(.finding(.createIndex(IndexDefinition("group", fields: ["group"]))))
    let byStore = bySQL ? 1 : documentCount
    try perform(.insertRevisions((0..<byStore).map(Self.record)))
    for number in stride(from: 0, to: byStore, by: 10) {
      try perform(.writeLocal(id: Self.localID(number), body: Self.local(number)))
    }
    first.connection.close()
    if bySQL {
      let code = RawDatabase(Self.fileName, in: storage).execute(Self.filling(documentCount))
      if code != 0 { throw Failure(code: code) }
    }
    levels = try Self.levels(storage)
    store = try Self.open(storage)
  }

  deinit {
    store.connection.close()
    try? FileManager.default.removeItem(at: folder)
  }

  struct Failure: Error {
    let code: Int32
  }

  private static func open(_ storage: DiskStorage) throws -> Store {
    let store = try Store.open(
      fileName, in: storage, Store.Wishes(revisionIDs: nil, collation: nil),
      settings: Store.Settings(busyMilliseconds: 0), incarnation: { JSONString(incarnation) })
    guard let store else { throw Failure(code: 0) }
    return store
  }

  /// Performs an operation that must succeed.
  @discardableResult
  func perform(_ action: StoreAction) throws -> OperationResult {
    try Self.perform(action, on: store, environment)
  }

  @discardableResult
  private static func perform(
    _ action: StoreAction, on store: Store, _ environment: RunEnvironment
  ) throws -> OperationResult {
    let rule = AttachmentRule(inlineBytesMax: 65_536)
    let request = try Request(
      action, collation: store.identity.collation, rule, environment: environment)
    guard let result = try store.perform(request) else { throw Failure(code: 0) }
    if case .inserted(let failures) = result, let error = failures.compactMap({ $0 }).first {
      throw error
    }
    return result
  }

  /// All rows of all tables.
  var dump: [String: [[String]]] {
    let database = RawDatabase(Self.fileName, in: storage)
    let tables = database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map { $0[0] }
    return Dictionary(
      uniqueKeysWithValues: tables.map { table in
        let columns = database.rows("SELECT name FROM pragma_table_info('\(table)')")
        let literals = columns.map { "quote(\($0[0]))" }.joined(separator: ", ")
        return (table, database.rows("SELECT \(literals) FROM \(table) ORDER BY 1, 2, 3"))
      })
  }

  // MARK: Trees

  /// Follows the last entry of each page down to a leaf; all leaves of a tree are on one level.
  private static func levels(_ storage: DiskStorage) throws -> [String: Int] {
    guard let file = try storage.open(fileName, .reading) else { throw Failure(code: 0) }
    let header = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 4)
    defer { header.deallocate() }
    var levels: [String: Int] = [:]
    for row in RawDatabase(fileName, in: storage).rows(rootSQL) {
      var (page, level) = (Int(row[1]) ?? 0, 1)
      while try file.read(at: (page - 1) * 4096, into: header) == 12, [2, 5].contains(header[0]) {
        page = Int(header.load(fromByteOffset: 8, as: UInt32.self).bigEndian)
        level += 1
      }
      levels[row[0]] = level
    }
    return levels
  }

  // The first page begins with the header of the file and contains the tree of the schema.
  private static let rootSQL = "SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 1"

  /// The tables and indexes that statements open.
  func trees(of statements: Set<String>) -> Set<String> {
    let database = RawDatabase(Self.fileName, in: storage)
    let names = Dictionary(
      uniqueKeysWithValues: database.rows(Self.rootSQL).map { ($0[1], $0[0]) })
    var trees: Set<String> = []
    for statement in statements {
      for step in database.rows("EXPLAIN \(statement)") where step[1].hasPrefix("Open") {
        if let name = names[step[3]] { trees.insert(name) }
      }
    }
    return trees
  }

  // MARK: Contents

  static func id(_ number: Int) -> DocumentID { CountedWrite.id(number) }

  static func rev(_ generation: Int, _ number: Int) -> RevisionID {
    CountedWrite.rev(generation, number)
  }

  static func group(_ number: Int) -> JSONString {
    let id = CountedWrite.id(number / 10).text
    return JSONString("g\(id)")
  }

  static func localID(_ number: Int) -> DocumentID { DocumentID(JSONString("local-\(id(number))")) }

  static func local(_ number: Int) -> JSONValue { ["seen": .integer(Int64(number))] }

  /// Two revisions, and in every tenth document an attachment, all with the same content.
  static func record(_ number: Int) -> RevisionRecord {
    RevisionRecord(
      id: id(number), path: [rev(2, number), rev(1, number)],
      body: ["group": .string(group(number)), "n": .integer(Int64(number))],
      attachments: number % 10 == 0 ? [attachment] : [])
  }

  /// The rows of all documents after the first, and of their local documents.
  private static func filling(_ count: Int) -> String {
    let numbers =
      "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT \(count - 1))"
    let name = "printf('-%032x', i * 2654435761 % 0xffffffff)"
    let (first, second) = ("CAST('1' || \(name) AS BLOB)", "CAST('2' || \(name) AS BLOB)")
    let id = "printf('d%06d', i)"
    let group = "printf('gd%06d', i / 10)"
    return """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      BEGIN;
      \(numbers) INSERT INTO document SELECT i + 1, i + 1, 0, 0, \(second), \(id) FROM c;
      \(numbers) INSERT INTO revision
        SELECT i + 1, g, iif(g = 1, \(first), \(second)), iif(g = 1, NULL, \(first)), g = 2, NULL,
          iif(g = 1, NULL, 0),
          iif(g = 1, NULL, printf('{"group":"%s","n":%d}', \(group), i)), NULL
        FROM c CROSS JOIN (SELECT 1 AS g UNION ALL SELECT 2);
      \(numbers) INSERT INTO entry
        SELECT 1, CAST(CAST('@' || \(group) AS BLOB) || x'0001' AS BLOB), \(id), 1 FROM c;
      \(numbers) INSERT INTO attachment
        SELECT i + 1, 2, \(second), name, type, digest, length, revpos, encoding, size, md5, place
        FROM c CROSS JOIN (SELECT * FROM attachment WHERE document = 1) WHERE i % 10 = 0;
      \(numbers) INSERT INTO local
        SELECT 'local-' || \(id), printf('{"seen":%d}', i) FROM c WHERE i % 10 = 0;
      UPDATE store SET last_sequence = \(count), live_documents = \(count);
      COMMIT;
      """
  }
}
