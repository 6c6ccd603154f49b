internal import CSQLite

extension MemoryVFS {
  /// The methods of an open file; each forwards to the handle of the file.
  static func makeMethods() -> sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    // Version 2: with shared memory for the write-ahead log, without memory mapping.
    methods.iVersion = 2
    methods.xClose = { file in
      guard let slot = MemoryVFS.slot(file) else { return SQLITE_OK }
      slot.pointee.handle.takeUnretainedValue().release()
      slot.pointee.handle.release()
      slot.pointee.base.pMethods = nil
      return SQLITE_OK
    }
    addByteMethods(to: &methods)
    addLockMethods(to: &methods)
    addSharedMemoryMethods(to: &methods)
    methods.xFileControl = { file, operation, argument in
      guard operation == SQLITE_FCNTL_HAS_MOVED, let handle = MemoryVFS.handle(file),
        let argument
      else { return SQLITE_NOTFOUND }
      argument.storeBytes(of: handle.files.holds(handle.file) ? 0 : 1, as: CInt.self)
      return SQLITE_OK
    }
    methods.xSectorSize = { _ in 4096 }
    // A write changes only the written bytes, so the log needs no padding to sectors.
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    return methods
  }

  private static func addByteMethods(to methods: inout sqlite3_io_methods) {
    methods.xRead = { file, buffer, count, offset in
      guard let handle = MemoryVFS.handle(file), let buffer else { return SQLITE_IOERR }
      return handle.files.read(
        handle, at: Int(offset),
        into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
    }
    methods.xWrite = { file, buffer, count, offset in
      guard let handle = MemoryVFS.handle(file), let buffer else { return SQLITE_IOERR }
      return handle.files.write(
        handle, at: Int(offset), UnsafeRawBufferPointer(start: buffer, count: Int(count)))
    }
    methods.xTruncate = { file, size in
      guard let handle = MemoryVFS.handle(file) else { return SQLITE_IOERR }
      return handle.files.truncate(handle, to: Int(size))
    }
    methods.xSync = { file, _ in
      guard let handle = MemoryVFS.handle(file) else { return SQLITE_IOERR }
      return handle.files.sync(handle)
    }
    methods.xFileSize = { file, size in
      guard let handle = MemoryVFS.handle(file) else { return SQLITE_IOERR }
      guard handle.files.gate.admitLookUp() else { return ioErrorFileStatus }
      size?.pointee = Int64(handle.file.body.contents.count)
      handle.files.gate.observe(handle.file.body.contents.count)
      return SQLITE_OK
    }
  }

  private static func addLockMethods(to methods: inout sqlite3_io_methods) {
    methods.xLock = { file, level in
      guard let handle = MemoryVFS.handle(file) else { return SQLITE_IOERR }
      handle.files.gate.onTurn?()
      guard handle.files.gate.admitLock() else { return SQLITE_BUSY }
      let code = handle.file.lock(handle, to: level)
      handle.files.gate.observe(code)
      return code
    }
    methods.xUnlock = { file, level in
      guard let handle = MemoryVFS.handle(file) else { return SQLITE_IOERR }
      handle.file.unlock(handle, to: level)
      return SQLITE_OK
    }
    methods.xCheckReservedLock = { file, result in
      guard let handle = MemoryVFS.handle(file) else { return SQLITE_IOERR }
      result?.pointee = handle.file.isReserved ? 1 : 0
      handle.files.gate.observe(result?.pointee ?? 0)
      return SQLITE_OK
    }
  }

  private static func addSharedMemoryMethods(to methods: inout sqlite3_io_methods) {
    methods.xShmMap = { file, region, bytes, extend, result in
      guard let handle = MemoryVFS.handle(file) else { return SQLITE_IOERR }
      do throws(ResultCode) {
        result?.pointee = try handle.file.sharedIndex.map(
          handle, region: Int(region), bytes: Int(bytes), extend: extend != 0)
        return SQLITE_OK
      } catch {
        result?.pointee = nil
        return error.value
      }
    }
    methods.xShmLock = { file, offset, count, flags in
      guard let handle = MemoryVFS.handle(file) else { return SQLITE_IOERR }
      let slots = Int(offset)..<Int(offset + count)
      let index = handle.file.sharedIndex
      guard flags & SQLITE_SHM_UNLOCK == 0 else {
        for slot in slots { index.unlock(handle, slot: slot) }
        return SQLITE_OK
      }
      handle.files.gate.onTurn?()
      guard handle.files.gate.admitLock() else { return SQLITE_BUSY }
      let code = index.lock(handle, slots: slots, exclusive: flags & SQLITE_SHM_EXCLUSIVE != 0)
      handle.files.gate.observe(code)
      return code
    }
    // All connections of a storage run on one thread at a time, so no memory barrier is needed.
    methods.xShmBarrier = { _ in }
    methods.xShmUnmap = { file, _ in
      guard let handle = MemoryVFS.handle(file) else { return SQLITE_OK }
      handle.file.sharedIndex.unmap(handle)
      return SQLITE_OK
    }
  }

  private static func slot(
    _ file: UnsafeMutablePointer<sqlite3_file>?
  ) -> UnsafeMutablePointer<MemoryFileSlot>? {
    file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: MemoryFileSlot.self) }
  }

  private static func handle(_ file: UnsafeMutablePointer<sqlite3_file>?) -> MemoryHandle? {
    slot(file)?.pointee.handle.takeUnretainedValue()
  }
}
