internal import CSQLite

/// The files of a `MemoryStorage`, in the terms of a disk; every step asks the gate first.
///
/// A process that died leaves its handles behind. They belong to an earlier epoch than the files
/// that were restarted, and nothing that is done through them happens.
final class MemoryFiles {
  let gate = StepGate()
  var capacityBytes: Int?

  private var folder = Folder()
  /// What handles hold of the files, made when the first one is opened.
  private var files: [String: MemoryFile] = [:]
  /// The sum of the sizes of the named files.
  private var usedBytes = 0
  private(set) var epoch = 0
  /// SplitMix64, so that what SQLite asks of its VFS is the same in every run.
  private var randomState: UInt64 = 0x746f_7563_6873_746f
  private var millisecondsPassed: Int64 = 0

  init(capacityBytes: Int?) { self.capacityBytes = capacityBytes }

  // MARK: Names

  var names: [String] {
    folder.bodies.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether a file is still the one under its name.
  func holds(_ file: MemoryFile) -> Bool { folder.bodies[file.name] === file.body }

  func size(of name: String) -> Int? { folder.bodies[name]?.contents.count }

  /// A handle on the named file; without a name, on one that is gone when the handle is.
  func open(_ name: String?, create: Bool, exclusive: Bool) -> Result<MemoryHandle, ResultCode> {
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

  /// Removes the name; the bytes live on while a handle has them.
  func delete(_ name: String) -> CInt {
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

  /// Gives a file another name; the one that had it is gone.
  func rename(_ name: String, to newName: String) -> CInt {
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
    switch gate.admit(.syncDirectory, .folder) {
    case .fails(let code): return code
    case .pretends: return SQLITE_OK
    case .happens:
      folder.sync()
      return SQLITE_OK
    }
  }

  /// Replaces the contents of a file, made when absent, or removes it; durably.
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
    let verdict = admit(.read, handle)
    if case .fails(let code) = verdict { return code }
    var available = handle.file.body.contents.read(at: offset, into: buffer)
    if case .pretends = verdict { available /= 2 }
    guard available < buffer.count else { return SQLITE_OK }
    // SQLite requires the rest of a short read to be zero.
    UnsafeMutableRawBufferPointer(rebasing: buffer[available...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    return ioErrorShortRead
  }

  func write(_ handle: MemoryHandle, at offset: Int, _ buffer: UnsafeRawBufferPointer) -> CInt {
    let file = handle.file
    let growth = holds(file) ? max(0, offset + buffer.count - file.body.contents.count) : 0
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
    switch admit(.sync, handle) {
    case .fails(let code):
      if !gate.isDead { handle.file.body.sync(succeeds: false) }
      return code
    case .pretends: break
    case .happens: handle.file.body.sync(succeeds: true)
    }
    if handle.syncsFolder {
      // As SQLite's own VFS does it: once, and whether it succeeds is not asked.
      handle.syncsFolder = false
      _ = syncDirectory()
    }
    return SQLITE_OK
  }

  /// Whether the index of a log may grow.
  func growIndex(_ handle: MemoryHandle) -> Bool {
    guard handle.epoch == epoch, case .happens = gate.admit(.write, .shm) else { return false }
    return true
  }

  private func admit(
    _ kind: StorageStep.Kind, _ handle: MemoryHandle, hasRoom: Bool = true
  ) -> StepGate.Verdict {
    guard handle.epoch == epoch else { return .fails(gate.refuse(SQLITE_IOERR)) }
    return gate.admit(kind, handle.file.role, hasRoom: hasRoom)
  }

  // MARK: The life of the process

  var unsyncedChanges: [UnsyncedChange] { folder.unsyncedChanges }

  /// Ends the process and begins the next one, after a power loss or without one.
  func restart(after loss: PowerLoss?) {
    epoch += 1
    files = [:]
    if let loss {
      folder.losePower(loss)
      usedBytes = folder.bodies.values.reduce(0) { $0 + $1.contents.count }
    }
    gate.restart()
  }

  /// The same files, nobody's.
  func copy() -> MemoryFiles {
    let copy = MemoryFiles(capacityBytes: capacityBytes)
    copy.folder = folder.copy()
    copy.usedBytes = usedBytes
    copy.randomState = randomState
    copy.millisecondsPassed = millisecondsPassed
    copy.gate.resume(from: gate)
    return copy
  }

  // MARK: Time and chance

  func nextRandom() -> UInt64 {
    randomState &+= 0x9e37_79b9_7f4a_7c15
    var mixed = randomState
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Lets time pass without waiting for it.
  func sleep(microseconds: Int) { millisecondsPassed += Int64(microseconds / 1000) }

  /// Milliseconds since noon of 24 November 4714 BC, as SQLite counts; begins with the year 2000.
  var julianMilliseconds: Int64 { 211_813_444_800_000 + millisecondsPassed }
}

/// A result code of SQLite as an error value.
struct ResultCode: Error {
  let value: CInt
  init(_ value: CInt) { self.value = value }
}
