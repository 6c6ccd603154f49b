/// One step on the files, identified by its purpose and independent of its bytes.
///
/// SQLite draws some of its bytes, such as the salt of a log, from a source that all connections of
/// a process share. So a run may depend only on this information, and its trace may contain only
/// this information.
public struct StorageStep: Hashable, Sendable {
  /// The kind of a step.
  public enum Kind: Int, CaseIterable, Sendable {
    /// Opens an existing file.
    case open
    /// Creates a file.
    case create
    case read
    case write
    case truncate
    case sync
    case delete
    /// Makes the creations, deletions and renames of files so far durable.
    case syncDirectory
    /// Renames a file and replaces any file of the new name.
    case rename
  }

  public let kind: Kind
  public let role: FileRole
  /// The ordinal of the step among those of this kind on this role; the first step of a storage is
  /// 1.
  public let ordinal: Int

  public init(_ kind: Kind, _ role: FileRole, ordinal: Int) {
    self.kind = kind
    self.role = role
    self.ordinal = ordinal
  }
}

extension StorageStep {
  /// Whether a crash directly after the step can leave another state than a crash directly before
  /// it.
  public var isChange: Bool {
    kind != .open && kind != .read && role != .shm && role != .other
  }
}

extension StorageStep: CustomStringConvertible {
  public var description: String { "\(kind) \(role) \(ordinal)" }
}

/// The purpose of a file, derived from its name.
public enum FileRole: Int, CaseIterable, Sendable {
  case database
  /// The write-ahead log.
  case wal
  /// The index of the log in shared memory; growth is the only step on it.
  case shm
  /// The rollback journal.
  case journal
  /// The folder itself.
  case folder
  /// A temporary file without a name; it never survives a crash.
  case other
  /// The content of an attachment, complete (`.blob`) or in transfer (`.part`).
  case blob

  init(fileName: String) {
    if fileName.isEmpty {
      self = .other
    } else if fileName.hasSuffix("-wal") {
      self = .wal
    } else if fileName.hasSuffix("-journal") {
      self = .journal
    } else if fileName.hasSuffix(".blob") || fileName.hasSuffix(".part") {
      self = .blob
    } else {
      self = .database
    }
  }
}
