internal import CSQLite

/// The files of a `MemoryStorage` as disk operations; every step passes the gate first.
///
/// A crashed process leaves its handles open. They belong to an earlier epoch than the restarted
/// files, and operations through them have no effect.
final class MemoryFiles {
  let gate = StepGate()
  var capacityBytes: Int?

  private var folder = Folder()
  /// The open files with their handles and locks, created when the first handle opens.
  private var files: [String: MemoryFile] = [:]
  /// The total size of the named files.
  private var usedBytes = 0
  private(set) var epoch = 0
  /// The state of a SplitMix64 generator, so that the randomness SQLite requests from its VFS is
  /// equal in every run.
  private var randomState: UInt64 = 0x746f_7563_6873_746f
  private var millisecondsPassed: Int64 = 0

  init(capacityBytes: Int?) { self.capacityBytes = capacityBytes }

  // MARK: Names

  var names: [String] {
    folder.bodies.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether a file still has its name in the folder.
  func holds(_ file: MemoryFile) -> Bool { folder.bodies[file.name] === file.body }

  func size(of name: String) -> Int? { folder.bodies[name]?.contents.count }

  /// A handle on the named file; without a name, on a temporary file that disappears with the
  /// handle.
  func open(_ name: String?, create: Bool, exclusive: Bool) -> Result<MemoryHandle, ResultCode> {
    gate.onTurn?()
    let name = name ?? ""
    let role = FileRole(fileName: name)
    if let file = file(name) {
      if exclusive { return .failure(ResultCode(gate.refuse(SQLITE_CANTOPEN))) }
      if case .fails(let code) = gate.admit(.open, role) { return .failure(ResultCode(code)) }
      return .success(MemoryHandle(file: file, files: self))
    }
    guard create || name.isEmpty else {
      return .failure(ResultCode(gate.refuse(SQLITE_CANTOPEN)))
    }
    if case .fails(let code) = gate.admit(.create, role) { return .failure(ResultCode(code)) }
    let file = MemoryFile(name: name, body: FileBody())
    if !name.isEmpty {
      folder.set(name, to: file.body, number: gate.counts.changes, gate.lastStep)
      files[name] = file
    }
    return .success(MemoryHandle(file: file, files: self))
  }

  private func file(_ name: String) -> MemoryFile? {
    guard let body = folder.bodies[name] else { return nil }
    if let file = files[name], file.body === body { return file }
    let file = MemoryFile(name: name, body: body)
    files[name] = file
    return file
  }

  /// Removes the name; the bytes remain accessible to open handles.
  func delete(_ name: String) -> CInt {
    gate.onTurn?()
    if gate.isDead { return gate.refuse(SQLITE_IOERR) }
    guard let body = folder.bodies[name] else { return ioErrorDeleteNoEntry }
    switch gate.admit(.delete, FileRole(fileName: name)) {
    case .fails(let code): return code
    case .pretends: return SQLITE_OK
    case .happens:
      usedBytes -= body.contents.count
      folder.set(name, to: nil, number: gate.counts.changes, gate.lastStep)
      return SQLITE_OK
    }
  }

  /// Renames a file and replaces any file of the new name.
  func rename(_ name: String, to newName: String) -> CInt {
    gate.onTurn?()
    if gate.isDead { return gate.refuse(SQLITE_IOERR) }
    guard folder.bodies[name] != nil else { return gate.refuse(SQLITE_IOERR) }
    switch gate.admit(.rename, FileRole(fileName: newName)) {
    case .fails(let code): return code
    case .pretends: return SQLITE_OK
    case .happens:
      if name != newName { usedBytes -= size(of: newName) ?? 0 }
      folder.rename(name, to: newName, number: gate.counts.changes, gate.lastStep)
      files[name] = nil
      return SQLITE_OK
    }
  }

  func syncDirectory() -> CInt {
    gate.onTurn?()
    switch gate.admit(.syncDirectory, .folder) {
    case .fails(let code): return code
    case .pretends: return SQLITE_OK
    case .happens:
      folder.sync()
      return SQLITE_OK
    }
  }

  /// Replaces the contents of a file, creates it or removes it, durably.
  func replace(_ name: String, with contents: [UInt8]?) {
    usedBytes += (contents?.count ?? 0) - (size(of: name) ?? 0)
    let body = contents == nil ? nil : folder.bodies[name] ?? FileBody()
    folder.replace(name, with: body)
    if let contents { body?.replace(with: contents) }
  }

  func contents(of name: String) -> [UInt8]? { folder.bodies[name]?.contents.bytes }

  // MARK: Bytes

  func read(
    _ handle: MemoryHandle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) -> CInt {
    gate.onTurn?()
    let verdict = admit(.read, handle)
    if case .fails(let code) = verdict { return code }
    var available = handle.file.body.contents.read(at: offset, into: buffer)
    if case .pretends = verdict { available /= 2 }
    if gate.onObservation != nil {
      var digest = Fingerprint()
      digest.fold(UnsafeRawBufferPointer(rebasing: buffer[..<available]))
      gate.observe(digest.value)
    }
    guard available < buffer.count else { return SQLITE_OK }
    // SQLite requires the rest of a short read to be zero.
    UnsafeMutableRawBufferPointer(rebasing: buffer[available...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    return ioErrorShortRead
  }

  func write(_ handle: MemoryHandle, at offset: Int, _ buffer: UnsafeRawBufferPointer) -> CInt {
    gate.onTurn?()
    let file = handle.file
    let beyond = offset + buffer.count - file.body.contents.count
    let growth = beyond > 0 && holds(file) ? beyond : 0
    let hasRoom = growth == 0 || capacityBytes.map { usedBytes + growth <= $0 } ?? true
    switch admit(.write, handle, hasRoom: hasRoom) {
    case .fails(let code): return code
    case .pretends: return SQLITE_OK
    case .happens:
      gate.countWrittenBytes(buffer.count)
      usedBytes += growth
      if file.role == .other {
        file.body.contents.write(buffer, at: offset)
      } else {
        file.body.write(buffer, at: offset, number: gate.counts.changes, gate.lastStep)
      }
      return SQLITE_OK
    }
  }

  func truncate(_ handle: MemoryHandle, to size: Int) -> CInt {
    gate.onTurn?()
    let file = handle.file
    switch admit(.truncate, handle) {
    case .fails(let code): return code
    case .pretends: return SQLITE_OK
    case .happens:
      let cut = max(0, file.body.contents.count - size)
      if holds(file) { usedBytes -= cut }
      file.body.truncate(to: size, number: gate.counts.changes, gate.lastStep)
      return SQLITE_OK
    }
  }

  func sync(_ handle: MemoryHandle) -> CInt {
    gate.onTurn?()
    switch admit(.sync, handle) {
    case .fails(let code):
      if !gate.isDead { handle.file.body.sync(succeeds: false) }
      return code
    case .pretends: break
    case .happens: handle.file.body.sync(succeeds: true)
    }
    if handle.syncsFolder {
      // As in SQLite's own VFS: once, and the result is ignored.
      handle.syncsFolder = false
      _ = syncDirectory()
    }
    return SQLITE_OK
  }

  /// Whether the index of a log may grow.
  func growIndex(_ handle: MemoryHandle) -> Bool {
    gate.onTurn?()
    guard handle.epoch == epoch, case .happens = gate.admit(.write, .shm) else { return false }
    return true
  }

  private func admit(
    _ kind: StorageStep.Kind, _ handle: MemoryHandle, hasRoom: Bool = true
  ) -> StepGate.Verdict {
    guard handle.epoch == epoch else { return .fails(gate.refuse(SQLITE_IOERR)) }
    return gate.admit(kind, handle.file.role, hasRoom: hasRoom)
  }

  // MARK: Process

  var unsyncedChanges: [UnsyncedChange] { folder.unsyncedChanges }

  /// Ends the process and starts the next one, with or without a power loss.
  func restart(after loss: PowerLoss?) {
    epoch += 1
    files = [:]
    if let loss {
      folder.losePower(loss)
      usedBytes = folder.bodies.values.reduce(0) { $0 + $1.contents.count }
    }
    gate.restart()
  }

  /// A copy of the files without owner.
  func copy() -> MemoryFiles {
    let copy = MemoryFiles(capacityBytes: capacityBytes)
    copy.folder = folder.copy()
    copy.usedBytes = usedBytes
    copy.randomState = randomState
    copy.millisecondsPassed = millisecondsPassed
    copy.gate.resume(from: gate)
    return copy
  }

  // MARK: Fingerprints

  /// A hash of all files, of the locks on them and of their indexes.
  var fingerprint: UInt64 {
    var digest = Fingerprint()
    for name in names {
      digest.fold(Array(name.utf8))
      guard let body = folder.bodies[name] else { continue }
      digest.fold(body.contents.bytes)
    }
    for (name, file) in files.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      let handles = file.handles.compactMap(\.handle).sorted { $0.owner < $1.owner }
      guard !handles.isEmpty else { continue }
      digest.fold(Array(name.utf8))
      for handle in handles {
        digest.fold(UInt64(handle.owner))
        digest.fold(UInt64(handle.level))
        digest.fold(UInt64(handle.sharedSlots))
        digest.fold(UInt64(file.sharedIndex.exclusiveSlots(of: handle)))
      }
      file.sharedIndex.fold(into: &digest)
    }
    return digest.value
  }

  /// A hash of the parts of the indexes that a connection reads without an operation on the files.
  var headersFingerprint: UInt64 {
    files.values.reduce(0) { $0 ^ $1.sharedIndex.headerFingerprint }
  }

  // MARK: Time and randomness

  func nextRandom() -> UInt64 {
    randomState &+= 0x9e37_79b9_7f4a_7c15
    var mixed = randomState
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Advances the clock without waiting.
  func sleep(microseconds: Int) {
    millisecondsPassed += Int64(microseconds / 1000)
    gate.onTurn?()
  }

  /// Milliseconds since noon of 24 November 4714 BC, SQLite's epoch; the clock starts at the year
  /// 2000.
  var julianMilliseconds: Int64 { 211_813_444_800_000 + millisecondsPassed }
}

/// A result code of SQLite as an error value.
struct ResultCode: Error {
  let value: CInt
  init(_ value: CInt) { self.value = value }
}
