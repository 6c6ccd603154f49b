internal import CSQLite
internal import Datastore
internal import JSON
internal import Storage

// A name given to `open` has one of 4 states: no file, a store, a store of a later version, or a
// file that belongs to another application or is damaged. Files of the last two are not changed.

extension Store {
  /// The properties requested by `open`; nil leaves the choice to the store.
  struct Wishes {
    let revisionIDs: RevisionIDProfile?
    let collation: CollationName?

    init(revisionIDs: RevisionIDProfile?, collation: CollationName?) {
      // Without attachments both produce the same digest, so they share one name.
      self.revisionIDs = revisionIDs == .own ? .cdtDigest2 : revisionIDs
      self.collation = collation
    }

    /// Throws `badRequest` if a store has other properties than requested.
    func check(_ identity: StoreIdentity) throws(DatastoreError) {
      if let revisionIDs, revisionIDs != identity.revisionIDs {
        throw DatastoreError(
          .badRequest(path: "revisionIDs"),
          "the store already uses \(identity.revisionIDs.rawValue)")
      }
      if let collation, collation != identity.collation {
        throw DatastoreError(
          .badRequest(path: "collation"), "the store already uses \(identity.collation.rawValue)")
      }
    }
  }

  /// The settings of a connection to a store. The file keeps only the page size.
  struct Settings {
    /// The time for which an operation waits for the locks of other processes.
    var busyMilliseconds: Int32
    /// The number of pages in the log before a checkpoint; nil for as many as fill almost half of
    /// the page cache.
    ///
    /// A page that changes in each batch is then moved once for many batches.
    var checkpointPages: Int?
    /// The page size of a new store, in bytes; SQLite's default.
    var pageBytes = 4096
  }

  /// Opens the store in a file and creates it if it is missing; `incarnation` is called only then.
  ///
  /// Returns nil if it is unknown whether the store was created.
  static func open(
    _ fileName: String, in storage: any Storage, _ wishes: Wishes, settings: Settings,
    incarnation: () -> JSONString
  ) throws(DatastoreError) -> Store? {
    // Even a reader of a log writes the log's index, so read-only access is impossible.
    if storage.isReadOnly {
      throw DatastoreError(.storage(.readOnly), "the folder of \(fileName) is read-only")
    }
    try checkSizes(fileName, in: storage)
    do throws(StorageError) { try storage.create(fileName) } catch { throw DatastoreError(error) }
    let connection = try connect(fileName, in: storage, settings)
    let version = try version(connection)
    do throws(SQLiteError) {
      if version == nil { try connection.execute("PRAGMA page_size = \(settings.pageBytes)") }
      try connection.useWriteAheadLog()
      try connection.adoptLog()
      if let version {
        if version < Schema.version { try migrate(connection) }
      } else {
        try create(
          on: connection,
          StoreIdentity(
            incarnation: incarnation(), revisionIDs: wishes.revisionIDs ?? .cdtDigest2,
            collation: wishes.collation ?? .bytes), pageBytes: settings.pageBytes)
      }
    } catch {
      if connection.isInDoubt { return nil }
      throw DatastoreError(error)
    }
    // SQLite syncs the folder when it first syncs a log, but ignores the result.
    do throws(StorageError) { try storage.syncDirectory() } catch { throw DatastoreError(error) }
    guard let (identity, row) = try load(connection) else {
      throw DatastoreError(.storage(.corrupt), "\(fileName) lacks the row of its store")
    }
    try wishes.check(identity)
    let store = Store(connection: connection, identity: identity, row: row)
    if version != nil { store.removeAbandonedParts() }
    return store
  }

  /// Throws `corrupt` if the lengths of the files alone show a loss.
  ///
  /// SQLite treats an empty file as a new database and then discards its log. But no store ever has
  /// both an empty file and a log, not even during its creation: the switch to WAL mode writes the
  /// first page of the file, and only then a log can be written.
  private static func checkSizes(
    _ fileName: String, in storage: any Storage
  ) throws(DatastoreError) {
    let (log, journal, size): (Int, Int, Int)
    do throws(StorageError) {
      // The log before the file: another process that creates the store at the same time writes the
      // file first.
      log = try storage.size(of: fileName + "-wal") ?? 0
      journal = try storage.size(of: fileName + "-journal") ?? 0
      size = try storage.size(of: fileName) ?? 0
    } catch {
      throw DatastoreError(error)
    }
    if size == 0 && log > 0 {
      throw DatastoreError(
        .storage(.corrupt),
        "\(fileName) is missing or empty, but \(fileName)-wal contains its latest writes")
    }
    // A journal rolls back an interrupted write.
    if (1..<DatabaseOwner.headerBytes).contains(size) && journal == 0 {
      throw DatastoreError(
        .storage(.corrupt), "\(fileName) is not a database: it ends after \(size) bytes")
    }
  }

  /// The maximum page cache of a store in KiB, allocated on demand.
  ///
  /// Ids are in random order, so a batch of new documents touches pages all over the indexes of
  /// ids. If they do not fit, SQLite writes them to the log and reads them back many times per
  /// batch.
  private static let cacheKibibytes = 32_768

  /// A connection with the settings of every store.
  private static func connect(
    _ fileName: String, in storage: any Storage, _ settings: Settings
  ) throws(DatastoreError) -> Connection {
    do throws(SQLiteError) {
      let connection = try Connection(
        fileName, in: storage, busyMilliseconds: settings.busyMilliseconds)
      if connection.isReadOnly {
        throw SQLiteError(code: SQLITE_READONLY, fileName: fileName, reason: "read-only")
      }
      connection.distrustSchema()
      connection.setCheckpoint(
        pages: settings.checkpointPages ?? cacheKibibytes * 500 / settings.pageBytes)
      try connection.execute(
        """
        PRAGMA cell_size_check = ON;
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA cache_size = \(-cacheKibibytes);
        """)
      return connection
    } catch {
      throw DatastoreError(error)
    }
  }

  /// The version of the store in a file, or nil if the file is empty; throws if it contains anything
  /// but a store that this program reads.
  private static func version(_ connection: Connection) throws(DatastoreError) -> Int64? {
    let fileName = connection.fileName
    let owner: DatabaseOwner
    do throws(SQLiteError) { owner = try connection.owner() } catch { throw DatastoreError(error) }
    let refusal: DatastoreError
    switch owner {
    case .noOwner: return nil
    case .store(let version) where (Schema.oldestVersion...Schema.version).contains(version):
      return version
    case .store(let version):
      refusal = DatastoreError(
        .storage(version > Schema.version ? .newerVersion : .corrupt),
        "\(fileName) has version \(version) of the store format; this program reads version \(Schema.version)"
      )
    case .other(let application):
      refusal = DatabaseOwner.refusal(fileName, application: application)
    }
    connection.leave()
    throw refusal
  }

  /// Creates a store in an empty file, unless another process has done so in the meantime.
  private static func create(
    on connection: Connection, _ identity: StoreIdentity, pageBytes: Int
  ) throws(SQLiteError) {
    if try StoreTemplate.copy(to: connection, identity, pageBytes: pageBytes) { return }
    // A database without tables that is not new, or is no longer empty.
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
  /// Migrates a store of an older version to this one, unless another process has done so in the
  /// meantime.
  private static func migrate(_ connection: Connection) throws(SQLiteError) {
    try connection.execute("BEGIN IMMEDIATE")
    defer { connection.rollback() }
    let version = try connection.integer("PRAGMA user_version")
    if version < Schema.version { try connection.execute(Schema.migration(from: version)) }
    try connection.commit()
  }
}

extension Connection {
  /// Writes the row of the store into an empty store.
  func insert(_ identity: StoreIdentity) throws(SQLiteError) {
    let statement = try statement(.insertStore).text(identity.incarnation)
      .text(JSONString(identity.revisionIDs.rawValue)).text(JSONString(identity.collation.rawValue))
    defer { statement.reset() }
    try statement.checkBindings()
    _ = try statement.step()
  }
}
