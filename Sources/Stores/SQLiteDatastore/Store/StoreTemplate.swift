internal import Datastore
internal import JSON
internal import Storage
internal import Synchronization

/// An empty store in memory, from which new stores are copied.
///
/// Copying its pages takes a small part of the time of running the schema, and each test, vector
/// and simulated device begins with a new store.
final class StoreTemplate: @unchecked Sendable {
  // A template is used exclusively between its removal from this list and its return, which makes
  // it safe to send.
  static let idle = Mutex<[StoreTemplate]>([])

  let storage = MemoryStorage()
  private let connection: Connection
  private let pageBytes: Int

  private init(pageBytes: Int) throws(SQLiteError) {
    self.pageBytes = pageBytes
    let fileName = "template.sqlite"
    storage[fileName] = []
    connection = try Connection(fileName, in: storage, busyMilliseconds: 0)
    // Every commit is synced, because the storage keeps the replaced bytes of unsynced changes
    // indefinitely.
    try connection.execute(
      """
      PRAGMA page_size = \(pageBytes);
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = FULL
      """)
    try connection.execute(Schema.creation)
  }

  /// Copies the template to an empty file; returns false if the file contains more than a new one.
  static func copy(
    to connection: Connection, _ identity: StoreIdentity, pageBytes: Int
  ) throws(SQLiteError) -> Bool {
    let waiting = idle.withLock { idle in
      idle.lastIndex { $0.pageBytes == pageBytes }.map { idle.remove(at: $0) }
    }
    let template = if let waiting { waiting } else { try StoreTemplate(pageBytes: pageBytes) }
    defer { idle.withLock { $0.append(template) } }
    try template.connection.insert(identity)
    return try connection.replacePages(by: template.connection, pageBytes: pageBytes)
  }
}
