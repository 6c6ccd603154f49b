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

// The mapping of failures of the file under a store to errors of the contract.

extension DatastoreError {
  /// The error of the contract for a failure of SQLite.
  init(_ error: SQLiteError) {
    let kind = Self.kind(of: error)
    self.init(kind, Self.message(of: error, kind))
  }

  /// The error of the contract for a failure of the storage.
  init(_ error: StorageError) {
    let kind: Kind =
      switch error.kind {
      case .full: .storage(.full)
      case .readOnly: .storage(.readOnly)
      case .io, .noFolder: .storage(.io)
      }
    let step = "cannot \(error.step) \(error.fileName)"
    self.init(
      kind, error.kind == .full ? "the disk is full: \(step)" : "\(step): \(error.reason)")
  }

  private static func message(of error: SQLiteError, _ kind: Kind) -> String {
    let fileName = error.fileName
    // Names from the schema of a damaged file may be part of the message, and contain anything.
    let reason = String(error.reason.prefix { !$0.isNewline })
    let place = error.statement.map { " (in \"\($0)\")" } ?? ""
    switch kind {
    case .storage(.full): return "the disk is full: cannot write \(fileName)"
    case .storage(.readOnly): return "\(fileName) is read-only"
    case .busy: return "\(fileName) is in use by another connection"
    case .storage(.corrupt):
      if error.primaryCode == SQLITE_NOTADB { return "\(fileName) is not a database" }
      return "\(fileName) is damaged: \(reason)\(place)"
    default:
      if error.code == readOnlyMoved { return wasMoved(fileName) }
      let system =
        error.systemErrno == 0 ? "" : " (\(String(cString: strerror(error.systemErrno))))"
      return "cannot read or write \(fileName): \(reason)\(system)\(place)"
    }
  }

  /// The message for a file that no longer has its name.
  static func wasMoved(_ fileName: String) -> String {
    "\(fileName) was removed or replaced while it was open"
  }

  private static func kind(of error: SQLiteError) -> Kind {
    switch error.primaryCode {
    case SQLITE_FULL: return .storage(.full)
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      // The file was moved or removed under the connection; it is not read-only.
      return error.code == readOnlyMoved ? .storage(.io) : .storage(.readOnly)
    // PROTOCOL: too many other connections raced for the locks of the log.
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_SCHEMA: return .storage(.corrupt)
    // Every statement and every value here is valid for the schema, so the file must be damaged.
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
