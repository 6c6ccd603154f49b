internal import CSQLite
internal import Datastore
internal import Storage

/// The owner of a database, determined from its header and the number of its tables.
enum DatabaseOwner: Equatable {
  /// No owner: no application id and no table, as in a database before its first commit.
  case noOwner
  /// A store, with the version of its schema.
  case store(version: Int64)
  /// Another application, identified by its `application_id`, which is 0 if it never set one.
  case other(application: Int64)

  /// The length of the header of a database; a shorter file is not a database.
  static let headerBytes = 100

  /// Determines the owner of a file without changing it; nil if it is missing or not a database.
  static func look(
    at fileName: String, in storage: any Storage, busyMilliseconds: Int32
  ) throws(DatastoreError) -> DatabaseOwner? {
    do throws(StorageError) {
      guard let size = try storage.size(of: fileName), size >= headerBytes else { return nil }
    } catch {
      throw DatastoreError(error)
    }
    do throws(SQLiteError) {
      do throws(SQLiteError) {
        return try Connection(fileName, in: storage, busyMilliseconds: busyMilliseconds)
          .ownerOfDatabase()
      } catch {
        guard [SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN].contains(error.primaryCode) else {
          throw error
        }
        // There may be no room for the log's index. An exclusive connection has the index in
        // memory, so stores can be removed from a full disk.
        do throws(SQLiteError) {
          return try Connection(fileName, in: storage, busyMilliseconds: busyMilliseconds)
            .ownerOfDatabase(alone: true)
        } catch let second {
          // An exclusive lock is impossible if the file is open here already; then the first error,
          // that of the disk, is reported.
          throw second.primaryCode == SQLITE_BUSY ? error : second
        }
      }
    } catch {
      if [SQLITE_NOTADB, SQLITE_CORRUPT].contains(error.primaryCode) { return nil }
      throw DatastoreError(error)
    }
  }

  /// The error for a database that belongs to another application.
  static func refusal(_ fileName: String, application: Int64) -> DatastoreError {
    let mark =
      application == 0
      ? "it has tables but no application_id" : "its application_id is \(name(of: application))"
    return DatastoreError(
      .storage(.corrupt),
      "\(fileName) is not a store but a database of another application: \(mark)")
  }

  /// The number, and the four letters that it often encodes.
  private static func name(of application: Int64) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: application >> $0) }
    guard bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return "\(application)" }
    return "\(application) ('\(String(decoding: bytes, as: UTF8.self))')"
  }
}

extension Connection {
  /// The owner of the database, damaged or not; closes the database again.
  fileprivate func ownerOfDatabase(alone: Bool = false) throws(SQLiteError) -> DatabaseOwner {
    defer { leave() }
    if alone { try execute("PRAGMA locking_mode = EXCLUSIVE") }
    // With this setting, SQLite also reads the header of a file that is shorter than its header
    // states.
    try execute("PRAGMA writable_schema = ON")
    return try owner()
  }

  /// The owner of the database, read from one state of the file.
  func owner() throws(SQLiteError) -> DatabaseOwner {
    try execute("BEGIN")
    defer { try? execute("ROLLBACK") }
    let application = try integer("PRAGMA application_id")
    let version = try integer("PRAGMA user_version")
    if application == Schema.applicationID { return .store(version: version) }
    if application == 0, version == 0, try isWithoutTables() { return .noOwner }
    return .other(application: application)
  }

  private func isWithoutTables() throws(SQLiteError) -> Bool {
    // `schema_version` counts the changes of the schema.
    if try integer("PRAGMA schema_version") == 0 { return true }
    do throws(SQLiteError) {
      return try integer("SELECT count(*) FROM sqlite_schema") == 0
    } catch {
      // A schema that cannot be read still counts as a schema.
      if [SQLITE_CORRUPT, SQLITE_ERROR].contains(error.primaryCode) { return false }
      throw error
    }
  }
}
