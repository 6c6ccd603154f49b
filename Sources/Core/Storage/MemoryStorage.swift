internal import CSQLite
internal import Synchronization

/// Files in memory behind a separate VFS: fast, isolated from each other and deterministic, with
/// fault injection, simulated power loss and copies.
///
/// No operation blocks, and the time and randomness that SQLite requests from its VFS are fixed.
/// Instances share only the counter that names their VFS. A simulator creates one for each replica:
///
///     let storage = MemoryStorage()
///     let store = SQLiteDatastore(storage: storage)
///
///     // The third sync of a log from now on fails:
///     let sync = StorageStep(.sync, .wal, storage.counts[.sync, .wal] + 3)
///     storage.plan = FaultPlan([StorageFault(.io, at: sync)])
///
///     // The process crashes after seven more changes, at any point of an operation:
///     storage.plan.deadAfterChanges = storage.counts.changes + 7
///     …                                      // operations fail once `isDead`; the outcome is unknown
///     try store.crash(.kill)                 // releases the files of the dead process
///     let outcomes = storage.unsyncedChanges.map { ($0.number, outcome($0)) }
///     storage.restart(after: PowerLoss(outcomes: Dictionary(uniqueKeysWithValues: outcomes)))
///     …                                      // `open`, and check what survived
///
///     // The same after a kill without power loss:
///     storage.restart(after: nil)
///
///     // A backup, and later a device on which it was restored:
///     let backup = storage.copy()
///     let restored = SQLiteDatastore(storage: backup.copy())
///
/// `digest` and `counts` are equal for two runs that performed the same steps; they do not depend
/// on the bytes.
public final class MemoryStorage: Storage {
  private static let instanceCount = Atomic<Int>(0)

  private let files: MemoryFiles
  private let vfs: MemoryVFS

  /// Empty files; with a capacity, a change that would make their total size larger fails with
  /// "disk full".
  public convenience init(capacityBytes: Int? = nil) {
    self.init(MemoryFiles(capacityBytes: capacityBytes))
  }

  private init(_ files: MemoryFiles) {
    self.files = files
    let ordinal = Self.instanceCount.add(1, ordering: .relaxed).newValue
    vfs = MemoryVFS(name: "touchstone-memory-\(ordinal)", files: files)
  }

  /// The same files in a separate storage, with the same synced and unsynced changes and no open
  /// handle.
  ///
  /// The counts continue from the values of this storage; faults and hooks are not copied.
  public func copy() -> MemoryStorage { MemoryStorage(files.copy()) }

  // MARK: Steps so far

  /// The steps attempted so far.
  public var counts: StorageCounts { files.gate.counts }

  /// A hash of all steps so far, of their order and of their faults.
  public var digest: UInt64 { files.gate.digest }

  /// Called at the beginning of each operation on the files, of each request for a lock and of each
  /// wait: the points where another connection can come between.
  public var onTurn: (() -> Void)? {
    get { files.gate.onTurn }
    set { files.gate.onTurn = newValue }
  }

  /// Called with each step before it is performed, and with its fault if it has one.
  public var onStep: ((StorageStep, StorageFault.Effect?) -> Void)? {
    get { files.gate.onStep }
    set { files.gate.onStep = newValue }
  }

  /// Called with a hash of what an operation on the files returned.
  package var onObservation: ((UInt64) -> Void)? {
    get { files.gate.onObservation }
    set { files.gate.onObservation = newValue }
  }

  /// The connection whose turn it is, as the owner of new handles.
  package var owner: () -> Int {
    get { files.gate.owner }
    set { files.gate.owner = newValue }
  }

  /// A hash of all files, of the locks on them and of their indexes.
  package var fingerprint: UInt64 { files.fingerprint }

  /// A hash of the parts of the indexes that a connection reads without an operation on the files.
  package var headersFingerprint: UInt64 { files.headersFingerprint }

  // MARK: Faults

  /// The planned faults; may change at any time.
  public var plan: FaultPlan {
    get { files.gate.plan }
    set { files.gate.plan = newValue }
  }

  /// The maximum total size of the files in bytes; nil for no limit. May change at any time.
  public var capacityBytes: Int? {
    get { files.capacityBytes }
    set { files.capacityBytes = newValue }
  }

  /// Whether every change is rejected; may change at any time.
  public var isReadOnly: Bool {
    get { files.gate.isReadOnly }
    set { files.gate.isReadOnly = newValue }
  }

  /// Whether the process has crashed as `plan` demands; every step fails until `restart`.
  public var isDead: Bool { files.gate.isDead }

  /// The changes that a power loss at this moment may undo, in the order in which they happened.
  public var unsyncedChanges: [UnsyncedChange] { files.unsyncedChanges }

  /// Ends the process, unless it has already crashed, and starts the next one.
  ///
  /// Without a power loss all written bytes remain, and unsynced changes remain unsynced. After a
  /// power loss each unsynced change has the outcome that `loss` specifies, and the remaining bytes
  /// are durable. Connections that are still open can no longer access any file.
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
    let size = files.size(of: fileName)
    files.gate.observe(size ?? -1)
    return size
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

  /// The bytes of a file, or nil if no file has the name; setting nil removes the file.
  ///
  /// An access models an external change, such as a damaged disk: it is not counted as a step, and
  /// its effect is durable.
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
