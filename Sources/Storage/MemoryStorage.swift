internal import CSQLite
internal import Synchronization

/// Files in memory behind a VFS of its own: fast, isolated from all others, the same in every run.
///
/// Nothing here waits, and time and randomness as SQLite asks its VFS for them are fixed. Instances
/// share nothing but the counter that names their VFS.
public final class MemoryStorage: Storage {
  private static let instanceCount = Atomic<Int>(0)

  private let files: MemoryFiles
  private let vfs: MemoryVFS

  /// Empty files; with a capacity, what would make them longer in sum is refused as full.
  public init(capacityBytes: Int? = nil) {
    files = MemoryFiles(capacityBytes: capacityBytes)
    let ordinal = Self.instanceCount.add(1, ordering: .relaxed).newValue
    vfs = MemoryVFS(name: "touchstone-memory-\(ordinal)", files: files)
  }

  public var vfsName: String? { vfs.name }

  /// The steps taken so far.
  public var counts: StorageCounts { files.counts }

  /// How long the files may be in sum, in bytes; nil for no limit. May change at any time.
  public var capacityBytes: Int? {
    get { files.capacityBytes }
    set { files.capacityBytes = newValue }
  }

  /// Whether every change is refused. May change at any time.
  public var isReadOnly: Bool {
    get { files.isReadOnly }
    set { files.isReadOnly = newValue }
  }

  public func path(of fileName: String) -> String { fileName }

  public func fileNames() throws(StorageError) -> [String] { files.names }

  public func size(of fileName: String) throws(StorageError) -> Int? {
    files.size(of: fileName)
  }

  public func create(_ fileName: String) throws(StorageError) {
    if case .failure(let code) = files.open(fileName, create: true, exclusive: false) {
      try Self.check(code.value, "create", fileName)
    }
  }

  public func delete(_ fileName: String) throws(StorageError) {
    let code = files.delete(fileName)
    if code == ioErrorDeleteNoEntry { return }
    try Self.check(code, "delete", fileName)
  }

  public func syncDirectory() throws(StorageError) {
    try Self.check(files.syncDirectory(), "sync folder", "")
  }

  /// The bytes of a file, or nil when there is none; setting nil removes it.
  ///
  /// This is the hand of someone else on the files, such as a damaged disk: no step is counted.
  public subscript(fileName: String) -> [UInt8]? {
    get { files.contents(of: fileName) }
    set { files.replace(fileName, with: newValue) }
  }

  private static func check(
    _ code: CInt, _ step: String, _ fileName: String
  ) throws(StorageError) {
    guard code != SQLITE_OK else { return }
    let kind: StorageError.Kind =
      switch code & 0xff {
      case SQLITE_FULL: .full
      case SQLITE_READONLY: .readOnly
      default: .io
      }
    throw StorageError(
      kind, step: step, fileName: fileName, reason: String(cString: sqlite3_errstr(code)))
  }
}
