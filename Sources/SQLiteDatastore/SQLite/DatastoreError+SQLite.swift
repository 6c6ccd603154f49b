internal import CSQLite
internal import Datastore
internal import Storage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

// The one place where failures of the file under a store become errors of the contract.

extension DatastoreError {
  /// The error of the contract for a failure of SQLite.
  init(_ error: SQLiteError) {
    self.init(Self.kind(of: error), error.description)
  }

  /// The error of the contract for a failure of the storage.
  init(_ error: StorageError) {
    let kind: Kind =
      switch error.kind {
      case .full: .storage(.full)
      case .readOnly: .storage(.readOnly)
      case .io, .noFolder: .storage(.io)
      }
    self.init(kind, error.description)
  }

  private static func kind(of error: SQLiteError) -> Kind {
    switch error.primaryCode {
    case SQLITE_FULL: return .storage(.full)
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      // The file was moved or removed under the connection: nothing about it is read-only.
      return error.code == readOnlyMoved ? .storage(.io) : .storage(.readOnly)
    // PROTOCOL: too many others raced for the log's locks.
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_SCHEMA: return .storage(.corrupt)
    // Every statement and every value here is right for the schema, so the file is not.
    case SQLITE_CONSTRAINT, SQLITE_ERROR, SQLITE_MISMATCH: return .storage(.corrupt)
    case SQLITE_CANTOPEN, SQLITE_IOERR:
      switch error.systemErrno {
      case EROFS, EACCES, EPERM: return .storage(.readOnly)
      case ENOSPC, EDQUOT: return .storage(.full)
      default: return .storage(.io)
      }
    default: return .storage(.io)
    }
  }

  private static var readOnlyMoved: Int32 { SQLITE_READONLY | 4 << 8 }
}
