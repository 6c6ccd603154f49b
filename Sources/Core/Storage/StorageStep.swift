/// One thing that is done to the files, by what it is for and never by its bytes.
///
/// SQLite draws some of its bytes, such as the salt of a log, from a source that all connections
/// of a process share. So what a run may depend on, and what its trace may hold, is this only.
public struct StorageStep: Hashable, Sendable {
  /// What is done.
  public enum Kind: Int, CaseIterable, Sendable {
    /// A file that is there is opened.
    case open
    /// A file that was not there is made.
    case create
    case read
    case write
    case truncate
    case sync
    case delete
    /// Creations, deletions and new names of files so far are made durable.
    case syncDirectory
    /// A file gets another name, and takes the place of the one that had it.
    case rename
  }

  public let kind: Kind
  public let role: FileRole
  /// Which of the steps of this kind on this role it is; the first one of a storage is 1.
  public let ordinal: Int

  public init(_ kind: Kind, _ role: FileRole, ordinal: Int) {
    self.kind = kind
    self.role = role
    self.ordinal = ordinal
  }
}

extension StorageStep {
  /// Whether a crash right after it can leave something else than a crash right before it.
  public var isChange: Bool {
    kind != .open && kind != .read && role != .shm && role != .other
  }
}

extension StorageStep: CustomStringConvertible {
  public var description: String { "\(kind) \(role) \(ordinal)" }
}

/// What a file is to a store, as far as its name says.
public enum FileRole: Int, CaseIterable, Sendable {
  case database
  /// The write-ahead log.
  case wal
  /// The index of the log in shared memory; growing is the only step on it.
  case shm
  /// The rollback journal.
  case journal
  /// The folder itself.
  case folder
  /// A temporary file, which has no name and outlives nothing.
  case other
  /// The content of an attachment, whole (`.blob`) or on its way (`.part`).
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
