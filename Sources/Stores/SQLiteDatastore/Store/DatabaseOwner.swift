internal import CSQLite
internal import Datastore
internal import Storage

/// Whose a database is, as far as its header and the number of its tables say.
enum DatabaseOwner: Equatable {
  /// Nobody's: without a mark and without a table, as a database is before its first commit.
  case nobody
  /// A store, with the version of its schema.
  case store(version: Int64)
  /// Another application, known by its `application_id`, which is 0 when it never chose one.
  case other(application: Int64)

  /// The length of the header of a database; a file below that is none.
  static let headerBytes = 100

  /// Looks whose a file is without changing it; nil when it is missing or no database.
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
        return try Connection(fileName, in: storage, busyMilliseconds: busyMilliseconds).whose()
      } catch {
        guard [SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN].contains(error.primaryCode) else {
          throw error
        }
        // There may be no room for the log's index. Who takes the file alone has it in memory, and
        // so stores can be removed from a full disk.
        do throws(SQLiteError) {
          return try Connection(fileName, in: storage, busyMilliseconds: busyMilliseconds)
            .whose(alone: true)
        } catch let second {
          // Nobody can take alone what is open here already: then the disk is what is wrong.
          throw second.primaryCode == SQLITE_BUSY ? error : second
        }
      }
    } catch {
      if [SQLITE_NOTADB, SQLITE_CORRUPT].contains(error.primaryCode) { return nil }
      throw DatastoreError(error)
    }
  }

  /// The failure of a step on a database that is left to its owner.
  static func refusal(_ fileName: String, application: Int64) -> DatastoreError {
    let mark =
      application == 0
      ? "it has tables and no application_id" : "its application_id is \(name(of: application))"
    return DatastoreError(
      .storage(.corrupt),
      "\(fileName) is no store but a database of another application: \(mark)")
  }

  /// The number, and the four letters that it often spells.
  private static func name(of application: Int64) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: application >> $0) }
    guard bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return "\(application)" }
    return "\(application) ('\(String(decoding: bytes, as: UTF8.self))')"
  }
}

extension Connection {
  /// Whose the database is, damaged or not; leaves it again.
  fileprivate func whose(alone: Bool = false) throws(SQLiteError) -> DatabaseOwner {
    defer { leave() }
    if alone { try execute("PRAGMA locking_mode = EXCLUSIVE") }
    // With this, SQLite reads the header of a file that is shorter than the header says, too.
    try execute("PRAGMA writable_schema = ON")
    return try owner()
  }

  /// Whose the database is, all of it read from one state of the file.
  func owner() throws(SQLiteError) -> DatabaseOwner {
    try execute("BEGIN")
    defer { try? execute("ROLLBACK") }
    let application = try integer("PRAGMA application_id")
    let version = try integer("PRAGMA user_version")
    if application == Schema.applicationID { return .store(version: version) }
    if application == 0, version == 0, try isWithoutTables() { return .nobody }
    return .other(application: application)
  }

  private func isWithoutTables() throws(SQLiteError) -> Bool {
    // Counts the changes of the schema.
    if try integer("PRAGMA schema_version") == 0 { return true }
    do throws(SQLiteError) {
      return try integer("SELECT count(*) FROM sqlite_schema") == 0
    } catch {
      // A schema that cannot be read is one, all the same.
      if [SQLITE_CORRUPT, SQLITE_ERROR].contains(error.primaryCode) { return false }
      throw error
    }
  }
}
