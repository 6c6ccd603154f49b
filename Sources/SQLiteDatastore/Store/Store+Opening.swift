internal import Datastore
internal import JSON
internal import Storage

// Opening finds one of four things under a name: nothing yet, a store, a store of a later version,
// or a file of someone else. Only the first two are touched.

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
  static func open(
    _ fileName: String, in storage: any Storage, busyMilliseconds: Int32, _ wishes: Wishes,
    incarnation: () -> Text
  ) throws(DatastoreError) -> Store {
    // Even a reader of a log writes: into the log's index. So there is no store to be read only.
    if storage.isReadOnly {
      throw DatastoreError(.storage(.readOnly), "the folder of \(fileName) is read-only")
    }
    do throws(StorageError) { try storage.create(fileName) } catch { throw DatastoreError(error) }
    let connection: Connection
    do throws(SQLiteError) {
      connection = try Connection(fileName, in: storage, busyMilliseconds: busyMilliseconds)
      if connection.isReadOnly {
        throw SQLiteError.readOnly("\(fileName) is read-only")
      }
      try connection.execute(
        """
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        PRAGMA foreign_keys = ON;
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        """)
    } catch {
      throw DatastoreError(error)
    }
    let isNew = try isEmpty(connection, fileName)
    do throws(SQLiteError) { try connection.useWriteAheadLog() } catch {
      throw DatastoreError(error)
    }
    if isNew { try create(on: connection, wishes, incarnation: incarnation) }
    guard let (identity, row) = try load(connection) else {
      throw DatastoreError(.storage(.corrupt), "\(fileName) has no row about its store")
    }
    try wishes.check(identity)
    return Store(connection: connection, identity: identity, row: row)
  }

  /// Whether a file holds nothing yet; fails when it holds anything but a store of this version.
  private static func isEmpty(
    _ connection: Connection, _ fileName: String
  ) throws(DatastoreError) -> Bool {
    let (application, version, objectCount): (Int64, Int64, Int64)
    do throws(SQLiteError) {
      application = try connection.integer("PRAGMA application_id")
      version = try connection.integer("PRAGMA user_version")
      objectCount = try connection.integer("SELECT count(*) FROM sqlite_schema")
    } catch {
      throw DatastoreError(error)
    }
    if application == 0 && version == 0 && objectCount == 0 { return true }
    guard application == Schema.applicationID, version >= 1 else {
      throw DatastoreError(
        .storage(.corrupt), "\(fileName) is a database of application \(application)")
    }
    guard version <= Schema.version else {
      throw DatastoreError(
        .storage(.newerVersion), "\(fileName) has version \(version) above \(Schema.version)")
    }
    return false
  }

  /// Makes a store in an empty file, unless another process has done so in the meantime.
  private static func create(
    on connection: Connection, _ wishes: Wishes, incarnation: () -> Text
  ) throws(DatastoreError) {
    do throws(SQLiteError) {
      try connection.execute("BEGIN IMMEDIATE")
      defer { if connection.isInTransaction { try? connection.execute("ROLLBACK") } }
      if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
        try connection.execute(Schema.creation)
        let statement = try connection.statement(.insertStore)
        defer { statement.reset() }
        let revisionIDs = wishes.revisionIDs ?? .cdtDigest2
        let collation = wishes.collation ?? .bytes
        try statement.bind([
          .text(incarnation()), .text(Text(revisionIDs.rawValue)),
          .text(Text(collation.rawValue)),
        ])
        _ = try statement.step()
      }
      try connection.execute("COMMIT")
    } catch {
      throw DatastoreError(error)
    }
  }
}
