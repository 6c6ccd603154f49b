internal import CSQLite

/// The tables of C functions through which SQLite accesses `MemoryFiles`, registered during the
/// lifetime of this object.
///
/// SQLite passes back its pointers: `pAppData` of the VFS points to the files, and a reference to
/// the handle follows the `sqlite3_file` that SQLite allocates for each open file.
final class MemoryVFS {
  let name: String

  private let files: MemoryFiles
  private let vfs: UnsafeMutablePointer<sqlite3_vfs>
  private let methods: UnsafeMutablePointer<sqlite3_io_methods>
  private let nameBytes: UnsafeMutablePointer<CChar>

  init(name: String, files: MemoryFiles) {
    SQLiteLibrary.isSetUp
    self.name = name
    self.files = files
    let bytes = name.utf8CString
    nameBytes = .allocate(capacity: bytes.count)
    nameBytes.initialize(from: Array(bytes), count: bytes.count)
    methods = .allocate(capacity: 1)
    methods.initialize(to: Self.makeMethods())
    vfs = .allocate(capacity: 1)
    vfs.initialize(to: Self.makeVFS())
    vfs.pointee.zName = UnsafePointer(nameBytes)
    vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
    // Registration fails only if SQLite could not be initialized; opening then reports it.
    sqlite3_vfs_register(vfs, 0)
  }

  deinit {
    sqlite3_vfs_unregister(vfs)
    vfs.deallocate()
    methods.deallocate()
    nameBytes.deallocate()
  }

  private static func makeVFS() -> sqlite3_vfs {
    var vfs = sqlite3_vfs()
    vfs.iVersion = 2
    vfs.szOsFile = CInt(MemoryLayout<MemoryFileSlot>.size)
    vfs.mxPathname = 512
    vfs.xOpen = { vfs, name, slot, flags, outFlags in
      MemoryVFS.of(vfs)?.open(name, into: slot, flags, outFlags: outFlags) ?? SQLITE_IOERR
    }
    vfs.xDelete = { vfs, name, syncDirectory in
      guard let files = MemoryVFS.of(vfs)?.files, let name else { return SQLITE_IOERR }
      let code = files.delete(String(cString: name))
      files.gate.observe(code)
      return code == SQLITE_OK && syncDirectory != 0 ? files.syncDirectory() : code
    }
    vfs.xAccess = { vfs, name, flags, result in
      guard let files = MemoryVFS.of(vfs)?.files, let name else { return SQLITE_IOERR }
      files.gate.onTurn?()
      if files.gate.isDead { return files.gate.refuse(SQLITE_IOERR) }
      guard files.gate.admitLookUp() else { return ioErrorAccess }
      // As on a disk, SQLite must treat an empty journal as missing.
      let exists = (files.size(of: String(cString: name)) ?? 0) > 0
      files.gate.observe(exists ? 1 : 0)
      let isAllowed = flags != SQLITE_ACCESS_READWRITE || !files.gate.isReadOnly
      result?.pointee = exists && isAllowed ? 1 : 0
      return SQLITE_OK
    }
    vfs.xFullPathname = { _, name, capacity, result in
      guard let name, let result else { return SQLITE_CANTOPEN }
      return copyCString(name, into: result, capacity: Int(capacity))
    }
    vfs.xRandomness = { vfs, count, result in
      guard let files = MemoryVFS.of(vfs)?.files, let result else { return 0 }
      for index in 0..<Int(count) {
        result[index] = CChar(truncatingIfNeeded: files.nextRandom())
      }
      return count
    }
    vfs.xSleep = { vfs, microseconds in
      MemoryVFS.of(vfs)?.files.sleep(microseconds: Int(microseconds))
      return microseconds
    }
    vfs.xCurrentTime = { vfs, days in
      guard let files = MemoryVFS.of(vfs)?.files else { return SQLITE_ERROR }
      days?.pointee = Double(files.julianMilliseconds) / 86_400_000
      return SQLITE_OK
    }
    vfs.xCurrentTimeInt64 = { vfs, milliseconds in
      guard let files = MemoryVFS.of(vfs)?.files else { return SQLITE_ERROR }
      milliseconds?.pointee = files.julianMilliseconds
      return SQLITE_OK
    }
    vfs.xGetLastError = { vfs, _, _ in MemoryVFS.of(vfs)?.files.gate.lastErrorNumber ?? 0 }
    return vfs
  }

  private static func of(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> MemoryVFS? {
    guard let data = vfs?.pointee.pAppData else { return nil }
    return Unmanaged<MemoryVFS>.fromOpaque(data).takeUnretainedValue()
  }

  private func open(
    _ name: UnsafePointer<CChar>?, into file: UnsafeMutablePointer<sqlite3_file>?,
    _ flags: CInt, outFlags: UnsafeMutablePointer<CInt>?
  ) -> CInt {
    guard let file else { return SQLITE_IOERR }
    // Without methods SQLite does not call xClose for a file that was never opened.
    file.pointee.pMethods = nil
    let opened = files.open(
      name.map { String(cString: $0) }, create: flags & SQLITE_OPEN_CREATE != 0,
      exclusive: flags & SQLITE_OPEN_EXCLUSIVE != 0)
    switch opened {
    case .failure(let code):
      files.gate.observe(code.value)
      return code.value
    case .success(let handle):
      // A log or journal is useless if its name is lost.
      handle.syncsFolder =
        flags & SQLITE_OPEN_CREATE != 0
        && flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL) != 0
      UnsafeMutableRawPointer(file).bindMemory(to: MemoryFileSlot.self, capacity: 1)
        .initialize(
          to: MemoryFileSlot(
            base: sqlite3_file(pMethods: UnsafePointer(methods)),
            handle: Unmanaged.passRetained(handle)))
      outFlags?.pointee = flags
      return SQLITE_OK
    }
  }
}

/// The memory that SQLite allocates for each open file: SQLite's part first, then the reference to
/// the handle.
struct MemoryFileSlot {
  var base: sqlite3_file
  var handle: Unmanaged<MemoryHandle>
}

/// Copies a C string with its NUL; fails if it does not fit.
private func copyCString(
  _ source: UnsafePointer<CChar>, into target: UnsafeMutablePointer<CChar>, capacity: Int
) -> CInt {
  var index = 0
  while index < capacity {
    target[index] = source[index]
    if source[index] == 0 { return SQLITE_OK }
    index += 1
  }
  return SQLITE_CANTOPEN
}
