internal import CSQLite

/// One file in memory: its bytes, and the locks of the open handles of a process.
///
/// The locks are those of a rollback-journal database; at most one handle has more than `SHARED`:
///
///     handle A   SHARED ──────────────── SHARED       A reads all the time
///     handle B   SHARED → RESERVED → PENDING → …      B waits: no new reader can lock
///     handle A   NONE                                 A is done
///     handle B                        EXCLUSIVE       and B may write the file
///
/// A database in WAL mode keeps `SHARED` here permanently and uses the slots of `SharedIndex`
/// instead.
final class MemoryFile {
  let name: String
  let role: FileRole
  let body: FileBody
  /// The index of the write-ahead log, which exists while a handle has it mapped.
  let sharedIndex = SharedIndex()
  /// The handles that were opened, of which some may be closed.
  var handles: [WeakHandle] = []

  private var readerCount = 0
  /// The one handle with more than `SHARED`; nil after it has unlocked or closed.
  private var writer: MemoryHandle?

  init(name: String, body: FileBody) {
    self.name = name
    role = FileRole(fileName: name)
    self.body = body
  }

  /// Raises the lock of a handle; returns `SQLITE_BUSY` if another handle blocks it.
  func lock(_ handle: MemoryHandle, to level: CInt) -> CInt {
    guard handle.level < level else { return SQLITE_OK }
    let otherWriter = writer.flatMap { $0 === handle ? nil : $0 }
    if handle.level == SQLITE_LOCK_NONE {
      if let otherWriter, otherWriter.level >= SQLITE_LOCK_PENDING { return SQLITE_BUSY }
      readerCount += 1
      handle.level = SQLITE_LOCK_SHARED
    }
    guard level > SQLITE_LOCK_SHARED else { return SQLITE_OK }
    if otherWriter != nil { return SQLITE_BUSY }
    writer = handle
    if level < SQLITE_LOCK_EXCLUSIVE {
      handle.level = level
      return SQLITE_OK
    }
    guard readerCount == 1 else {
      // The handle remains pending, so that no new reader can lock the file.
      handle.level = SQLITE_LOCK_PENDING
      return SQLITE_BUSY
    }
    handle.level = SQLITE_LOCK_EXCLUSIVE
    return SQLITE_OK
  }

  /// Lowers the lock of a handle to `SHARED` or to none.
  func unlock(_ handle: MemoryHandle, to level: CInt) {
    guard handle.level > level else { return }
    if writer === handle { writer = nil }
    if level == SQLITE_LOCK_NONE { readerCount -= 1 }
    handle.level = level
  }

  /// Whether a handle is about to write.
  var isReserved: Bool { writer != nil }
}

/// The shared memory of a write-ahead log: regions shared by all handles, and eight lock slots.
final class SharedIndex {
  static let slotCount = 8

  private var regions: [UnsafeMutableRawPointer] = []
  private var mappedCount = 0
  private var readerCounts = [Int](repeating: 0, count: slotCount)
  private var writers = [ObjectIdentifier?](repeating: nil, count: slotCount)

  deinit { discardRegions() }

  /// The memory of a region, zero if new; nil if the region does not exist and must not be created.
  func map(
    _ handle: MemoryHandle, region: Int, bytes: Int, extend: Bool
  ) throws(ResultCode) -> UnsafeMutableRawPointer? {
    if !handle.hasMappedIndex {
      handle.hasMappedIndex = true
      mappedCount += 1
    }
    while regions.count <= region {
      guard extend else { return nil }
      guard handle.files.growIndex(handle) else { throw ResultCode(ioErrorIndexSize) }
      let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
      regions.append(memory)
    }
    return regions[region]
  }

  /// Unmaps the regions of a handle. The last handle frees the memory: the next handle then finds
  /// zeroes and recovers the index from the log, as the first process after a crash does.
  func unmap(_ handle: MemoryHandle) {
    guard handle.hasMappedIndex else { return }
    handle.hasMappedIndex = false
    for slot in 0..<Self.slotCount { unlock(handle, slot: slot) }
    mappedCount -= 1
    if mappedCount == 0 { discardRegions() }
  }

  /// Locks the slots, either shared or exclusively.
  func lock(_ handle: MemoryHandle, slots: Range<Int>, exclusive: Bool) -> CInt {
    let me = ObjectIdentifier(handle)
    for slot in slots {
      if let writer = writers[slot], writer != me { return SQLITE_BUSY }
      let others = readerCounts[slot] - (handle.readsSlot(slot) ? 1 : 0)
      if exclusive && others > 0 { return SQLITE_BUSY }
    }
    for slot in slots {
      if exclusive {
        writers[slot] = me
      } else if !handle.readsSlot(slot) {
        handle.sharedSlots |= 1 << slot
        readerCounts[slot] += 1
      }
    }
    return SQLITE_OK
  }

  /// A hash of the memory and of the locks that a handle has.
  func fold(into digest: inout Fingerprint) {
    for region in regions {
      digest.fold(UnsafeRawBufferPointer(start: region, count: Self.regionBytes))
    }
  }

  /// The slots that a handle has locked exclusively, one bit for each.
  func exclusiveSlots(of handle: MemoryHandle) -> Int {
    var slots = 0
    for slot in 0..<Self.slotCount where writers[slot] == ObjectIdentifier(handle) {
      slots |= 1 << slot
    }
    return slots
  }

  /// A hash of the two headers and of the marks of the readers.
  var headerFingerprint: UInt64 {
    var digest = Fingerprint()
    if let region = regions.first {
      digest.fold(UnsafeRawBufferPointer(start: region, count: Self.headerBytes))
    }
    return digest.value
  }

  private static let headerBytes = 136
  /// The size of a region, as SQLite chooses it.
  private static let regionBytes = 32_768

  /// Unlocks a slot, shared or exclusive.
  func unlock(_ handle: MemoryHandle, slot: Int) {
    if writers[slot] == ObjectIdentifier(handle) { writers[slot] = nil }
    if handle.readsSlot(slot) {
      handle.sharedSlots &= ~(1 << slot)
      readerCounts[slot] -= 1
    }
  }

  private func discardRegions() {
    for region in regions { region.deallocate() }
    regions = []
  }
}

/// The state of one open handle of a file.
final class MemoryHandle {
  let file: MemoryFile
  let files: MemoryFiles
  /// The number of the process that opened the file, counted by restarts.
  let epoch: Int
  /// The connection that opened the file, counted by `StepGate.owner`.
  let owner: Int
  /// Whether the first sync of the file also makes its name durable.
  var syncsFolder = false
  var level = SQLITE_LOCK_NONE
  var hasMappedIndex = false
  /// One bit for each slot of the shared index that this handle has locked for reading.
  var sharedSlots = 0

  init(file: MemoryFile, files: MemoryFiles) {
    self.file = file
    self.files = files
    epoch = files.epoch
    owner = files.gate.owner()
    file.handles.append(WeakHandle(handle: self))
  }

  func readsSlot(_ slot: Int) -> Bool { sharedSlots & (1 << slot) != 0 }

  deinit { file.handles.removeAll { $0.handle == nil } }

  /// Releases all locks and mappings.
  func release() {
    file.sharedIndex.unmap(self)
    file.unlock(self, to: SQLITE_LOCK_NONE)
  }
}

/// A handle that may be closed.
struct WeakHandle {
  weak var handle: MemoryHandle?
}
