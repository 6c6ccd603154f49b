internal import CSQLite
internal import Datastore
internal import JSON
internal import Storage

// Opening finds one of four things under a name: nothing yet, a store, a store of a later version,
// or a file that is someone else's or no longer whole. Only the first two are touched.

extension Store {
  /// What `open` asks a store to be; nil asks for nothing in particular.
  struct Wishes {
    let revisionIDs: RevisionIDProfile?
    let collation: CollationName?

    init(revisionIDs: RevisionIDProfile?, collation: CollationName?) {
      // Without attachments both spell the same digest, and one name must do for both.
      self.revisionIDs = revisionIDs == .own ? .cdtDigest2 : revisionIDs
      self.collation = collation
    }

    /// Fails with `badRequest` when a store is another than wished for.
    func check(_ identity: StoreIdentity) throws(DatastoreError) {
      if let revisionIDs, revisionIDs != identity.revisionIDs {
        throw DatastoreError(
          .badRequest(path: "revisionIDs"), "the store has \(identity.revisionIDs.rawValue)")
      }
      if let collation, collation != identity.collation {
        throw DatastoreError(
          .badRequest(path: "collation"), "the store has \(identity.collation.rawValue)")
      }
    }
  }

  /// Opens the store in a file, made when it is not there; `incarnation` is asked for only then.
  ///
  /// Nil says that nobody knows whether it was made.
  static func open(
    _ fileName: String, in storage: any Storage, busyMilliseconds: Int32,
    checkpointPages: Int? = nil,
    _ wishes: Wishes, incarnation: () -> JSONString
  ) throws(DatastoreError) -> Store? {
    // Even a reader of a log writes: into the log's index. So there is no store to be read only.
    if storage.isReadOnly {
      throw DatastoreError(.storage(.readOnly), "the folder of \(fileName) is read-only")
    }
    try checkSizes(fileName, in: storage)
    do throws(StorageError) { try storage.create(fileName) } catch { throw DatastoreError(error) }
    let connection = try connect(
      fileName, in: storage, busyMilliseconds: busyMilliseconds,
      checkpointPages: checkpointPages ?? Self.checkpointPages)
    let isNew = try isNew(connection)
    do throws(SQLiteError) {
      try connection.useWriteAheadLog()
      try connection.adoptLog()
      if isNew {
        try create(
          on: connection,
          StoreIdentity(
            incarnation: incarnation(), revisionIDs: wishes.revisionIDs ?? .cdtDigest2,
            collation: wishes.collation ?? .bytes))
      } else {
        try migrate(connection)
      }
    } catch {
      if connection.isInDoubt { return nil }
      throw DatastoreError(error)
    }
    // SQLite asks for this when it first syncs a log, and does not hear when it fails.
    do throws(StorageError) { try storage.syncDirectory() } catch { throw DatastoreError(error) }
    guard let (identity, row) = try load(connection) else {
      throw DatastoreError(.storage(.corrupt), "\(fileName) has no row about its store")
    }
    try wishes.check(identity)
    let store = Store(connection: connection, identity: identity, row: row)
    if !isNew { store.removeAbandonedParts() }
    return store
  }

  /// Fails with `corrupt` when the lengths of the files alone say that something was lost.
  ///
  /// SQLite takes an empty file for a new database and then throws its log away. But no store has
  /// an empty file and a log at any time, not even while it is made: the change to the log's mode
  /// writes the first page of the file, and only then is there a log to write to.
  private static func checkSizes(
    _ fileName: String, in storage: any Storage
  ) throws(DatastoreError) {
    let (log, journal, size): (Int, Int, Int)
    do throws(StorageError) {
      // The log before the file: another process that makes the store just now has the file first.
      log = try storage.size(of: fileName + "-wal") ?? 0
      journal = try storage.size(of: fileName + "-journal") ?? 0
      size = try storage.size(of: fileName) ?? 0
    } catch {
      throw DatastoreError(error)
    }
    if size == 0 && log > 0 {
      throw DatastoreError(
        .storage(.corrupt),
        "\(fileName) is missing or empty, and \(fileName)-wal with its latest writes is not")
    }
    // A journal undoes a write that was cut off.
    if (1..<DatabaseOwner.headerBytes).contains(size) && journal == 0 {
      throw DatastoreError(
        .storage(.corrupt), "\(fileName) is not a database: it ends after \(size) bytes")
    }
  }

  /// The most memory that the pages of a store are kept in, taken as they are used.
  ///
  /// Ids come in no order, so a batch of new documents touches pages all over the indexes of ids. When
  /// they do not fit, SQLite writes them to the log, and reads them back, many times per batch.
  private static let cacheKibibytes = 32_768

  /// How many pages the log has before they are moved into the file: about half of what is kept in
  /// memory. A page that changes in each batch is moved once for many of them.
  private static let checkpointPages = 4000

  /// A connection with the settings that every store has.
  private static func connect(
    _ fileName: String, in storage: any Storage, busyMilliseconds: Int32, checkpointPages: Int
  ) throws(DatastoreError) -> Connection {
    do throws(SQLiteError) {
      let connection = try Connection(
        fileName, in: storage, busyMilliseconds: busyMilliseconds)
      if connection.isReadOnly {
        throw SQLiteError(code: SQLITE_READONLY, fileName: fileName, reason: "read-only")
      }
      try connection.execute(
        """
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA cache_size = \(-cacheKibibytes);
        PRAGMA wal_autocheckpoint = \(checkpointPages);
        """)
      return connection
    } catch {
      throw DatastoreError(error)
    }
  }

  /// Whether a file holds nothing yet; fails when it holds anything but a store of this version.
  private static func isNew(_ connection: Connection) throws(DatastoreError) -> Bool {
    let fileName = connection.fileName
    let owner: DatabaseOwner
    do throws(SQLiteError) { owner = try connection.owner() } catch { throw DatastoreError(error) }
    let refusal: DatastoreError
    switch owner {
    case .nobody: return true
    case .store(Schema.oldestVersion...Schema.version): return false
    case .store(let version):
      refusal = DatastoreError(
        .storage(version > Schema.version ? .newerVersion : .corrupt),
        "\(fileName) is a store of version \(version); this program reads \(Schema.version)")
    case .other(let application):
      refusal = DatabaseOwner.refusal(fileName, application: application)
    }
    connection.leave()
    throw refusal
  }

  /// Makes a store in an empty file, unless another process has done so in the meantime.
  private static func create(
    on connection: Connection, _ identity: StoreIdentity
  ) throws(SQLiteError) {
    if try StoreTemplate.copy(to: connection, identity) { return }
    // A database without tables that is not new, or is not empty any more.
    try connection.execute("BEGIN IMMEDIATE")
    defer { connection.rollback() }
    if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
      try connection.execute(Schema.creation)
      try connection.insert(identity)
    }
    try connection.commit()
  }
}

extension Store {
  /// Makes a store of an older version one of this, unless another process has done so meanwhile.
  private static func migrate(_ connection: Connection) throws(SQLiteError) {
    guard try connection.integer("PRAGMA user_version") < Schema.version else { return }
    try connection.execute("BEGIN IMMEDIATE")
    defer { connection.rollback() }
    let version = try connection.integer("PRAGMA user_version")
    if version < Schema.version { try connection.execute(Schema.migration(from: version)) }
    try connection.commit()
  }
}

extension Connection {
  /// Writes what holds for the store as a whole, into an empty store.
  func insert(_ identity: StoreIdentity) throws(SQLiteError) {
    let statement = try statement(.insertStore).text(identity.incarnation)
      .text(JSONString(identity.revisionIDs.rawValue)).text(JSONString(identity.collation.rawValue))
    defer { statement.reset() }
    try statement.checkBindings()
    _ = try statement.step()
  }
}
