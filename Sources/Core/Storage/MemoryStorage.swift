internal import CSQLite
internal import Synchronization

/// Files in memory behind a VFS of their own: fast, isolated from all others, the same in every run,
/// and able to fail, to lose power and to be copied.
///
/// Nothing here waits, and time and randomness as SQLite asks its VFS for them are fixed. Instances
/// share nothing but the counter that names their VFS. A simulator has one for each replica:
///
///     let storage = MemoryStorage()
///     let store = SQLiteDatastore(storage: storage)
///
///     // The third sync of a log from now on fails:
///     let sync = StorageStep(.sync, .wal, storage.counts[.sync, .wal] + 3)
///     storage.plan = FaultPlan([StorageFault(.io, at: sync)])
///
///     // The process dies after seven more changes, in the midst of whatever it does then:
///     storage.plan.deadAfterChanges = storage.counts.changes + 7
///     …                                      // operations fail once `isDead`; they are unknown
///     try store.crash(.kill)                 // lets go of the dead process's files
///     let fates = storage.unsyncedChanges.map { ($0.number, fate($0)) }
///     storage.restart(after: PowerLoss(fates: Dictionary(uniqueKeysWithValues: fates)))
///     …                                      // `open`, and see what survived
///
///     // The same after a kill that leaves the power on:
///     storage.restart(after: nil)
///
///     // A backup, and later a device on which it was restored:
///     let backup = storage.copy()
///     let restored = SQLiteDatastore(storage: backup.copy())
///
/// `digest` and `counts` are the same for two runs that did the same; they know nothing of bytes.
public final class MemoryStorage: Storage {
  private static let instanceCount = Atomic<Int>(0)

  private let files: MemoryFiles
  private let vfs: MemoryVFS

  /// Empty files; with a capacity, what would make them longer in sum is refused as full.
  public convenience init(capacityBytes: Int? = nil) {
    self.init(MemoryFiles(capacityBytes: capacityBytes))
  }

  private init(_ files: MemoryFiles) {
    self.files = files
    let ordinal = Self.instanceCount.add(1, ordering: .relaxed).newValue
    vfs = MemoryVFS(name: "touchstone-memory-\(ordinal)", files: files)
  }

  /// The same files in a storage of their own, synced or not as they are here, open nowhere.
  ///
  /// It goes on counting where this one is; faults and hooks are not taken over.
  public func copy() -> MemoryStorage { MemoryStorage(files.copy()) }

  // MARK: What happened

  /// The steps attempted so far.
  public var counts: StorageCounts { files.gate.counts }

  /// A number that follows from all steps so far, their order and what went wrong with them.
  public var digest: UInt64 { files.gate.digest }

  /// Called with each step before it happens, and with what will go wrong with it.
  public var onStep: ((StorageStep, StorageFault.Effect?) -> Void)? {
    get { files.gate.onStep }
    set { files.gate.onStep = newValue }
  }

  // MARK: What goes wrong

  /// The faults to come. May change at any time.
  public var plan: FaultPlan {
    get { files.gate.plan }
    set { files.gate.plan = newValue }
  }

  /// How long the files may be in sum, in bytes; nil for no limit. May change at any time.
  public var capacityBytes: Int? {
    get { files.capacityBytes }
    set { files.capacityBytes = newValue }
  }

  /// Whether every change is refused. May change at any time.
  public var isReadOnly: Bool {
    get { files.gate.isReadOnly }
    set { files.gate.isReadOnly = newValue }
  }

  /// Whether the process died, as `plan` said; every step fails until `restart`.
  public var isDead: Bool { files.gate.isDead }

  /// The changes that a power loss now may undo, in the order in which they happened.
  public var unsyncedChanges: [UnsyncedChange] { files.unsyncedChanges }

  /// Ends the process, if it is not dead already, and begins the next one.
  ///
  /// Without a power loss all that was written stays, unsynced as it is. After one, the unsynced
  /// changes have the fates that it gives them, and what is left is durable. Connections that are
  /// still open reach nothing any more.
  public func restart(after loss: PowerLoss?) { files.restart(after: loss) }

  // MARK: Storage

  public var vfsName: String? { vfs.name }

  public func path(of fileName: String) -> String { fileName }

  public func fileNames() throws(StorageError) -> [String] {
    try checkLookUp("list", "")
    return files.names
  }

  public func size(of fileName: String) throws(StorageError) -> Int? {
    try checkLookUp("look up", fileName)
    return files.size(of: fileName)
  }

  public func create(_ fileName: String) throws(StorageError) {
    if case .failure(let code) = files.open(fileName, create: true, exclusive: false) {
      throw error(code.value, "create", fileName: fileName)
    }
  }

  public func delete(_ fileName: String) throws(StorageError) {
    let code = files.delete(fileName)
    guard code != SQLITE_OK, code != ioErrorDeleteNoEntry else { return }
    throw error(code, "delete", fileName: fileName)
  }

  public func open(
    _ fileName: String, _ access: FileAccess
  ) throws(StorageError) -> (any StorageFile)? {
    try checkAlive("open", fileName)
    guard access == .replacing || files.size(of: fileName) != nil else { return nil }
    switch files.open(fileName, create: access == .replacing, exclusive: false) {
    case .failure(let code): throw error(code.value, "open", fileName: fileName)
    case .success(let handle):
      let file = MemoryStorageFile(handle, of: self)
      if access == .replacing, files.size(of: fileName) ?? 0 > 0 { try file.truncate(to: 0) }
      return file
    }
  }

  public func rename(_ fileName: String, to newName: String) throws(StorageError) {
    let code = files.rename(fileName, to: newName)
    if code != SQLITE_OK { throw error(code, "rename", fileName: fileName) }
  }

  public func syncDirectory() throws(StorageError) {
    let code = files.syncDirectory()
    if code != SQLITE_OK { throw error(code, "sync folder", fileName: "") }
  }

  /// The bytes of a file, or nil when there is none; setting nil removes it.
  ///
  /// This is the hand of someone else on the files, such as a damaged disk: it is no step, and what
  /// it does is durable.
  public subscript(fileName: String) -> [UInt8]? {
    get { files.contents(of: fileName) }
    set { files.replace(fileName, with: newValue) }
  }

  private func checkAlive(_ step: String, _ fileName: String) throws(StorageError) {
    if isDead { throw error(files.gate.refuse(SQLITE_IOERR), step, fileName: fileName) }
  }

  private func checkLookUp(_ step: String, _ fileName: String) throws(StorageError) {
    try checkAlive(step, fileName)
    if !files.gate.admitLookUp() { throw error(SQLITE_IOERR, step, fileName: fileName) }
  }

  fileprivate func error(_ code: CInt, _ step: String, fileName: String) -> StorageError {
    let kind: StorageError.Kind =
      files.gate.isOutOfRoom ? .full : code & 0xff == SQLITE_READONLY ? .readOnly : .io
    return StorageError(
      kind, step: step, fileName: fileName, reason: String(cString: sqlite3_errstr(code)))
  }
}

/// One open file of a `MemoryStorage`; its steps pass the same gate as those of SQLite.
private final class MemoryStorageFile: StorageFile {
  private let handle: MemoryHandle
  private let storage: MemoryStorage

  init(_ handle: MemoryHandle, of storage: MemoryStorage) {
    self.handle = handle
    self.storage = storage
  }

  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(StorageError) -> Int {
    let code = handle.files.read(handle, at: offset, into: buffer)
    try check(code == ioErrorShortRead ? SQLITE_OK : code, "read")
    return min(buffer.count, max(0, handle.file.body.contents.count - offset))
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    try check(handle.files.write(handle, at: offset, bytes), "write")
  }

  func truncate(to size: Int) throws(StorageError) {
    try check(handle.files.truncate(handle, to: size), "truncate")
  }

  func sync() throws(StorageError) { try check(handle.files.sync(handle), "sync") }

  private func check(_ code: CInt, _ step: String) throws(StorageError) {
    if code != SQLITE_OK { throw storage.error(code, step, fileName: handle.file.name) }
  }
}
