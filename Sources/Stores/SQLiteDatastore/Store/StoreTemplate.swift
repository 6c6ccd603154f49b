internal import Datastore
internal import JSON
internal import Storage
internal import Synchronization

/// An empty store in memory, of which new stores are copies.
///
/// To copy its pages takes a small part of the time that running the schema takes, and a test, a
/// vector or a simulated device begins with a new store.
final class StoreTemplate: @unchecked Sendable {
  // Whoever takes a template has it alone until it is put back: that makes it safe to send.
  static let idle = Mutex<[StoreTemplate]>([])

  let storage = MemoryStorage()
  private let connection: Connection

  private init() throws(SQLiteError) {
    let fileName = "template.sqlite"
    storage[fileName] = []
    connection = try Connection(fileName, in: storage, busyMilliseconds: 0)
    // Every commit is synced: of what is not, the storage keeps what was there before, for ever.
    try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL")
    try connection.execute(Schema.creation)
  }

  /// Makes an empty store of the file; false when the file has more in it than a new one.
  static func copy(
    to connection: Connection, _ identity: StoreIdentity
  ) throws(SQLiteError) -> Bool {
    let waiting = idle.withLock { $0.popLast() }
    let template = if let waiting { waiting } else { try StoreTemplate() }
    defer { idle.withLock { $0.append(template) } }
    try template.connection.insert(identity)
    return try connection.replacePages(by: template.connection)
  }
}
