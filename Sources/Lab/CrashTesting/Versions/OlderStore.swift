internal import CSQLite
internal import Datastore
internal import Digest
internal import Storage

/// A store that an earlier version of the program wrote, with its expected state.
///
/// Earlier versions of the program wrote the database, as statements, and one line for each
/// operation: here with its outcome, elsewhere without. So checkpoints, sequences and digests are
/// real, and both sides of the sessions have the same checkpoints.
struct OlderStore: Sendable {
  /// The version of the schema.
  let version: Int
  /// The database as SQL in UTF-8, in the form of `.dump` of SQLite's shell.
  let statements: [UInt8]
  /// Operations in order: `{"here": …, "outcome": …}` or `{"elsewhere": …}`.
  let lines: String
  /// The contents of attachments, which are in separate files.
  var contents: [String] = []
  /// True if the process was killed, and everything is in the log.
  var isLogLeft = false

  /// The same store, left by a process that was killed before a checkpoint of its log.
  var withLogLeft: OlderStore {
    var store = self
    store.isLogLeft = true
    return store
  }

  /// Writes the files, and reports the acknowledged operations to a world.
  func install(in world: CrashWorld) throws(HarnessError) {
    try writeFiles(in: world.storage)
    for line in lines.utf8.split(separator: UInt8(ascii: "\n")) {
      try world.take(try CrashWorldEvent(line: line))
    }
  }

  /// Writes the database and the contents of attachments.
  func writeFiles(in storage: any Storage) throws(HarnessError) {
    try writeDatabase(in: storage)
    do throws(StorageError) {
      for content in contents { try write(Array(content.utf8), in: storage) }
      try storage.syncDirectory()
    } catch {
      throw HarnessError("the store of version \(version) cannot be written: \(error)")
    }
  }

  /// Writes content to its file in the store.
  private func write(_ bytes: [UInt8], in storage: any Storage) throws(StorageError) {
    let digest = DigestAlgorithm.sha256.digest(of: bytes).hexadecimal
    let file = try storage.open("\(CrashScenario.fileName)-\(digest).blob", .replacing)
    try bytes.span.withUnsafeBytes { (bytes) throws(StorageError) in
      try file?.write(bytes, at: 0)
    }
    try file?.sync()
  }

  private func writeDatabase(in storage: any Storage) throws(HarnessError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    defer { sqlite3_close_v2(handle) }
    let path = storage.path(of: CrashScenario.fileName)
    let dump = String(decoding: statements, as: UTF8.self)
    let sql = "PRAGMA journal_mode = WAL; BEGIN; \(dump) COMMIT;"
    guard sqlite3_open_v2(path, &handle, flags, storage.vfsName) == SQLITE_OK,
      sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
    else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
      throw HarnessError("the store of version \(version) cannot be written: \(message)")
    }
    if isLogLeft, let handle { touchstone_sqlite_disable_checkpoint_on_close(handle) }
  }
}
